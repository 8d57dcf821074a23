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
	p := Searched{Search: search}
	if c := s.running(); c.err != nil {
		return p, c.err
	}
	drop := func(e Evidence, why string) { reject(&p.Rejected, Shorten(e.URL, MaxURLChars), why) }
	var usable []Evidence
	for _, e := range hits {
		e.URL, e.Angle = docid.WithoutCredentials(e.URL), p.Angle
		if why := e.fault(); why != "" {
			drop(e, why)
		} else {
			usable = append(usable, e)
		}
	}
	usable = s.relevant(usable, drop)
	var again []string
	p.Evidence, again = s.mintEvidence(usable)
	for _, e := range usable {
		if e.SameAs != "" && slices.Contains(again, e.URL) {
			drop(e, "nearly the same text as another hit")
		}
	}
	return p, nil
}

const (
	// NearCopy is the share of common shingles above which two texts are near copies.
	NearCopy = 0.85
	// maxCompared bounds the hits that a new hit is compared with: the newest ones.
	maxCompared = 2_000
)

// wording is what a hit says, by its key.
type wording struct {
	key  string
	text duplicate.Snippet
}

func wordingOf(e Evidence) wording {
	return wording{e.Key(), duplicate.NewSnippet(e.Title + "\n" + e.Snippet)}
}

// FindRepeats sets SameAs of the hits that repeat the title and the snippet of another hit, of the loop or of the same call, at another
// address: a hit that repeats another adds nothing.
func (s *State) FindRepeats(hits []Evidence) {
	read := &s.index.read
	for i := len(*read); len(hits) > 0 && i < len(s.Evidence); i++ { // those of earlier calls are there
		*read = append(*read, wordingOf(s.Evidence[i]))
	}
	known, fresh := (*read)[max(0, len(*read)-maxCompared):], []wording{}
	for i := range hits {
		hits[i].SameAs = ""
		hit := wordingOf(hits[i])
		if _, seen := s.Seen(hits[i]); seen || !hit.text.Comparable() {
			continue
		}
		repeats := func(w wording) bool { return w.text.Comparable() && w.text.Repeats(hit.text, NearCopy) }
		if at := slices.IndexFunc(known, repeats); at >= 0 {
			hits[i].SameAs = known[at].key
		} else if same, ok := first(fresh, repeats); ok {
			hits[i].SameAs = same.key
		} else {
			fresh = append(fresh, hit)
		}
	}
}

// relevant returns the hits of one call that are about the target entity, and drops the others. It keeps all hits on the entity's own
// domains and at least ten hits in total: the best of the others by the weight of their source type, their rank and their score.
func (s *State) relevant(hits []Evidence, drop func(e Evidence, why string)) (kept []Evidence) {
	if s.Entity == nil || len(hits) <= relevanceKeep {
		return hits
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
			drop(hit, fmt.Sprintf("it is not about %s: it is not on its domains and does not name it", Shorten(s.Entity.Name, 100)))
		}
	}
	return kept
}

// credibility has the weights of source types; that of others is 0.5. The values are estimates.
var credibility = map[string]float64{"peer": 1, "primary": 0.9, "press": 0.7}

// mintEvidence returns the new hits with their ids, and the addresses of hits that the loop already has.
func (s *State) mintEvidence(hits []Evidence) (fresh []Evidence, duplicates []string) {
	minted := map[string]bool{}
	for _, e := range hits {
		_, seen := s.Seen(e)
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
		e.Source, e.Language = Shorten(e.Source, maxChannelChars), Shorten(e.Language, maxLanguageChars)
		fresh = append(fresh, e)
	}
	return fresh, duplicates
}
