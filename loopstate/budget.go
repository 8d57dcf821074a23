package loopstate

import "math"

// Budget is what a loop may spend. A limit of zero is not set.
type Budget struct {
	Rounds         int     `json:"rounds"`
	CostUSD        float64 `json:"cost_usd,omitempty"`
	LatencySeconds int     `json:"latency_seconds,omitempty"` // from the start to the last call
	Tokens         int     `json:"tokens"`
}

// Remaining is what is left of a budget. Limits that were not set are left out.
type Remaining struct {
	Rounds         int      `json:"rounds" jsonschema:"rounds that may still be closed"`
	CostUSD        *float64 `json:"cost_usd,omitempty" jsonschema:"absent when no limit was set"`
	LatencySeconds *int     `json:"latency_seconds,omitempty" jsonschema:"absent when no limit was set"`
	Tokens         int      `json:"tokens"`
}

// Usage is what a host reports to have spent. citeloop cannot see the host's model, so it counts what it
// is told.
type Usage struct {
	CostUSD float64 `json:"cost_usd"`
	Tokens  int     `json:"tokens"`
}

const (
	// DefaultTokens is research-synthesis-loop's budget.
	DefaultTokens = 250_000
	// ConfirmBeyondRounds: never more without the user's confirmation (Autosearch, "Cost Discipline").
	ConfirmBeyondRounds = 8
	// EscalatedRounds instead of three, when more than EscalateFailureShare of the rubrics fail after
	// round EscalateAfterRound (Autosearch, "Cost Discipline").
	EscalatedRounds      = 5
	EscalateAfterRound   = 3
	EscalateFailureShare = 0.30
)

// Complexities, with the rounds each may take (NEURON's ITERATION_LIMITS).
func Complexities() []string { return []string{"simple", "moderate", "complex", "breaking"} }

// RoundsFor is the round limit of a complexity; the default is moderate.
func RoundsFor(complexity string) int {
	switch complexity {
	case "simple":
		return 3
	case "complex":
		return 10
	case "breaking":
		return 15
	}
	return 5
}

// More than anybody has or spends.
const (
	maxAmount = 1e12
	maxCost   = 1e9
)

// BudgetInput is a budget as a host names it: what is nil takes its default.
type BudgetInput struct {
	Rounds         *int
	CostUSD        *float64
	LatencySeconds *int
	Tokens         *int
}

func (in BudgetInput) check(complexity string) (Budget, error) {
	b := Budget{Rounds: RoundsFor(complexity), Tokens: DefaultTokens}
	positive := func(name string, v float64) error {
		return CheckRange("budget."+name, v, math.SmallestNonzeroFloat64, maxAmount)
	}
	if in.Rounds != nil {
		if err := positive("rounds", float64(*in.Rounds)); err != nil {
			return b, err
		}
		b.Rounds = *in.Rounds
	}
	if in.CostUSD != nil {
		if err := positive("cost", *in.CostUSD); err != nil {
			return b, err
		}
		b.CostUSD = *in.CostUSD
	}
	if in.LatencySeconds != nil {
		if err := positive("seconds", float64(*in.LatencySeconds)); err != nil {
			return b, err
		}
		b.LatencySeconds = *in.LatencySeconds
	}
	if in.Tokens != nil {
		if err := positive("tokens", float64(*in.Tokens)); err != nil {
			return b, err
		}
		b.Tokens = *in.Tokens
	}
	return b, nil
}

// RoundCap is the number of rounds this loop may close as things stand: its budget, what the user
// confirmed beyond it, and Autosearch's escalation from three rounds to five.
func (s *State) RoundCap() int {
	limit := s.Budget.Rounds
	if limit == EscalateAfterRound && s.Escalated {
		limit = EscalatedRounds
	}
	return max(limit, s.ConfirmedRounds)
}

// escalate grants the two rounds more once the rubrics fail after round three; mending them in round four does
// not take the fifth away.
func (s *State) escalate() {
	s.Escalated = s.Escalated || s.rubricsFailing()
}

// rubricsFailing reports whether more than 30 % of the rubrics fail, once three rounds are closed.
func (s *State) rubricsFailing() bool {
	return s.Round >= EscalateAfterRound && len(s.Rubrics) > 0 &&
		float64(len(s.Failures)) > EscalateFailureShare*float64(len(s.Rubrics))
}

// ElapsedSeconds is the time from the loop's start to its last event.
// Clocks of two machines may differ; time never runs backwards here.
func (s *State) ElapsedSeconds() int { return max(0, int(s.UpdatedAt.Sub(s.StartedAt).Seconds())) }

// Remaining is what is left of the budget.
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

func (u Usage) check() error {
	if err := CheckRange("usage.cost", u.CostUSD, 0, maxCost); err != nil {
		return err
	}
	return CheckRange("usage.tokens", float64(u.Tokens), 0, maxAmount)
}
