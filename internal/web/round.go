package web

import (
	"slices"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/loopstate"
)

// roundView summarises a round, running or closed.
type roundView struct {
	Round    int
	Running  bool
	Began    time.Time
	Searches int
	Sources  int
	Claims   int
	Opened   []string // ids of gaps
	Closed   []string
}

// roundOf returns the viewed round, or the running or last one if at is 0.
func roundOf(p loops.LoopDetail, at int) roundView {
	v := roundView{Round: at, Began: p.RoundBegan}
	switch {
	case at > 0 && at <= len(p.Rounds):
		v.Began = p.Rounds[at-1].StartedAt
	case p.Status == loopstate.StatusRunning:
		v.Round, v.Running = p.Closed+1, true
	case p.Closed == 0 || begun(p, p.Closed+1): // stopped in the middle of a round
		v.Round = p.Closed + 1
	default: // finished: show the last round
		v.Round = p.Closed
		if n := len(p.Rounds); n > 0 {
			v.Began = p.Rounds[n-1].StartedAt
		}
	}
	for _, s := range p.Searches {
		if s.Round == v.Round {
			v.Searches++
		}
	}
	for _, s := range p.Sources {
		if s.Round == v.Round {
			v.Sources++
		}
	}
	for _, c := range p.Claims {
		if c.Round == v.Round {
			v.Claims++
		}
	}
	for _, g := range p.Gaps {
		if g.OpenedRound == v.Round {
			v.Opened = append(v.Opened, g.ID)
		}
		if g.ClosedRound == v.Round && g.Status != loopstate.GapOpen {
			v.Closed = append(v.Closed, g.ID)
		}
	}
	return v
}

// begun reports whether a round has a search, a source or a claim.
func begun(p loops.LoopDetail, round int) bool {
	return slices.ContainsFunc(p.Searches, func(s loopstate.Search) bool { return s.Round == round }) ||
		slices.ContainsFunc(p.Sources, func(s loops.ViewedSource) bool { return s.Round == round }) ||
		slices.ContainsFunc(p.Claims, func(c loopstate.Claim) bool { return c.Round == round })
}

// maxNamed bounds the gaps of a round that are listed; the list of gaps marks all.
const maxNamed = 8

// Named returns the first ids of a list.
func (roundView) Named(ids []string) []string { return ids[:min(len(ids), maxNamed)] }

// Unnamed counts the ids that Named omits.
func (roundView) Unnamed(ids []string) int { return max(0, len(ids)-maxNamed) }

// budgetLine is one limit of a loop.
type budgetLine struct {
	Name     string
	Left, Of string
	Full     bool // the limit is reached
	Share    int  // percent spent
}

func budgetOf(p loops.LoopDetail) []budgetLine {
	left := p.Remaining
	out := []budgetLine{
		{"Rounds", style.FormatNumber(left.Rounds), style.FormatNumber(p.RoundCap), left.Rounds <= 0, spent(p.RoundCap-left.Rounds, p.RoundCap)},
		{"Tokens", style.FormatNumber(left.Tokens), style.FormatNumber(p.Budget.Tokens), left.Tokens <= 0, spent(p.Usage.Tokens, p.Budget.Tokens)},
	}
	if left.CostUSD != nil {
		out = append(out, budgetLine{"Cost", style.FormatDollars(*left.CostUSD), style.FormatDollars(p.Budget.CostUSD), *left.CostUSD <= 0, spent(int(1000*p.Usage.CostUSD), int(1000*p.Budget.CostUSD))})
	}
	if left.LatencySeconds != nil {
		all := p.Budget.LatencySeconds
		out = append(out, budgetLine{"Time", style.FormatDuration(time.Duration(*left.LatencySeconds) * time.Second), style.FormatDuration(time.Duration(all) * time.Second), *left.LatencySeconds <= 0, spent(all-*left.LatencySeconds, all)})
	}
	return out
}

func spent(part, all int) int {
	if all <= 0 {
		return 0
	}
	return min(100, max(0, 100*part/all))
}

// roundRow is a row of the rounds table.
type roundRow struct {
	loopstate.Round
	Took, Tokens, Cost string
	Then               string
	Notes              []string
}

func roundRows(rounds []loopstate.Round) []roundRow {
	out := make([]roundRow, len(rounds))
	for i, r := range rounds {
		row := roundRow{Round: r, Took: "–", Tokens: "–", Cost: "–", Then: actionWords(r.Decision.Action)}
		if r.TookMS > 0 {
			row.Took = style.FormatDuration(time.Duration(r.TookMS) * time.Millisecond)
		}
		if r.Usage.Tokens > 0 {
			row.Tokens = style.FormatNumber(r.Usage.Tokens)
		}
		if r.Usage.CostUSD > 0 {
			row.Cost = style.FormatDollars(r.Usage.CostUSD)
		}
		for _, g := range r.Guardrails {
			row.Notes = append(row.Notes, guardrailWords(g))
		}
		out[i] = row
	}
	return out
}
