package loopstate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Tried summarizes the searches for a gap. It distinguishes "nothing found" from "could not search".
type Tried struct {
	Queries  []string       `json:"queries"`  // the first maxTriedQueries, each once, in order
	Channels []string       `json:"channels"` // each once, in order
	Asked    int            `json:"asked"`    // number of queries to a channel
	Outcomes map[string]int `json:"outcomes"` // by status
}

// looked are the statuses of a channel that could search.
var looked = []string{"ok", "empty", "degraded", "reported"}

// Looked reports whether any channel could search.
func (t Tried) Looked() bool {
	return slices.ContainsFunc(looked, func(status string) bool { return t.Outcomes[status] > 0 })
}

// Looked reports whether any channel could search.
func (s Search) Looked() bool {
	return slices.ContainsFunc(s.Channels, func(o SearchOutcome) bool { return slices.Contains(looked, o.Status) })
}

// String returns a line such as "searched 4 channels 7 times: 5 empty, 2 blocked".
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
	s := "searched " + plural(len(t.Channels), "1 channel", "%d channels") + " " + plural(t.Asked, "1 time", "%d times") + ": " + strings.Join(parts, ", ")
	if !t.Looked() {
		s += "; no channel could search, so sources may still exist"
	}
	return s
}

// maxTriedQueries bounds the queries of one gap; the search log has all.
const maxTriedQueries = 50

// Tried summarizes the search log by gap id. Gaps without a search are missing.
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

// SourceTypesFor returns the source types that the gap of a search with this query needs.
func (s *State) SourceTypesFor(query string) []string {
	g, ok := s.GapByID(s.gapSearched(query))
	if !ok {
		return nil
	}
	return slices.Clone(g.SourceTypes)
}

// gapSearched returns the id of the gap that a search is for: the gap with this text or query, else the current target. It
// is "" if no material gap is open.
func (s *State) gapSearched(query string) string {
	if i, ok := s.index.gapQuery[foldText(query)]; ok && query != "" {
		return s.Gaps[i].ID
	}
	if g, ok := s.Target(); ok {
		return g.ID
	}
	return ""
}
