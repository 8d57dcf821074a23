package research

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/internal/llm"
)

// ledger computes what may still be spent: the budget that the server reported last, less the usage since then. It stops
// conversations; the server decides whether the loop continues.
type ledger struct {
	prices Prices
	now    func() time.Time

	mu         sync.Mutex
	left       remaining
	deadline   time.Time // zero: no limit
	unreported llm.Usage
	total      llm.Usage // of this run
	reserve    int       // tokens for the text, in addition to the loop's budget
	reserveUSD float64   // the same in dollars
	writing    bool      // the reserve is released
	late       time.Duration
}

// meter counts the usage of one step, which is one conversation at a time.
type meter struct {
	ledger *ledger
	tokens llm.Usage
}

func (l *ledger) meter() *meter { return &meter{ledger: l} }

// add counts the usage of an answer.
func (m *meter) add(t llm.Usage) {
	m.tokens = m.tokens.Plus(t)
	m.ledger.mu.Lock()
	defer m.ledger.mu.Unlock()
	m.ledger.unreported, m.ledger.total = m.ledger.unreported.Plus(t), m.ledger.total.Plus(t)
}

// take returns the usage and resets it, so that it is reported once.
func (m *meter) take() llm.Usage {
	t := m.tokens
	m.tokens = llm.Usage{}
	return t
}

// reported records the server's answer to a usage report.
func (l *ledger) reported(t llm.Usage, left remaining) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unreported.Prompt -= t.Prompt
	l.unreported.Completion -= t.Completion
	if l.writing { // the server reports 0 now; the reserve is counted here
		l.reserve -= t.Total()
		l.reserveUSD -= l.prices.of(t)
		return
	}
	l.set(left)
}

// setLeft records the remaining budget.
func (l *ledger) setLeft(left remaining) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.set(left)
}

func (l *ledger) set(left remaining) {
	l.left = left
	if left.LatencySeconds != nil {
		l.deadline = l.now().Add(time.Duration(*left.LatencySeconds) * time.Second)
	}
}

// write releases the reserve and adds the rest of the budget to it.
func (l *ledger) write() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writing {
		return
	}
	l.writing = true
	l.reserve += l.left.Tokens
	if l.left.CostUSD != nil {
		l.reserveUSD += *l.left.CostUSD
	}
	if !l.deadline.IsZero() {
		l.deadline = l.deadline.Add(l.late)
	}
}

// spentBudget returns which budget is spent, or "" if another answer may be requested.
func (l *ledger) spentBudget() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	tokens, cost := l.left.Tokens, l.left.CostUSD
	if l.writing {
		tokens = l.reserve
		if cost != nil {
			cost = &l.reserveUSD
		}
	}
	switch {
	case tokens <= l.unreported.Total():
		return "the token budget is spent"
	case cost != nil && *cost <= l.prices.of(l.unreported):
		return "the cost budget is spent"
	case !l.deadline.IsZero() && !l.now().Before(l.deadline):
		return "the time budget is spent"
	}
	return ""
}

// within limits a context by the time budget.
func (l *ledger) within(ctx context.Context) (context.Context, context.CancelFunc) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.deadline.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(l.deadline.Sub(l.now()), time.Millisecond))
}

// words returns the remaining budget in words.
func (r remaining) words() string {
	parts := []string{counted(r.Rounds, "round"), grouped(r.Tokens) + " tokens"}
	if r.CostUSD != nil {
		parts = append(parts, fmt.Sprintf("$%.2f", *r.CostUSD))
	}
	if r.LatencySeconds != nil {
		parts = append(parts, (time.Duration(*r.LatencySeconds) * time.Second).String())
	}
	return strings.Join(parts, ", ") + " left"
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// grouped writes a number with commas between its thousands.
func grouped(n int) string { return humanize.Comma(int64(n)) }
