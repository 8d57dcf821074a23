package loopstate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/citeloop/citeloop/internal/text/query"
)

// Unseen estimates how many relevant sources the searches have not found yet, from the overlap of independent searches:
// the more of their hits they share, the fewer are unseen.
//
// It is Chao1 in its bias-corrected form, S + f1(f1-1) / (2(f2+1)), where S sources were found, f1 of them by one search
// and f2 by two, with a log-normal 95 % interval. It is a lower bound in expectation and assumes independent searches:
// two channels, or two angles whose searchers do not see each other's results. It counts relevant hits only, and is
// never the only reason to stop.
type Unseen struct {
	Found  int `json:"found"`  // distinct hits
	Once   int `json:"once"`   // found by one angle only
	Twice  int `json:"twice"`  // found by two
	Unseen int `json:"unseen"` // estimated number not found yet
	Low    int `json:"low"`    // of the 95 % interval
	High   int `json:"high"`
}

// minSightings is the minimum number of hits found twice. Without overlap, the estimate only measures how much was
// searched.
const minSightings = 1

// Unseen returns the estimate. ok is false without enough data: fewer than two independent searches, or no hit that two of
// them found.
func (s *State) Unseen() (u Unseen, ok bool) {
	if !s.independentSearches() {
		return u, false
	}
	if !slices.ContainsFunc(s.Evidence, func(e Evidence) bool { return e.Found > 1 }) {
		return u, false
	}
	topic := query.TopicOf(s.subject())
	again := 0
	for _, e := range s.Evidence {
		if !topic.Has(e.Title, e.Snippet) {
			continue
		}
		u.Found++
		switch {
		case e.Found <= 1:
			u.Once++
		case e.Found == 2:
			u.Twice++
		}
		if e.Found > 1 {
			again++
		}
	}
	if again < minSightings {
		return u, false
	}
	f1, f2 := float64(u.Once), float64(u.Twice)
	f0 := f1 * (f1 - 1) / (2 * (f2 + 1))
	low, high := chaoInterval(f0, f1, f2)
	u.Unseen, u.Low, u.High = int(math.Round(f0)), int(math.Round(low)), int(math.Round(high))
	return u, true
}

// independentSearches reports whether two channels or two angles were searched.
func (s *State) independentSearches() bool {
	channels, angles := map[string]bool{}, map[string]bool{}
	for _, search := range s.Searches {
		for _, o := range search.Channels {
			if o.Channel != "" && slices.Contains(looked, o.Status) {
				channels[o.Channel] = true
				angles[search.Angle] = search.Angle != ""
			}
		}
	}
	delete(angles, "")
	return len(channels) > 1 || len(angles) > 1
}

// chaoInterval returns the 95 % interval of the number unseen. The variance is that of the bias-corrected estimator; f0 is
// assumed to be log-normal, so that the interval is never negative.
func chaoInterval(f0, f1, f2 float64) (low, high float64) {
	if f0 <= 0 {
		return 0, 0
	}
	k := f2 + 1
	variance := f1*(f1-1)/(2*k) + f1*(2*f1-1)*(2*f1-1)/(4*k*k) + f1*f1*f2*(f1-1)*(f1-1)/(4*k*k*k*k)
	c := math.Exp(1.96 * math.Sqrt(math.Log(1+variance/(f0*f0))))
	return f0 / c, f0 * c
}

// String describes the estimate in a sentence. One that rounds to zero is left out: too little was seen for "none".
func (u Unseen) String() string {
	if u.Unseen == 0 {
		return fmt.Sprintf("%d relevant hits were found, %d of them by one angle only.", u.Found, u.Once)
	}
	return fmt.Sprintf("%d relevant hits were found, %d of them by one angle only; about %d more are probably still unseen (95 %%: %d to %d).", u.Found, u.Once, u.Unseen, u.Low, u.High)
}

// recordSighting counts a search unit (an angle in a round) that found these hits.
func (s *State) recordSighting(ids []string, unit string) {
	for _, id := range ids {
		i, ok := s.index.evidenceID[id]
		if !ok || slices.Contains(s.Evidence[i].FoundBy, unit) {
			continue
		}
		e := &s.Evidence[i]
		e.Found++
		e.FoundBy = append(e.FoundBy[max(0, len(e.FoundBy)-maxFinders+1):], unit)
	}
}

// maxFinders bounds the remembered finders of one hit; it is above the number of angles.
const maxFinders = 12

// SeenBy reports whether a searcher of this angle has seen the hit: it was found in an earlier round, or in this one by the
// same angle. Searchers of one round do not see each other's hits. A searcher without an angle sees all hits.
func (s *State) SeenBy(e Evidence, angle string) bool {
	id, seen := s.SeenEvidence(e)
	if !seen || angle == "" {
		return seen
	}
	have := s.Evidence[s.index.evidenceID[id]]
	return have.Round <= s.Round || slices.Contains(have.FoundBy, s.searchUnit(angle, ""))
}

// searchUnit identifies an independent search: an angle within a round, or a query without an angle.
func (s *State) searchUnit(angle, query string) string {
	angle = cmp.Or(angle, foldText(query))
	return fmt.Sprintf("%d %s", s.Round+1, angle)
}
