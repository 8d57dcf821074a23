package loopstate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/internal/text/query"
)

// NotTried says that a gap was not searched for, in place of [State.Tried].
const NotTried = "not searched for yet"

// Tried returns how each gap was searched for, by gap id: "searched 4 channels 7 times: 5 empty, 2 blocked". It distinguishes
// "nothing found" from "could not search". Gaps without a search are missing.
func (s *State) Tried() map[string]string {
	outcomes := map[string][]SearchOutcome{}
	for _, search := range s.Searches {
		if search.Gap != "" {
			outcomes[search.Gap] = append(outcomes[search.Gap], search.Channels...)
		}
	}
	all := map[string]string{}
	for gap, of := range outcomes {
		all[gap] = triedBy(of)
	}
	return all
}

func triedBy(outcomes []SearchOutcome) string {
	channels, counts := map[string]bool{}, map[string]int{}
	for _, o := range outcomes {
		channels[o.Channel] = true
		counts[o.Status]++
	}
	statuses := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(statuses, func(a, b string) int { return counts[b] - counts[a] })
	parts := each(statuses, func(status string) string { return fmt.Sprintf("%d %s", counts[status], status) })
	says := fmt.Sprintf("searched %s %s: %s", english.Plural(len(channels), "channel", ""), english.Plural(len(outcomes), "time", ""),
		strings.Join(parts, ", "))
	if !slices.ContainsFunc(outcomes, SearchOutcome.looked) {
		says += "; no channel could search, so sources may still exist"
	}
	return says
}

// SourceTypesFor returns the source types that the gap of a search with this query needs.
func (s *State) SourceTypesFor(query string) []string {
	g, _ := s.GapByID(s.gapSearched(query))
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

// SeenBy reports whether a searcher of this angle has seen the hit: it was found in an earlier round, or in this one by the
// same angle. Searchers of one round do not see each other's hits. A searcher without an angle sees all hits.
func (s *State) SeenBy(e Evidence, angle string) bool {
	have, seen := s.Seen(e)
	return seen && (angle == "" || have.Round <= s.Round || have.Angle == angle)
}

// Unread returns up to n hits whose address was neither read nor bad, by relevance to the target gap, or to the question if no gap is
// open. It omits hits that share no word with that, unless all do.
func (s *State) Unread(n int) (hits []Evidence) {
	ranked, relevance := s.rankedUnread()
	for _, position := range ranked[:min(n, len(ranked))] {
		if relevance[position] > 0 || relevance[ranked[0]] == 0 {
			hits = append(hits, s.Evidence[position])
		}
	}
	return hits
}

// maxUnreadLooked bounds how many unread hits are ranked, newest first.
const maxUnreadLooked = 200

// rankedUnread returns the positions of the newest unread hits, most relevant first, then best ranked by its channel, then newest,
// and the relevance at each: 0 if the hit shares no word with the topic.
func (s *State) rankedUnread() (ranked []int, relevance map[int]float64) {
	ranked = slices.Clone(s.index.unread[max(0, len(s.index.unread)-maxUnreadLooked):])
	topic := s.subject()
	if g, ok := s.Target(); ok {
		topic = g.Query + " " + g.Gap
	}
	relevance = make(map[int]float64, len(ranked))
	for i, r := range query.Rank(topic, each(ranked, func(position int) query.Hit { return s.index.hits[position] })) {
		relevance[ranked[i]] = r
	}
	slices.SortStableFunc(ranked, func(a, b int) int {
		one, other := &s.Evidence[a], &s.Evidence[b]
		return cmp.Or(cmp.Compare(relevance[b], relevance[a]), cmp.Compare(other.Score, one.Score), cmp.Compare(other.Round, one.Round))
	})
	return ranked, relevance
}
