package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func testWriters(t *testing.T, fresh func(t *testing.T) Opener) {
	for _, tt := range []struct {
		name    string
		handles int
		writers int // goroutines a handle
	}{
		{"eight goroutines", 1, 8},
		{"two handles", 2, 1},
		{"three handles of three goroutines", 3, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := fresh(t)
			const appends = 20
			var writers sync.WaitGroup
			for h := range tt.handles {
				store := open.open(t)
				for w := range tt.writers {
					name := fmt.Sprintf("h%d-w%d", h, w)
					writers.Go(func() {
						if err := AppendMany(t.Context(), store, "L", name, appends, nil); err != nil {
							t.Errorf("writer %s: %v", name, err)
						}
					})
				}
			}
			writers.Wait()
			events := mustLoad(t, open.open(t), "L", 0)
			if err := Whole(events); err != nil {
				t.Error(err)
			}
			if got, want := len(events), tt.handles*tt.writers*appends; got != want {
				t.Errorf("the log has %d events, want %d", got, want)
			}
		})
	}

	t.Run("one operation sent by many at once", func(t *testing.T) {
		open := fresh(t)
		stores := []loopstate.Store{open.open(t), open.open(t)}
		mustAppend(t, stores[0], "L", 0, "first", 1)
		const senders = 8
		outcomes := make([]error, senders)
		var sending sync.WaitGroup
		for i := range senders {
			sending.Go(func() {
				head, events := batch("L", 1, "once", 2)
				outcomes[i] = stores[i%2].Append(t.Context(), head, 1, events)
			})
		}
		sending.Wait()
		done := 0
		for _, err := range outcomes {
			switch {
			case err == nil:
				done++
			case !errors.Is(err, loopstate.ErrOperationDone):
				t.Errorf("Append: %v, want ErrOperationDone", err)
			}
		}
		if done != 1 {
			t.Errorf("%d senders were told that they wrote it, want 1", done)
		}
		if got := len(mustLoad(t, stores[1], "L", 0)); got != 3 {
			t.Errorf("the log has %d events, want 3", got)
		}
	})
}

// AppendMany appends n events to a loop, one at a time, as a process does that shares the loop with others:
// on a conflict it loads what it missed and tries again. The i-th has the operation id writer/i. acknowledged,
// if not nil, is called with each sequence number once Append has returned. Tests of single implementations
// use it in processes of their own.
func AppendMany(ctx context.Context, store loopstate.Store, loop, writer string, n int, acknowledged func(seq int64)) error {
	at := int64(0)
	for i := 0; i < n; {
		head, events := batch(loop, at, fmt.Sprintf("%s/%d", writer, i), 1)
		err := store.Append(ctx, head, at, events)
		switch {
		case err == nil:
			at++
			i++
			if acknowledged != nil {
				acknowledged(at)
			}
		case errors.Is(err, loopstate.ErrConflict):
			for e, err := range store.Load(ctx, loop, at) {
				if err != nil {
					return err
				}
				at = e.Seq
			}
		default:
			return err
		}
	}
	return nil
}

// Whole reports what is wrong with a log that [AppendMany] wrote: a hole, an order, an operation that is
// there twice.
func Whole(events []loopstate.Event) error {
	ops := map[string]int64{}
	for i, e := range events {
		if e.Seq != int64(i)+1 {
			return fmt.Errorf("event %d has sequence number %d", i+1, e.Seq)
		}
		if first, ok := ops[e.Op]; ok {
			return fmt.Errorf("operation %s is in events %d and %d", e.Op, first, e.Seq)
		}
		ops[e.Op] = e.Seq
	}
	return nil
}
