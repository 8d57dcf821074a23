package grounding

import (
	"slices"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// duplicateAbove is the Jaccard index of shingles above which two texts are near-duplicates.
const duplicateAbove = 0.85

// origins counts the supporting documents; those of one publication and near-duplicates count once. A claim that only
// several documents together support has one origin.
func (c *Checker) origins(f finding, status Status) int {
	supporting := f.alone
	if len(supporting) == 0 && status != Unsupported {
		for _, w := range f.m.chosen {
			if d := f.m.docs[w.doc]; !slices.Contains(supporting, d) {
				supporting = append(supporting, d)
			}
		}
		supporting = supporting[:min(1, len(supporting))]
	}
	if status == Unsupported {
		return 0
	}
	if len(supporting) <= 1 {
		return len(supporting)
	}
	var representatives []*document
	for _, d := range supporting {
		if !slices.ContainsFunc(representatives, func(o *document) bool { return c.sameOrigin(d, o) }) {
			representatives = append(representatives, d)
		}
	}
	return len(representatives)
}

// sameOrigin reports whether two documents are of one publication, or nearly the same text.
func (c *Checker) sameOrigin(a, b *document) bool {
	published := func(name string) bool { return slices.Contains(b.Publication, name) }
	return slices.ContainsFunc(a.Publication, published) || c.duplicate(a, b)
}

// maybeSame is how alike the sketches of two texts must be before their shingles are compared: far enough below
// duplicateAbove that the error of the estimate (0.03) does not matter.
const maybeSame = 0.6

func (c *Checker) duplicate(a, b *document) bool {
	if a.sketch().Resemblance(b.sketch()) < maybeSame {
		return false
	}
	return passages.Jaccard(a.shingles(), b.shingles()) > duplicateAbove
}

// originFlags tells of a claim that rests on one origin, or on no primary one.
func (c *Checker) originFlags(v Verdict, f finding) []string {
	var flags []string
	if v.Status == Unsupported {
		return nil
	}
	if v.IndependentOrigins == 1 {
		flags = append(flags, FlagSingleSource)
	}
	supporting := f.alone
	if len(supporting) == 0 && v.SourceID != "" {
		supporting = []*document{c.docs[c.byID[v.SourceID]]}
	}
	secondary := len(supporting) > 0
	for _, d := range supporting {
		secondary = secondary && (d.SourceType == "press" || d.SourceType == "practitioner")
	}
	if secondary {
		flags = append(flags, FlagSecondaryOnly)
	}
	return flags
}
