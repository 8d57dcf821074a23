package loopstate

import (
	"cmp"
	"math"
	"time"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// StartInput is a host's request to start a loop. All fields are optional.
type StartInput struct {
	Query      string      `json:"query"`
	Rubrics    []string    `json:"rubrics"`
	Gaps       []GapInput  `json:"gaps"`
	Dimensions []Dimension `json:"dimensions"`
	Entity     *Entity     `json:"entity"`
	Complexity string      `json:"complexity"`
	Budget     BudgetInput `json:"budget"`
	AsOf       string      `json:"as_of"`              // YYYY-MM-DD; today when empty
	Complete   *float64    `json:"coverage_threshold"` // the coverage at which the question counts as answered; nil for DefaultComplete
}

var isoDate = lazyregexp.New(`^\d{4}-\d{2}-\d{2}$`)

// Start is the first step of a loop. today is the default of AsOf.
func Start(in StartInput, owner string, today time.Time) (Started, error) {
	var c checks
	p := Started{Owner: owner, AsOf: in.AsOf, Complete: DefaultComplete}
	p.Query = c.optional("query", in.Query, MaxTextChars)
	p.Rubrics = c.texts("rubrics", in.Rubrics)
	p.Complexity = c.word("complexity", in.Complexity, Complexities(), "moderate")
	p.Budget = in.Budget.check(&c, p.Complexity)
	if p.AsOf == "" {
		p.AsOf = today.UTC().Format(time.DateOnly)
	} else if _, err := time.Parse(time.DateOnly, p.AsOf); err != nil || !isoDate.MatchString(p.AsOf) {
		c.fail(&Error{Code: CodeNotDate, Subject: "date", Value: Shorten(p.AsOf, 40)})
	}
	if in.Complete != nil {
		p.Complete = *in.Complete
		c.number("complete from", p.Complete, math.SmallestNonzeroFloat64, 1)
	}
	p.Dimensions = make([]Dimension, 0, len(in.Dimensions))
	for name, d := range listed(&c, "dimensions", in.Dimensions) {
		p.Dimensions = append(p.Dimensions, Dimension{Dimension: c.text(name+".name", d.Dimension, MaxTextChars),
			Priority: c.word(name+".priority", d.Priority, []string{"high", "medium", "low"}, "medium")})
	}
	if e := in.Entity; e != nil {
		p.Entity = &Entity{Name: c.text("entity.name", e.Name, MaxTextChars), Aliases: c.texts("entity.aliases", e.Aliases),
			OfficialDomains: c.texts("entity.domains", e.OfficialDomains)}
	}
	p.Gaps, _ = (&State{}).mintGaps(&c, "gaps", in.Gaps)
	return p, c.err
}

// Budget limits what a loop may spend. Zero means no limit.
type Budget struct {
	Rounds         int     `json:"rounds"`
	CostUSD        float64 `json:"cost_usd,omitempty"`
	LatencySeconds int     `json:"latency_seconds,omitempty"` // from the start to the last call
	Tokens         int     `json:"tokens"`
}

// Remaining is the rest of a budget. Limits that are not set are nil.
type Remaining struct {
	Rounds         int      `json:"rounds"`                    // rounds that may still be closed
	CostUSD        *float64 `json:"cost_usd,omitempty"`        // absent when no limit was set
	LatencySeconds *int     `json:"latency_seconds,omitempty"` // absent when no limit was set
	Tokens         int      `json:"tokens"`
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

// Complexities, each with its round limit.
func Complexities() []string { return []string{"simple", "moderate", "complex", "breaking"} }

// RoundsFor returns the round limit of a complexity; the default is moderate.
func RoundsFor(complexity string) int {
	return cmp.Or(map[string]int{"simple": 3, "complex": 10, "breaking": 15}[complexity], 5)
}

// Limits of the input, far above real budgets.
const (
	maxAmount = 1e12
	maxCost   = 1e9
)

// BudgetInput is a budget from a host; nil fields take their default.
type BudgetInput struct {
	Rounds         *int     `json:"rounds"`
	CostUSD        *float64 `json:"cost_usd"`
	LatencySeconds *int     `json:"latency_seconds"`
	Tokens         *int     `json:"tokens"`
}

func (in BudgetInput) check(c *checks, complexity string) Budget {
	b := Budget{Rounds: RoundsFor(complexity), Tokens: DefaultTokens}
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
		c.number(subject, float64(*given), math.SmallestNonzeroFloat64, maxAmount)
	}
}

func (u Usage) check(c *checks) Usage {
	c.number("usage.cost", u.CostUSD, 0, maxCost)
	c.number("usage.tokens", float64(u.Tokens), 0, maxAmount)
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
func (s *State) Remaining() Remaining {
	return Remaining{Rounds: max(0, s.RoundCap()-s.Round), Tokens: max(0, s.Budget.Tokens-s.Usage.Tokens),
		CostUSD:        rest(s.Budget.CostUSD, s.Usage.CostUSD),
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
