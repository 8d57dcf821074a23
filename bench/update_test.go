package bench

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/tools"
)

// BenchmarkLoopUpdate calls loop_update for a loop with many hits and for an empty one, by turns, and reports the processor
// time of each and how many times as long the large loop takes. Other programs affect the ratio less than the times.
func BenchmarkLoopUpdate(b *testing.B) {
	const turn = 20 // calls between two readings of the processor's clock, which is coarse
	for _, hits := range []int{300, 3_000} {
		b.Run(fmt.Sprint(hits, "hits"), func(b *testing.B) {
			update := newUpdater(b)
			empty, large := update.loop(0), update.loop(hits)
			var small, big time.Duration
			n := 0
			for b.Loop() {
				for range turn {
					small += update.call(empty, n)
					n++
				}
				for range turn {
					big += update.call(large, n)
					n++
				}
			}
			calls := float64(n / 2)
			b.ReportMetric(float64(small.Microseconds())/calls, "cpu-µs/empty")
			b.ReportMetric(float64(big.Microseconds())/calls, "cpu-µs/large")
			b.ReportMetric(big.Seconds()/max(small.Seconds(), 1e-9), "large/empty")
		})
	}
}

// updater calls loop_update on loops of a store of its own.
type updater struct {
	b   *testing.B
	svc *loops.Service
	do  func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error)
}

func newUpdater(b *testing.B) *updater {
	quiet := slog.New(slog.DiscardHandler)
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "citeloop.db"), sqlite.Options{Unsynced: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	svc := loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Now: time.Now, NewID: uuid.NewString, Generator: "citeloop bench",
		Logger: quiet})
	all, err := tools.All(svc, quiet)
	if err != nil {
		b.Fatal(err)
	}
	u := &updater{b: b, svc: svc}
	for _, tool := range all {
		if tool.Tool.Name == "loop_update" {
			u.do = tool.Handler
		}
	}
	return u
}

// loop starts a loop with a number of hits.
func (u *updater) loop(hits int) string {
	started, err := u.svc.Start(u.b.Context(), loopstate.StartInput{Query: "What did the harbour boards pay for?"})
	if err != nil {
		u.b.Fatal(err)
	}
	for from := 0; from < hits; from += 100 {
		var found []loopstate.Evidence
		for i := range min(100, hits-from) {
			n := from + i
			found = append(found, loopstate.Evidence{Title: fmt.Sprintf("Report %d of harbour %d", n, n*7919), Source: "crossref",
				URL: fmt.Sprintf("https://example.org/%d", n), Snippet: fmt.Sprintf("In year %d the board paid %d crowns for quay %d.", n,
					n*31, n*17)})
		}
		if _, err := u.svc.Update(u.b.Context(), started.StateID, "", loopstate.UpdateInput{Query: fmt.Sprint("harbours ", from),
			Evidence: found}); err != nil {
			u.b.Fatal(err)
		}
	}
	return started.StateID
}

// call reports usage, as a host does after each step, and returns the processor time that the call took.
func (u *updater) call(loop string, n int) time.Duration {
	var req mcp.CallToolRequest
	req.Params.Name = "loop_update"
	req.Params.RawArguments = fmt.Appendf(nil, `{"state_id": %q, "operation_id": "op-%d", "usage": {"tokens": 1}}`, loop, n)
	before := processorTime()
	result, err := u.do(u.b.Context(), req)
	took := processorTime() - before
	if err != nil || result.IsError {
		u.b.Fatalf("%v, %+v", err, result)
	}
	return took
}
