package loopstate

import "math"

// Budget limits what a loop may spend. Zero means no limit.
type Budget struct {
	Rounds         int     `json:"rounds"`
	CostUSD        float64 `json:"cost_usd,omitempty"`
	LatencySeconds int     `json:"latency_seconds,omitempty"` // from the start to the last call
	Tokens         int     `json:"tokens"`
}

// Amounts are what a host asks for, where nil takes the default, or the rest of a budget, where nil has no limit.
type Amounts struct {
	Rounds         *int     `json:"rounds"`
	CostUSD        *float64 `json:"cost_usd,omitempty"`
	LatencySeconds *int     `json:"latency_seconds,omitempty"`
	Tokens         *int     `json:"tokens"`
}

// Usage is the spending that a host reports. citeloop cannot measure the host's model.
type Usage struct {
	CostUSD float64 `json:"cost_usd"`
	Tokens  int     `json:"tokens"`
}

const (
	// DefaultTokens is the default token budget.
	DefaultTokens = 250_000
	// ConfirmBeyondRounds is the number of rounds beyond which the user must confirm.
	ConfirmBeyondRounds = 8
	// EscalatedRounds replaces the limit of three rounds if more than EscalateFailureShare of the rubrics fail after round
	// EscalateAfterRound.
	EscalatedRounds      = 5
	EscalateAfterRound   = 3
	EscalateFailureShare = 0.30
)

// Complexities lists all complexities.
func Complexities() []string { return []string{"simple", "moderate", "complex", "breaking"} }

// maxAmount bounds the input, far above real budgets.
const maxAmount = 1e12

// budget checks what a host asks for. The limit of rounds depends on the complexity.
func (in Amounts) budget(c *checks, complexity string) Budget {
	rounds := map[string]int{"simple": 3, "moderate": 5, "complex": 10, "breaking": 15}
	b := Budget{Rounds: rounds[complexity], Tokens: DefaultTokens}
	take(c, &b.Rounds, in.Rounds, "budget.rounds")
	take(c, &b.CostUSD, in.CostUSD, "budget.cost")
	take(c, &b.LatencySeconds, in.LatencySeconds, "budget.seconds")
	take(c, &b.Tokens, in.Tokens, "budget.tokens")
	return b
}

// take sets an amount to the given one, if there is one. It must be above 0.
func take[N int | float64](c *checks, amount, given *N, subject string) {
	if given != nil {
		*amount = *given
		c.fail(CheckRange(subject, float64(*given), math.SmallestNonzeroFloat64, maxAmount))
	}
}

func (u Usage) check(c *checks) Usage {
	c.fail(CheckRange("usage.cost", u.CostUSD, 0, maxAmount))
	c.fail(CheckRange("usage.tokens", float64(u.Tokens), 0, maxAmount))
	return u
}

func (u *Usage) add(more Usage) { u.CostUSD, u.Tokens = u.CostUSD+more.CostUSD, u.Tokens+more.Tokens }

// spend folds usage.
func (s *State) spend(u Usage) {
	s.Usage.add(u)
	s.Open.Usage.add(u)
}

// RoundCap returns how many rounds the loop may close: its budget, the rounds that the user confirmed beyond it, and the
// escalation from three rounds to five.
func (s *State) RoundCap() int {
	if s.Budget.Rounds == EscalateAfterRound && s.Escalated {
		return max(EscalatedRounds, s.ConfirmedRounds)
	}
	return max(s.Budget.Rounds, s.ConfirmedRounds)
}

// escalate grants two more rounds if rubrics fail after round three. Fixing them in round four does not revoke the fifth.
func (s *State) escalate() {
	share := EscalateFailureShare * float64(len(s.Rubrics))
	s.Escalated = s.Escalated || s.Round >= EscalateAfterRound && share > 0 && float64(len(s.Failures)) > share
}

// ElapsedSeconds returns the time from the loop's start to its last event.
// It is never negative, although clocks of machines differ.
func (s *State) ElapsedSeconds() int { return max(0, int(s.UpdatedAt.Sub(s.StartedAt).Seconds())) }

// Remaining returns the rest of the budget.
func (s *State) Remaining() Amounts {
	rounds, tokens := max(0, s.RoundCap()-s.Round), max(0, s.Budget.Tokens-s.Usage.Tokens)
	return Amounts{Rounds: &rounds, Tokens: &tokens, CostUSD: rest(s.Budget.CostUSD, s.Usage.CostUSD),
		LatencySeconds: rest(s.Budget.LatencySeconds, s.ElapsedSeconds())}
}

// rest returns what is left of a limit, or nil without one.
func rest[N int | float64](limit, spent N) *N {
	if limit <= 0 {
		return nil
	}
	left := max(0, limit-spent)
	return &left
}
