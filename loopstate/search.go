package loopstate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/duplicate"
)

// Search is the step that logs a completed search and its new hits. Hits that repeat others have Evidence.SameAs set. It rejects
// hits that cannot be stored, see [Evidence.fault], repeated hits, and hits that are not about the target entity.
func (s *State) Search(search Search, hits []Evidence) (Searched, error) {
	p := Searched{Search: search, Hits: len(hits)}
	if c := s.running(); c.err != nil {
		return p, c.err
	}
	drop := func(e Evidence, why string) { reject(&p.Rejected, Shorten(e.URL, MaxURLChars), why) }
	var usable []Evidence
	for _, e := range hits {
		e.URL = docid.WithoutCredentials(e.URL)
		if why := e.fault(); why != "" {
			drop(e, why)
		} else {
			usable = append(usable, e)
		}
	}
	usable, unrelated := s.relevant(usable)
	for _, e := range unrelated {
		drop(e, s.Entity.unrelatedWhy())
	}
	var again []string
	p.Evidence, again = s.mintEvidence(usable)
	for _, e := range usable {
		if e.SameAs != "" && slices.Contains(again, e.URL) {
			drop(e, "nearly the same text as another hit")
		}
	}
	for i := range p.Evidence {
		p.Evidence[i].Angle = p.Angle
	}
	return p, nil
}

const (
	// NearCopy is the share of common shingles above which two texts are near copies.
	NearCopy = 0.85
	// maxCompared bounds the hits that a new hit is compared with: the newest ones.
	maxCompared = 2_000
)

// FindRepeats sets SameAs of the hits that repeat the title and the snippet of another hit, of the loop or of the same call, at another
// address: a hit that repeats another adds nothing.
func (s *State) FindRepeats(hits []Evidence) {
	if len(hits) == 0 { // what is there is read only for a comparison
		return
	}
	from, read := max(0, len(s.Evidence)-maxCompared), &s.index.read
	for i := len(*read); i < len(s.Evidence); i++ { // those of earlier calls are there
		*read = append(*read, duplicate.Snippet{})
		if i >= from {
			(*read)[i] = s.Evidence[i].snippet()
		}
	}
	var fresh []Evidence
	var freshRead []duplicate.Snippet
	for i := range hits {
		hits[i].SameAs = ""
		if _, seen := s.seen(hits[i]); seen {
			continue
		}
		snippet := hits[i].snippet()
		if !snippet.Comparable() {
			continue
		}
		hits[i].SameAs = cmp.Or(repeated(s.Evidence[from:], (*read)[from:], snippet), repeated(fresh, freshRead, snippet))
		if hits[i].SameAs == "" {
			fresh, freshRead = append(fresh, hits[i]), append(freshRead, snippet)
		}
	}
}

// repeated returns the key of the hit that a snippet repeats, or "".
func repeated(hits []Evidence, read []duplicate.Snippet, snippet duplicate.Snippet) string {
	at := slices.IndexFunc(read, func(other duplicate.Snippet) bool { return other.Comparable() && other.Repeats(snippet, NearCopy) })
	if at < 0 {
		return ""
	}
	return hits[at].Key()
}

func (e Evidence) snippet() duplicate.Snippet {
	return duplicate.NewSnippet(e.Title + "\n" + e.Snippet)
}

// relevant splits the hits of one call into those that are about the target entity and the others. It keeps all hits on the
// entity's own domains and at least ten hits in total: the best of the others by the weight of their source type, their
// rank and their score.
func (s *State) relevant(hits []Evidence) (kept, left []Evidence) {
	if s.Entity == nil || len(hits) <= relevanceKeep {
		return hits, nil
	}
	best := slices.MaxFunc(hits, func(a, b Evidence) int { return cmp.Compare(a.Score, b.Score) }).Score
	passed := 0
	worth, order := make([]float64, len(hits)), make([]int, len(hits))
	for i, hit := range hits {
		score, official := s.Entity.Relevance(hit)
		quality := 1.0
		if best > 0 {
			quality = hit.Score / best
		}
		worth[i], order[i] = quality*cmp.Or(credibility[hit.SourceType], 0.5)+score, i
		if official || score >= relevanceThreshold {
			worth[i] = math.Inf(1)
			passed++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	chosen := order[:max(passed, relevanceKeep)]
	for i, hit := range hits {
		if slices.Contains(chosen, i) {
			kept = append(kept, hit)
		} else {
			left = append(left, hit)
		}
	}
	return kept, left
}

// credibility has the weights of source types; that of others is 0.5. The values are estimates.
var credibility = map[string]float64{"peer": 1, "primary": 0.9, "press": 0.7}

// mintEvidence returns the new hits with their ids, and the addresses of hits that the loop already has.
func (s *State) mintEvidence(hits []Evidence) (fresh []Evidence, duplicates []string) {
	minted := map[string]bool{}
	for _, e := range hits {
		_, seen := s.SeenEvidence(e)
		keys := evidenceKeys(e)
		if seen || slices.ContainsFunc(keys, func(key string) bool { return minted[key] }) {
			duplicates = append(duplicates, e.URL)
			continue
		}
		for _, key := range keys {
			minted[key] = true
		}
		e.ID = fmt.Sprintf("E%d", len(s.Evidence)+len(fresh)+1)
		e.Snippet, e.Round = Shorten(e.Snippet, MaxSnippetChars), s.Round+1
		e.Authors = clipEach(e.Authors, maxAuthors, maxNameChars)
		e.IDs, e.Related = clipEach(e.IDs, maxIDs, maxNameChars), clipEach(e.Related, maxIDs, maxNameChars)
		fresh = append(fresh, e)
	}
	return fresh, duplicates
}
