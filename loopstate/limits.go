package loopstate

import (
	"fmt"
)

// RoundCap returns how many rounds the loop may close: its budget, the rounds that the user confirmed beyond it, and the
// escalation from three rounds to five.
func (s *State) RoundCap() int {
	limit := s.Budget.Rounds
	if limit == EscalateAfterRound && s.Escalated {
		limit = EscalatedRounds
	}
	return max(limit, s.ConfirmedRounds)
}

// rubricsFailing reports whether more than 30 % of the rubrics fail after three closed rounds.
func (s *State) rubricsFailing() bool {
	return s.Round >= EscalateAfterRound && len(s.Rubrics) > 0 &&
		float64(len(s.Failures)) > EscalateFailureShare*float64(len(s.Rubrics))
}

// ElapsedSeconds returns the time from the loop's start to its last event.
// It is never negative, although clocks of machines differ.
func (s *State) ElapsedSeconds() int { return max(0, int(s.UpdatedAt.Sub(s.StartedAt).Seconds())) }

// Remaining returns the rest of the budget.
func (s *State) Remaining() Remaining {
	r := Remaining{Rounds: max(0, s.RoundCap()-s.Round), Tokens: max(0, s.Budget.Tokens-s.Usage.Tokens)}
	if s.Budget.CostUSD > 0 {
		left := max(0, s.Budget.CostUSD-s.Usage.CostUSD)
		r.CostUSD = &left
	}
	if s.Budget.LatencySeconds > 0 {
		left := max(0, s.Budget.LatencySeconds-s.ElapsedSeconds())
		r.LatencySeconds = &left
	}
	return r
}

// Estimate is the expected cost of a loop for a host.
type Estimate struct {
	Rounds  int `json:"rounds"`
	Calls   int `json:"calls"`
	Chars   int `json:"characters"`
	Minutes int `json:"minutes"`

	Range string `json:"range"` // what measured loops of this size took, with and without the review of citations
}

// Cost of a loop, between those of two measured loops of language models on one question over a manual: 28 calls and 144,000
// characters without a review of the citations, 112 calls and 477,000 characters with one (208,000 of them) and many small
// calls.
const (
	callsPerRound = 12
	charsPerRound = 50_000
	otherCalls    = 24
	otherChars    = 150_000
	// secondsPerCall is assumed: a model's turn and the call together.
	secondsPerCall = 15
)

// usualRounds returns how many rounds a loop usually takes. The limit of its complexity is higher.
func usualRounds(complexity string) int {
	switch complexity {
	case "simple":
		return 2
	case "complex":
		return 5
	case "breaking":
		return 7
	}
	return 3
}

// Estimate returns what the loop will probably cost.
func (s *State) Estimate() Estimate {
	rounds := min(usualRounds(s.Complexity), s.RoundCap())
	calls := otherCalls + rounds*callsPerRound
	chars := otherChars + rounds*charsPerRound
	return Estimate{Rounds: rounds, Calls: calls, Chars: chars, Minutes: (calls*secondsPerCall + 59) / 60,
		Range: fmt.Sprintf("%d to %d calls and %d,000 to %d,000 characters of answers, by how much is read and whether citations are reviewed", calls/2, 2*calls, chars/2_000, chars*5/3_000)}
}
