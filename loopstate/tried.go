package loopstate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/query"
)

// Tried summarizes the searches for a gap. It distinguishes "nothing found" from "could not search".
type Tried struct {
	Queries  []string       `json:"queries"`  // the first maxTriedQueries, each once, in order
	Channels []string       `json:"channels"` // each once, in order
	Asked    int            `json:"asked"`    // number of queries to a channel
	Outcomes map[string]int `json:"outcomes"` // by status
}

// Looked reports whether any channel could search.
func (t Tried) Looked() bool {
	return slices.ContainsFunc(looked, func(status string) bool { return t.Outcomes[status] > 0 })
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
	s := "searched " + plural(len(t.Channels), "1 channel", "%d channels") + " " + plural(t.Asked, "1 time", "%d times") + ": " +
		strings.Join(parts, ", ")
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

// searchedThisRound reports whether the search log has this query in the open round. A host that then reports the same
// hits has not searched twice.
func (s *State) searchedThisRound(query string) bool {
	return s.index.searched[foldText(query)] == s.Round+1
}

// SeenBy reports whether a searcher of this angle has seen the hit: it was found in an earlier round, or in this one by the
// same angle. Searchers of one round do not see each other's hits. A searcher without an angle sees all hits.
func (s *State) SeenBy(e Evidence, angle string) bool {
	id, seen := s.SeenEvidence(e)
	if !seen || angle == "" {
		return seen
	}
	have := s.Evidence[s.index.evidenceID[id]]
	return have.Round <= s.Round || have.Angle == angle
}

// maxURLsToFetch is about one round of reading.
const maxURLsToFetch = 5

// UnreadURLs returns the hits to read next, at most five. It omits hits that share no word with the topic, unless all do.
func (s *State) UnreadURLs() []string {
	urls := []string{}
	ranked := s.rankedUnread()
	for _, h := range ranked[:min(len(ranked), maxURLsToFetch)] {
		if h.relevance == 0 && ranked[0].relevance > 0 {
			break
		}
		urls = append(urls, s.Evidence[h.position].URL)
	}
	return urls
}

// maxUnreadLooked bounds how many unread hits are ranked, newest first.
const maxUnreadLooked = 200

// UnreadEvidence returns up to n hits whose address was neither read nor bad, by relevance to the target gap, or to the
// question if no gap is open.
func (s *State) UnreadEvidence(n int) []Evidence {
	ranked := s.rankedUnread()
	out := make([]Evidence, 0, min(n, len(ranked)))
	for _, r := range ranked[:min(n, len(ranked))] {
		out = append(out, s.Evidence[r.position])
	}
	return out
}

// rankedHit is an unread hit with its relevance; 0 means that it shares no word with the topic.
type rankedHit struct {
	position  int
	relevance float64
}

// rankedUnread returns the newest unread hits, most relevant first, then best ranked by its channel, then newest.
func (s *State) rankedUnread() []rankedHit {
	unread := s.index.unread[max(0, len(s.index.unread)-maxUnreadLooked):]
	hits := make([]rankedHit, len(unread))
	for i, position := range unread {
		hits[i] = rankedHit{position: position}
	}
	topic := s.subject()
	if g, ok := s.Target(); ok {
		topic = g.Query + " " + g.Gap
	}
	words := make([]query.Hit, len(unread))
	for i, position := range unread {
		words[i] = s.index.hits[position]
	}
	for i, relevance := range query.TopicOf(topic).Rank(words) {
		hits[i].relevance = relevance
	}
	slices.SortStableFunc(hits, func(a, b rankedHit) int {
		return cmp.Or(cmp.Compare(b.relevance, a.relevance), cmp.Compare(s.Evidence[b.position].Score, s.Evidence[a.position].Score),
			cmp.Compare(s.Evidence[b.position].Round, s.Evidence[a.position].Round))
	})
	return hits
}
