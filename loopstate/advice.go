package loopstate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Codes of [Advice].
const (
	AdviseAngles      = "angles"      // Of: angles that nobody searched
	AdviseRecent      = "recent"      // Of: the first day since which nothing was searched for or found
	AdviseTypes       = "types"       // Of: kinds of source that no hit has
	AdviseLanguages   = "languages"   // Of: languages that nobody searched in
	AdviseCheck       = "check"       // Of: claims that were never verified
	AdviseUnsupported = "unsupported" // Of: claims that no cited text supports
	AdviseOneSource   = "one_source"  // Of: claims that rest on one weak source
	AdviseReview      = "review"      // N: sentences that nobody has read beside the sources
	AdviseCritic      = "critic"      // the text is there, and nobody else is recorded to have read it
	AdviseCoverage    = "coverage"    // the host's coverage is below the loop's threshold
	AdviseSplit       = "split"       // the same gaps stay open although sources are found
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
	var unchecked, unsupported []string
	for _, c := range s.CurrentClaims() {
		switch {
		case c.Check == nil:
			unchecked = append(unchecked, c.ID)
		case c.Check.Status == Unsupported:
			unsupported = append(unsupported, c.ID)
		}
	}
	add(AdviseCheck, unchecked)
	add(AdviseUnsupported, unsupported)
	if len(s.Searches) > 0 && (!s.LocalOnly() || s.Origins() > 1) { // a corpus of one origin has no second source
		add(AdviseOneSource, each(s.OneSourceClaims(), func(c Claim) string { return c.ID }))
	}
	if n := len(s.PendingReviews()); n > 0 {
		out = append(out, Advice{Code: AdviseReview, N: n})
	}
	if s.Draft != nil && s.Complexity != "simple" && !slices.ContainsFunc(s.Gaps, func(g Gap) bool { return g.Where != "" }) {
		out = append(out, Advice{Code: AdviseCritic, N: 1})
	}
	if s.Coverage != nil && s.Coverage.Overall < s.Complete {
		out = append(out, Advice{Code: AdviseCoverage, N: 1})
	}
	if s.SameGaps >= 2 {
		out = append(out, Advice{Code: AdviseSplit, N: len(s.MaterialGaps())})
	}
	return out
}

func (s *State) adviseSearches(add func(code string, of []string)) {
	local := s.LocalOnly()
	angles, languages, recent := s.swept()
	var missing []string
	for _, a := range Angles() {
		given := a.Angle == "byTimeWindow" || a.Angle == "bySourceType" || a.Angle == "byEntity" && s.Entity == nil
		if !angles[a.Angle] && !(local && given) {
			missing = append(missing, a.Angle)
		}
	}
	add(AdviseAngles, missing)
	if !local {
		if since := RecentSince(s.AsOf); since != "" && !recent {
			add(AdviseRecent, []string{since})
		}
		add(AdviseTypes, s.missingTypes())
	}
	if own := words.Script(s.Query); own != "" { // unknown for an alphabet that many languages share
		add(AdviseLanguages, slices.DeleteFunc([]string{own, "en"}, func(l string) bool { return languages[l] }))
	}
}

// localChannel is the channel of the user's own folders.
const localChannel = "local"

// LocalOnly reports whether only the user's own folders answered. The source types, dates and languages of such a corpus
// are given, and the host cannot change them.
func (s *State) LocalOnly() bool {
	answered := false
	for _, search := range s.Searches {
		for _, o := range search.Channels {
			if !slices.Contains(looked, o.Status) {
				continue
			}
			if o.Channel != localChannel {
				return false
			}
			answered = true
		}
	}
	return answered
}

// missingTypes returns the source types that no hit and no source has.
func (s *State) missingTypes() []string {
	found := map[string]bool{}
	for i := range s.Evidence {
		found[s.Evidence[i].SourceType] = true
	}
	for i := range s.Sources {
		found[s.Sources[i].SourceType] = true
	}
	return slices.DeleteFunc(docid.SourceTypes(), func(t string) bool { return found[t] })
}

// swept returns from the search log which angles and languages were searched, and whether a search asked for or found
// sources of the last 18 months.
func (s *State) swept() (angles, languages map[string]bool, recent bool) {
	angles, languages = map[string]bool{}, map[string]bool{}
	since := RecentSince(s.AsOf)
	for _, search := range s.Searches {
		if !search.Looked() { // blocked searches do not count
			continue
		}
		angles[search.Angle] = true
		languages[cmp.Or(words.Script(search.Query), "en")] = true // a shared alphabet: differs from a language with its own script
		if tag, _, _ := strings.Cut(strings.ToLower(search.Language), "-"); tag != "" {
			languages[tag] = true
		}
		recent = recent || search.Angle == "byTimeWindow" || search.Since != "" && onOrAfter(search.Since, since)
	}
	for i := 0; i < len(s.Evidence) && !recent; i++ {
		recent = onOrAfter(s.Evidence[i].PublishedAt, since)
	}
	for i := 0; i < len(s.Sources) && !recent; i++ {
		recent = onOrAfter(s.Sources[i].PublishedAt, since)
	}
	return angles, languages, recent
}
