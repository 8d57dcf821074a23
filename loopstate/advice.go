package loopstate

import (
	"slices"

	"github.com/citeloop/citeloop/internal/docid"
)

// Codes of [Advice].
const (
	AdviseAngles      = "angles"      // Of: angles that nobody searched
	AdviseRecent      = "recent"      // Of: the first day since which nothing was searched for or found
	AdviseTypes       = "types"       // Of: kinds of source that no hit has
	AdviseCheck       = "check"       // Of: claims that were never verified
	AdviseUnsupported = "unsupported" // Of: claims that no cited text supports
	AdviseOneSource   = "one_source"  // Of: claims that rest on one weak source
	AdviseReview      = "review"      // N: sentences that nobody has read beside the sources
	AdviseCritic      = "critic"      // the text is there, and nobody else is recorded to have read it
)

// Advice is something that would make the answer better. It is named beside the decision, and never instead of it.
type Advice struct {
	Code string   `json:"code"`
	N    int      `json:"n"`
	Of   []string `json:"of,omitempty"`
}

// maxAdvised bounds the ids of one advice.
const maxAdvised = 8

// Advise returns what would help a loop. Advice about searches needs a search, and leaves out what a corpus of the user's own files
// cannot change.
func Advise(s *State) (out []Advice) {
	add := func(code string, of []string) {
		if len(of) > 0 {
			out = append(out, Advice{code, len(of), of[:min(len(of), maxAdvised)]})
		}
	}
	if len(s.Searches) > 0 {
		s.adviseSearches(add)
	}
	idsOf := func(claims []Claim) []string { return each(claims, func(c Claim) string { return c.ID }) }
	claims := s.CurrentClaims()
	add(AdviseCheck, idsOf(keep(claims, func(c Claim) bool { return c.Check == nil })))
	add(AdviseUnsupported, idsOf(keep(claims, func(c Claim) bool { return c.Check != nil && c.Check.Status == Unsupported })))
	if len(s.Searches) > 0 && (!s.LocalOnly() || s.Origins() > 1) { // a corpus of one origin has no second source
		add(AdviseOneSource, idsOf(s.OneSourceClaims()))
	}
	if n := len(s.PendingReviews()); n > 0 {
		out = append(out, Advice{Code: AdviseReview, N: n})
	}
	if s.Draft != nil && s.Complexity != "simple" && !slices.ContainsFunc(s.Gaps, func(g Gap) bool { return g.Where != "" }) {
		out = append(out, Advice{Code: AdviseCritic, N: 1})
	}
	return out
}

// adviseSearches advises by the search log: blocked searches do not count. Hits and sources count by what they are.
func (s *State) adviseSearches(add func(code string, of []string)) {
	local, searches := s.LocalOnly(), keep(s.Searches, Search.Looked)
	var missing []string
	for _, a := range Angles() {
		given := a.Angle == "byTimeWindow" || a.Angle == "bySourceType" || a.Angle == "byEntity" && s.Entity == nil
		tried := slices.ContainsFunc(searches, func(search Search) bool { return search.Angle == a.Angle })
		if !tried && !(local && given) {
			missing = append(missing, a.Angle)
		}
	}
	add(AdviseAngles, missing)
	if local {
		return
	}
	since, types := RecentSince(s.AsOf), map[string]bool{}
	recent := since == "" || slices.ContainsFunc(searches, func(search Search) bool {
		return search.Angle == "byTimeWindow" || onOrAfter(search.Since, since)
	})
	for _, e := range s.Evidence {
		types[e.SourceType], recent = true, recent || onOrAfter(e.PublishedAt, since)
	}
	for _, src := range s.Sources {
		types[src.SourceType], recent = true, recent || onOrAfter(src.PublishedAt, since)
	}
	if !recent {
		add(AdviseRecent, []string{since})
	}
	add(AdviseTypes, slices.DeleteFunc(docid.SourceTypes(), func(t string) bool { return types[t] }))
}

// localChannel is the channel of the user's own folders.
const localChannel = "local"

// LocalOnly reports whether only the user's own folders answered. The source types, dates and languages of such a corpus
// are given, and the host cannot change them.
func (s *State) LocalOnly() bool {
	var answered []SearchOutcome
	for _, search := range s.Searches {
		answered = append(answered, keep(search.Channels, SearchOutcome.looked)...)
	}
	return len(answered) > 0 && !slices.ContainsFunc(answered, func(o SearchOutcome) bool { return o.Channel != localChannel })
}
