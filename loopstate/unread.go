package loopstate

import (
	"cmp"
	"slices"

	"github.com/citeloop/citeloop/internal/text/query"
)

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
	relevance := query.TopicOf(topic).Rank(len(hits), func(i int) (title, snippet string) {
		e := s.Evidence[hits[i].position]
		return e.Title, e.Snippet
	})
	for i := range hits {
		hits[i].relevance = relevance[i]
	}
	slices.SortStableFunc(hits, func(a, b rankedHit) int {
		return cmp.Or(cmp.Compare(b.relevance, a.relevance), cmp.Compare(s.Evidence[b.position].Score, s.Evidence[a.position].Score),
			cmp.Compare(s.Evidence[b.position].Round, s.Evidence[a.position].Round))
	})
	return hits
}
