package research

import (
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/llm"
)

// TestLedger checks what stops a conversation: the server's budget less the usage since, then the reserve.
func TestLedger(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	dollars, seconds := 0.10, 60
	l := &ledger{prices: Prices{In: 10, Out: 100}, now: func() time.Time { return at }, reserve: 500, reserveUSD: 0.02, late: 10 * time.Second}
	l.setLeft(remaining{Tokens: 1000})
	expect := func(want string) {
		t.Helper()
		if got := l.spentBudget(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	expect("")
	m := l.meter()
	m.add(llm.Usage{Prompt: 900, Completion: 100})
	expect("the token budget is spent")
	l.reported(m.take(), remaining{Tokens: 5000, CostUSD: &dollars})
	expect("")
	m.add(llm.Usage{Prompt: 100, Completion: 1000}) // 0.101 dollars
	expect("the cost budget is spent")
	l.reported(m.take(), remaining{Tokens: 5000, LatencySeconds: &seconds})
	expect("")
	at = at.Add(time.Minute)
	expect("the time budget is spent")
	l.setLeft(remaining{Tokens: 0, LatencySeconds: new(int)})
	expect("the token budget is spent")
	l.write()
	expect("") // 500 tokens, ten seconds
	m.add(llm.Usage{Prompt: 400})
	l.reported(m.take(), remaining{})
	expect("")
	m.add(llm.Usage{Prompt: 100})
	expect("the token budget is spent")
	if got := l.total; got != (llm.Usage{Prompt: 1500, Completion: 1100}) {
		t.Errorf("%+v", got)
	}
}

func TestReserved(t *testing.T) {
	t.Parallel()
	for tokens, want := range map[int]int{9_000: 3_000, 60_000: 10_000, 440_000: 60_000, 210_000: 30_000} {
		if got := (Budget{Tokens: tokens}).reserved(); got != want {
			t.Errorf("of %d tokens %d are held back, want %d", tokens, got, want)
		}
	}
}
