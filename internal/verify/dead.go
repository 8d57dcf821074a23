package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// maxDead bounds the citations that lead to nothing and are recorded and answered; the others are counted. Each has
	// DeadChars of its sentence, because one sentence can have thousands of them.
	maxDead = 100
	// DeadChars bounds the sentence and the reason of such a citation, in code points.
	DeadChars = 300
	// maxCitations bounds the citations of a sentence that are followed; those after them are errors. 668 documents of real
	// hosts have at most a few in one sentence.
	maxCitations = 100
)

// findDead collects the citations of claims that lead to nothing.
func (v *Result) findDead() {
	for _, c := range v.Claims {
		for _, cite := range c.Citations {
			if cite.Problem != "" {
				v.dead(Dead{Citation: cite, Claim: c.Text})
			}
		}
	}
}

func (v *Result) dead(x Dead) {
	if x.Claim == "" {
		x.Claim = fmt.Sprintf("(no sentence: line %d)", x.Line)
	}
	if v.Dead++; v.Dead <= maxDead {
		safe := func(text string) string {
			return strings.Clone(sanitize.Short(docid.WithoutCredentials(text), DeadChars))
		}
		v.Hallucinated = append(v.Hallucinated, loopstate.Hallucinated{Claim: safe(x.Claim), Citation: safe(x.Written()), Why: safe(x.Problem)})
	}
}

// followFew makes the citations of a sentence after the first maxCitations errors.
func (v *Result) followFew() {
	for i := range v.Claims {
		c := &v.Claims[i]
		if len(c.Citations) <= maxCitations {
			continue
		}
		for _, cite := range c.Citations[maxCitations:] {
			cite.Problem = fmt.Sprintf("the sentence has %d citations; at most %d of one sentence are followed", len(c.Citations), maxCitations)
			v.Strays = append(v.Strays, Dead{Citation: cite, Claim: c.Text})
		}
		c.Citations = slices.Clone(c.Citations[:maxCitations])
	}
}

// listMismatches compares the reference list of a draft with the sources: it flags wrong titles, and ids with the address
// of another source.
func listMismatches(library Library, d draft.Draft) []string {
	titles := map[string]int{}
	for i, src := range library.Sources {
		titles[src.ID] = i
	}
	var out []string
	var rest []draft.Reference
	for _, entry := range d.References {
		at, is := titles[entry.Number]
		if src, ok := library.ByAddress(entry.URL); entry.URL == "" || !is || ok && library.Sources[at].ID == src.ID {
			rest = append(rest, entry)
			continue
		}
		named := library.Sources[at]
		out = append(out, fmt.Sprintf("address_mismatch: the reference list gives %s the address %s (line %d), but %s was read at %s", entry.Number, entry.URL, entry.Line, named.ID, named.FinalURL))
	}
	for _, x := range WrongTitles(rest, library.ByAddress) {
		out = append(out, fmt.Sprintf("title_mismatch: the reference list calls %s %q (line %d), its page is titled %q", x.Source.ID, sanitize.Short(x.Title, 100), x.Line, sanitize.Short(x.Source.Title, 100)))
	}
	return out
}

// WrongTitle is an entry of a reference list with another title than the page at its address.
type WrongTitle struct {
	draft.Reference
	Source loopstate.Source
}

// WrongTitles returns the entries with another title than their pages; read returns the source that was read at an address.
func WrongTitles(entries []draft.Reference, read func(address string) (loopstate.Source, bool)) (out []WrongTitle) {
	for _, entry := range entries {
		if entry.URL == "" {
			continue
		}
		if src, ok := read(entry.URL); ok && !entry.SameTitle(src.Title) {
			out = append(out, WrongTitle{entry, src})
		}
	}
	return out
}
