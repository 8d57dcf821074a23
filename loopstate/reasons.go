package loopstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/query"
)

// continueLoop continues the loop: it reads the hits of this round, or searches for the target gap. Unread hits of earlier rounds
// are listed with the search.
func (s *State) continueLoop(because string) Decision {
	if s.foundUnread() {
		return Decision{NextAction: FetchMore, Because: because, NextURLsToFetch: unranked}
	}
	return Decision{NextAction: SearchMore, NextQueries: s.queries(), Because: because, NextURLsToFetch: unranked}
}

// maxDebtQueries bounds how many queries of debts a decision offers.
const maxDebtQueries = 3

// foundUnread reports whether hits wait to be read, and the open round has searches or hits, but no reads.
func (s *State) foundUnread() bool {
	return len(s.index.unread) > 0 && s.Open.Sources == 0 && (s.Open.Searches > 0 || s.Open.Evidence > 0)
}

// queries returns what to search for next: the target gap's query, else the queries of debts, else the question.
func (s *State) queries() []string {
	if g, ok := s.Target(); ok {
		return []string{s.queryFor(g)}
	}
	var owed []string
	for _, g := range s.Gaps {
		if q := s.queryFor(g); g.Debt != "" && g.Status == GapOpen && len(owed) < maxDebtQueries && !slices.Contains(owed, q) {
			owed = append(owed, q)
		}
	}
	if len(owed) > 0 {
		return owed
	}
	if s.Query == "" {
		return nil
	}
	if len(strings.Fields(s.Query)) > maxQuestionWords {
		return nil
	}
	return []string{query.Of(s.Query)}
}

// maxQuestionWords is how long a question is of which the first content words still say what it asks (chosen: three sentences). The host
// words the searches of a longer one.
const maxQuestionWords = 60

// maxURLsToFetch is about one round of reading.
const maxURLsToFetch = 5

// unreadURLs returns the hits to read next. It omits hits that share no word with the topic, unless all do.
func (s *State) unreadURLs() []string {
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

// stop ends the loop and counts the gaps that stay open.
func (s *State) stop(reason, because string) Decision {
	if open := s.MaterialGaps(); len(open) > 0 {
		because += plural(len(open), " 1 material gap stays open; write each into the report as an open question with why.", " %d material gaps stay open; write each into the report as an open question with why.")
	}
	return Decision{NextAction: Finalize, StopReason: reason, Because: because + s.criticWords()}
}

// pendingWords counts the pending reviews when the loop ends. A draft that was only checked is not of the loop.
func (s *State) pendingWords() string {
	own := *s
	own.Scratch = nil
	n := len(own.PendingReviews())
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" Signed off although nobody has read %s beside the sources.", plural(n, "1 sentence", "%d sentences"))
}

// blindWords counts the searches since a round in which no channel could search, so that their results are unknown.
func (s *State) blindWords(since int) string {
	all, blind := 0, 0
	for i := len(s.Searches) - 1; i >= 0 && s.Searches[i].Round >= since; i-- {
		all++
		if !s.Searches[i].Looked() {
			blind++
		}
	}
	if blind == 0 {
		return ""
	}
	return fmt.Sprintf(" Of %s in them, %d could not search (blocked, unavailable, refused), so sources may still exist; try another channel, or try again later.", plural(all, "1 search", "%d searches"), blind)
}

// claimWords counts the unverified and the unsupported claims. It does not affect the decision, because the report checks
// the claims.
func (s *State) claimWords() string {
	unchecked, unsupported := 0, 0
	for _, c := range s.CurrentClaims() {
		switch {
		case c.Check == nil:
			unchecked++
		case c.Check.Status == Unsupported:
			unsupported++
		}
	}
	words := ""
	if unchecked > 0 {
		words += plural(unchecked, " 1 claim was never verified: verify before the report.", " %d claims were never verified: verify before the report.")
	}
	if unsupported > 0 {
		words += plural(unsupported, " 1 claim is unsupported: fix or retract what no cited text supports, or say so in the text.", " %d claims are unsupported: fix or retract what no cited text supports, or say so in the text.")
	}
	return words
}

// coverageWords compares the host's coverage with the loop's threshold. It does not affect the decision: coverage is an
// estimate.
func (s *State) coverageWords() string {
	if s.Coverage == nil || s.Coverage.Overall >= s.Complete {
		return ""
	}
	return fmt.Sprintf(" The assistant's coverage is %.2f, below the %.2f from which this loop counts as complete: say what is thin, or name it as a gap.", s.Coverage.Overall, s.Complete)
}

// unseenWords estimates how many sources are not found yet. It does not affect the decision.
func (s *State) unseenWords() string {
	if u, ok := s.Unseen(); ok {
		return " " + u.String()
	}
	return ""
}

// criticWords says what a loop that ends all the same lacks, such as one that has reached a limit.
func (s *State) criticWords() string {
	if !s.LacksCritic() {
		return ""
	}
	return " No critic has read the text: have one who has not written it read the draft before the report, or the report says that nobody did."
}

// unansweredWords names the points without an answer.
func (s *State) unansweredWords() string {
	points := s.UnansweredPoints()
	if len(points) == 0 {
		return ""
	}
	ids := make([]string, len(points))
	for i, p := range points {
		ids[i] = p.ID
	}
	return fmt.Sprintf(" Points of the critic without an answer: %s.", strings.Join(ids, ", "))
}
