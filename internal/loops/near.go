package loops

import (
	"context"
	"errors"
	"slices"

	"github.com/citeloop/citeloop/internal/duplicate"
	"github.com/citeloop/citeloop/loopstate"
)

// Five copies of a press release are one source, and a hit that repeats another adds nothing. Two texts are near duplicates
// if they share more than Config.NearDuplicate of their shingles. A new text is compared with all others of its loop, which
// takes under 2 ms at 200 sources of 30 kB once their shingles are in memory (BenchmarkNearSources).
const (
	// nearJaccard is the default of Config.NearDuplicate.
	nearJaccard = 0.85
	// maxNearHits bounds the hits that a new hit is compared with: the newest ones.
	maxNearHits = 2_000
	// maxShingled bounds the texts whose shingles are in memory, up to 64 kB each.
	maxShingled = 400
	// maxHitBytes bounds the shingles of hits in memory: some 10,000 hits. Without them, most of an update is their analysis.
	maxHitBytes = 8 << 20
)

// nearHits sets SameAs of the hits that repeat another hit, of the loop or of the same call, at another address.
func (s *Service) nearHits(st *loopstate.State, hits []loopstate.Evidence) {
	type compared struct {
		*loopstate.Evidence
		*duplicate.Snippet
	}
	compare := func(e *loopstate.Evidence) compared { return compared{e, s.snippet(e.Title + "\n" + e.Snippet)} }
	others := make([]compared, 0, min(len(st.Evidence), maxNearHits)+len(hits))
	add := func(c compared) {
		if c.Comparable() {
			others = append(others, c)
		}
	}
	for i := max(0, len(st.Evidence)-maxNearHits); i < len(st.Evidence); i++ {
		add(compare(&st.Evidence[i]))
	}
	for i := range hits {
		hits[i].SameAs = ""
		if _, known := st.SeenEvidence(hits[i]); known {
			continue
		}
		hit := compare(&hits[i])
		at := slices.IndexFunc(others, func(other compared) bool { return other.Repeats(hit.Snippet, s.NearDuplicate) })
		if at < 0 {
			add(hit)
			continue
		}
		hits[i].SameAs = others[at].Key()
	}
}

// nearSources sets SameAs of the sources whose text repeats that of another one, of the loop or of the same call. texts are
// the texts of the new sources.
func (s *Service) nearSources(ctx context.Context, st *loopstate.State, sources []loopstate.Source, texts []string) error {
	for i := range sources {
		sources[i].SameAs = ""
		if _, known := st.SourceByKey(sources[i].Key); known {
			continue
		}
		shingles := s.shingles(sources[i], texts[i])
		for _, other := range slices.Concat(st.Sources, sources[:i]) {
			theirs, err := s.shinglesOf(ctx, other)
			if err != nil {
				return err
			}
			if duplicate.Alike(theirs, shingles, s.NearDuplicate) {
				sources[i].SameAs = other.Key
				break
			}
		}
	}
	return nil
}

// shinglesOf returns the shingles of a stored text, or none if its writer crashed before it stored the text.
func (s *Service) shinglesOf(ctx context.Context, src loopstate.Source) ([]uint64, error) {
	if kept, ok := s.shingled.Get(src.SHA256); ok {
		return kept, nil
	}
	text, err := s.text(ctx, src)
	if errors.Is(err, loopstate.ErrNotFound) {
		return nil, nil
	}
	return s.shingles(src, text), err
}

func (s *Service) shingles(src loopstate.Source, text string) []uint64 {
	kept, ok := s.shingled.Get(src.SHA256)
	if !ok {
		kept = duplicate.Shingles(src.Furniture.Mask(text))
		s.shingled.Add(src.SHA256, kept)
	}
	return kept
}

func (s *Service) snippet(text string) *duplicate.Snippet {
	if kept, ok := s.hits.Get(text); ok {
		return kept
	}
	read := duplicate.NewSnippet(text)
	return s.hits.Keep(text, read, read.Bytes())
}
