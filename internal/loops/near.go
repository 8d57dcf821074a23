package loops

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/internal/duplicate"
	"github.com/citeloop/citeloop/loopstate"
)

// Five copies of a press release are one source, and a hit that repeats another adds nothing. Two texts are near duplicates
// if they share more than Config.NearDuplicate of their shingles. A new text is compared with all others of its loop.
const (
	// nearJaccard is the default of Config.NearDuplicate.
	nearJaccard = 0.85
	// maxNearHits bounds the hits that a new hit is compared with: the newest ones.
	maxNearHits = 2_000
	// maxShingled bounds the texts whose shingles are in memory, up to 64 kB each.
	maxShingled = 400
	// maxHitBytes bounds the shingles of hits in memory, by bytesPerHit each: some 20,000 hits of several loops. Without them, most of
	// an update is their analysis.
	maxHitBytes, bytesPerHit = 8 << 20, 400
)

// hitIndex holds the hits of a loop, read for comparisons: those from position first on.
type hitIndex struct {
	mu    sync.Mutex
	first int
	hits  []duplicate.Snippet
}

// nearHits sets SameAs of the hits that repeat another hit, of the loop or of the same call, at another address.
func (s *Service) nearHits(st *loopstate.State, hits []loopstate.Evidence) {
	read := func(e loopstate.Evidence) duplicate.Snippet { return duplicate.NewSnippet(e.Title + "\n" + e.Snippet) }
	ix, known := s.hits.Get(st.Loop)
	if !known {
		ix = s.hits.Keep(st.Loop, &hitIndex{first: max(0, len(st.Evidence)-maxNearHits)}, 0)
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.first+len(ix.hits) > len(st.Evidence) { // of a loop that was deleted, with the same id
		ix.first, ix.hits = max(0, len(st.Evidence)-maxNearHits), nil
	}
	for i := ix.first + len(ix.hits); i < len(st.Evidence); i++ {
		ix.hits = append(ix.hits, read(st.Evidence[i]))
	}
	if old := len(ix.hits) - maxNearHits; old > maxNearHits/4 {
		ix.first, ix.hits = ix.first+old, slices.Delete(ix.hits, 0, old)
	}
	s.hits.Keep(st.Loop, ix, len(ix.hits)*bytesPerHit)
	var fresh []loopstate.Evidence
	var freshRead []duplicate.Snippet
	for i := range hits {
		hits[i].SameAs = ""
		if _, seen := st.SeenEvidence(hits[i]); seen {
			continue
		}
		hit := read(hits[i])
		if !hit.Comparable() {
			continue
		}
		repeats := func(other duplicate.Snippet) bool { return other.Comparable() && other.Repeats(hit, s.NearDuplicate) }
		if at := slices.IndexFunc(ix.hits, repeats); at >= 0 {
			hits[i].SameAs = st.Evidence[ix.first+at].Key()
		} else if at := slices.IndexFunc(freshRead, repeats); at >= 0 {
			hits[i].SameAs = fresh[at].Key()
		} else {
			fresh, freshRead = append(fresh, hits[i]), append(freshRead, hit)
		}
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
