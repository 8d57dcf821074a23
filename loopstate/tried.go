package loopstate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Tried says how a gap was searched for and what came of it, so that "it does not exist" is never said of
// "nobody could look".
type Tried struct {
	Queries  []string       `json:"queries"`  // the first maxTriedQueries, each once, in the order they were asked
	Channels []string       `json:"channels"` // each once, in the order they were first asked
	Asked    int            `json:"asked"`    // how often a channel was asked
	Outcomes map[string]int `json:"outcomes"` // by status
}

// Statuses of a search outcome that say that the channel looked. Any other says that it could not.
var looked = []string{"ok", "empty", "degraded", "reported"}

// Looked reports whether any channel was able to look.
func (t Tried) Looked() bool {
	return slices.ContainsFunc(looked, func(status string) bool { return t.Outcomes[status] > 0 })
}

// Looked reports whether any channel was able to look.
func (s Search) Looked() bool {
	return slices.ContainsFunc(s.Channels, func(o SearchOutcome) bool { return slices.Contains(looked, o.Status) })
}

// String says it in a line: "searched 4 channels 7 times: 5 empty, 2 blocked".
func (t Tried) String() string {
	if t.Asked == 0 {
		return "not searched for yet"
	}
	statuses := make([]string, 0, len(t.Outcomes))
	for status := range t.Outcomes {
		statuses = append(statuses, status)
	}
	slices.SortFunc(statuses, func(a, b string) int {
		return cmp.Or(cmp.Compare(t.Outcomes[b], t.Outcomes[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(statuses))
	for i, status := range statuses {
		parts[i] = fmt.Sprintf("%d %s", t.Outcomes[status], status)
	}
	s := fmt.Sprintf("searched %s %s: %s", plural(len(t.Channels), "channel", "channels"), plural(t.Asked, "time", "times"), strings.Join(parts, ", "))
	if !t.Looked() {
		s += "; no channel could look, so nothing says that it does not exist"
	}
	return s
}

// maxTriedQueries of one gap are remembered; the search log has them all.
const maxTriedQueries = 50

// Tried gathers for every gap that was searched for what the search log says of it, by gap id. A gap without
// an entry was not searched for.
func (s *State) Tried() map[string]Tried {
	all := map[string]Tried{}
	for _, search := range s.Searches {
		if search.Gap == "" {
			continue
		}
		t, ok := all[search.Gap]
		if !ok {
			t.Outcomes = map[string]int{}
		}
		if search.Query != "" && len(t.Queries) < maxTriedQueries && !slices.Contains(t.Queries, search.Query) {
			t.Queries = append(t.Queries, search.Query)
		}
		for _, o := range search.Channels {
			if !slices.Contains(t.Channels, o.Channel) {
				t.Channels = append(t.Channels, o.Channel)
			}
			t.Asked++
			t.Outcomes[o.Status]++
		}
		all[search.Gap] = t
	}
	return all
}

// SourceTypesFor are the kinds of source that the gap asks for which a search with this query would be made for.
func (s *State) SourceTypesFor(query string) []string {
	g, ok := s.GapByID(s.gapSearched(query))
	if !ok {
		return nil
	}
	return slices.Clone(g.SourceTypes)
}

// gapSearched is the gap that a search was made for: the one whose words or query it asks, else the target of
// that moment, since a round pursues one gap. It is "" when no material gap was open.
func (s *State) gapSearched(query string) string {
	if i, ok := s.index.gapQuery[foldText(query)]; ok && query != "" {
		return s.Gaps[i].ID
	}
	if g, ok := s.Target(); ok {
		return g.ID
	}
	return ""
}
