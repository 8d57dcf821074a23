package loops

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/internal/duplicate"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/loopstate"
)

// Five copies of a press release are one source, and a hit that repeats another adds nothing. Two texts are near duplicates
// if they share more than nearJaccard of their shingles. Sketches select the texts to compare; the texts themselves decide.
const (
	// nearJaccard is the default of Config.NearDuplicate.
	nearJaccard = 0.85
	// nearSlack is how far below it sketches select texts: three standard errors of the estimate.
	nearSlack = 0.10
	// minNearShingles is the minimum size of a text: shorter ones are alike by chance or by form.
	minNearShingles = 12
	// maxNearBytes bounds the indexes in memory, and bytesPerNear is the memory of an item: its sketch, and its bands in a
	// map and in chains. See TestNearIndexesAreBounded.
	maxNearBytes = 8 << 20
	bytesPerNear = 1 << 10
)

// nearLoop finds the items of one loop that resemble a text. Items are never removed from a loop.
type nearLoop struct {
	mu            sync.Mutex // protects the other fields, for in-memory work only
	hits, sources nearIndex
}

// nearCache holds the indexes of the last used loops.
type nearCache struct {
	jaccard float64 // threshold of near duplicates
	loops   *bounded[string, *nearLoop]
}

func newNearCache(jaccard float64) *nearCache {
	if !(jaccard > 0 && jaccard < 1) {
		jaccard = nearJaccard
	}
	return &nearCache{jaccard: jaccard, loops: newBounded[string, *nearLoop](maxNearBytes)}
}

func (c *nearCache) of(loop string) *nearLoop {
	if l, ok := c.loops.get(loop); ok {
		return l
	}
	return c.loops.keep(loop, &nearLoop{}, bytesPerNear)
}

// grown updates the size of a loop's index. The caller holds its mu.
func (c *nearCache) grown(loop string, l *nearLoop) {
	c.loops.keep(loop, l, bytesPerNear*(1+len(l.hits.names)+len(l.sources.names)))
}

// nearIndex finds items by the resemblance of their sketches.
type nearIndex struct {
	names    []string // of the items, to detect another loop under the same id
	sketches []duplicate.Sketch
	heads    map[uint64]int32 // band -> the last item with it
	next     [][]int32        // item, band -> the previous item with it, or -1
}

// keep makes the index hold items 0 to n-1. Items without a sketch are never found.
func (ix *nearIndex) keep(n int, name func(int) string, sketch func(int) (duplicate.Sketch, bool)) {
	if have := len(ix.names); have > n || have > 0 && ix.names[have-1] != name(have-1) {
		*ix = nearIndex{}
	}
	for i := len(ix.names); i < n; i++ {
		s, ok := sketch(i)
		ix.add(name(i), s, ok)
	}
}

func (ix *nearIndex) add(name string, s duplicate.Sketch, ok bool) {
	if ix.heads == nil {
		ix.heads = map[uint64]int32{}
	}
	at := int32(len(ix.names))
	ix.names, ix.sketches = append(ix.names, name), append(ix.sketches, s)
	var chain []int32
	if ok {
		for _, band := range s.Bands() {
			before, seen := ix.heads[band]
			if !seen {
				before = -1
			}
			chain = append(chain, before)
			ix.heads[band] = at
		}
	}
	ix.next = append(ix.next, chain)
}

const (
	// maxNearCandidates bounds the items that are compared with one text, maxNearLooked the sketches: texts of one form,
	// such as a thousand log entries, share bands without being copies.
	maxNearCandidates = 50
	maxNearLooked     = 200
)

// like returns the items that resemble s, oldest first. It checks the newest items only.
func (ix *nearIndex) like(s duplicate.Sketch, enough float64) []int {
	var out []int
	seen := map[int32]bool{}
	for b, band := range s.Bands() {
		at, ok := ix.heads[band]
		for ok && at >= 0 && len(out) < maxNearCandidates && len(seen) < maxNearLooked {
			if !seen[at] {
				seen[at] = true
				if s.Resemblance(ix.sketches[at]) >= enough {
					out = append(out, int(at))
				}
			}
			at = ix.next[at][b]
		}
	}
	slices.Sort(out)
	return out
}

// nearHits sets SameAs of the hits that repeat another hit, of the loop or of the same call, at another address.
func (s *Service) nearHits(st *loopstate.State, hits []loopstate.Evidence) {
	near := s.near.of(st.Loop)
	near.mu.Lock()
	defer near.mu.Unlock()
	defer s.near.grown(st.Loop, near)
	ix, shinglesOf := &near.hits, duplicate.Shingles
	ix.keep(len(st.Evidence), func(i int) string { return st.Evidence[i].URL }, func(i int) (duplicate.Sketch, bool) {
		return sketchOfHit(shinglesOf(hitText(st.Evidence[i])))
	})
	var here nearIndex // the hits of this call
	var fresh []loopstate.Evidence
	for i := range hits {
		hits[i].SameAs = ""
		if _, known := st.SeenEvidence(hits[i]); known {
			continue
		}
		shingles := shinglesOf(hitText(hits[i]))
		sketch, ok := sketchOfHit(shingles)
		if !ok {
			continue
		}
		same := func(e loopstate.Evidence) bool {
			return sameFigures(hitText(e), hitText(hits[i])) && duplicate.Jaccard(shinglesOf(hitText(e)), shingles) > s.near.jaccard
		}
		for _, j := range ix.like(sketch, s.near.jaccard-nearSlack) {
			if same(st.Evidence[j]) {
				hits[i].SameAs = st.Evidence[j].Key()
				break
			}
		}
		for _, j := range here.like(sketch, s.near.jaccard-nearSlack) {
			if hits[i].SameAs == "" && same(fresh[j]) {
				hits[i].SameAs = fresh[j].Key()
			}
		}
		if hits[i].SameAs == "" {
			here.add(hits[i].URL, sketch, true)
			fresh = append(fresh, hits[i])
		}
	}
}

func hitText(e loopstate.Evidence) string { return e.Title + "\n" + e.Snippet }

func sketchOfHit(shingles []uint64) (duplicate.Sketch, bool) {
	if len(shingles) < minNearShingles {
		return duplicate.Sketch{}, false
	}
	return duplicate.SketchOf(shingles)
}

var figures = lazyregexp.New(`\d+([.,]\d+)*`)

// sameFigures reports whether two snippets have the same numbers. If not, they are of two documents of one form, such as
// the reports of two quarters.
func sameFigures(a, b string) bool {
	x, y := figures.FindAllString(a, -1), figures.FindAllString(b, -1)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(slices.Compact(x), slices.Compact(y))
}

// nearSources sets SameAs of the sources whose text repeats that of another one, of the loop or of the same call. The
// sketches of sources are set, and texts are their texts.
func (s *Service) nearSources(ctx context.Context, st *loopstate.State, sources []loopstate.Source, texts []string) error {
	candidates := s.nearCandidates(st, sources)
	for i := range sources {
		sources[i].SameAs = ""
		if candidates[i] == nil {
			continue
		}
		shingles := sync.OnceValue(func() []uint64 { return duplicate.Shingles(texts[i]) }) // nearly never needed
		for _, j := range candidates[i].kept {
			text, err := s.text(ctx, st.Sources[j])
			if errors.Is(err, loopstate.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if duplicate.Jaccard(duplicate.Shingles(text), shingles()) > s.near.jaccard {
				sources[i].SameAs = st.Sources[j].Key
				break
			}
		}
		for j := 0; j < i && sources[i].SameAs == ""; j++ { // at most MaxURLs
			other, ok := duplicate.ParseSketch(sources[j].Sketch)
			if ok && candidates[i].sketch.Resemblance(other) >= s.near.jaccard-nearSlack && duplicate.Jaccard(duplicate.Shingles(texts[j]), shingles()) > s.near.jaccard {
				sources[i].SameAs = sources[j].Key
			}
		}
	}
	return nil
}

// nearCandidate is a new text that may repeat an earlier one.
type nearCandidate struct {
	sketch duplicate.Sketch
	kept   []int // positions of the loop's sources whose sketch resembles it
}

// nearCandidates returns what each source may repeat, or nil for a known source and for one without a sketch.
func (s *Service) nearCandidates(st *loopstate.State, sources []loopstate.Source) []*nearCandidate {
	near := s.near.of(st.Loop)
	near.mu.Lock()
	defer near.mu.Unlock()
	defer s.near.grown(st.Loop, near)
	near.sources.keep(len(st.Sources), func(i int) string { return st.Sources[i].Key }, func(i int) (duplicate.Sketch, bool) {
		return duplicate.ParseSketch(st.Sources[i].Sketch)
	})
	out := make([]*nearCandidate, len(sources))
	for i, src := range sources {
		if _, known := st.SourceByKey(src.Key); known {
			continue
		}
		if sketch, ok := duplicate.ParseSketch(src.Sketch); ok {
			out[i] = &nearCandidate{sketch, near.sources.like(sketch, s.near.jaccard-nearSlack)}
		}
	}
	return out
}
