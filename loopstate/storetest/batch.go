package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func testBatch(t *testing.T, fresh func(t *testing.T) Opener) {
	const size, batches = 50, 8

	t.Run("is seen whole or not at all", func(t *testing.T) {
		open := fresh(t)
		writing, reading := open.open(t), open.open(t)
		done := make(chan error, 1)
		go func() {
			for i := range int64(batches) {
				head, events := batch("L", i*size, fmt.Sprint(i), size)
				if err := writing.Append(t.Context(), head, i*size, events); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
		for finished := false; !finished; {
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
				finished = true
			default:
			}
			if n := len(mustLoad(t, reading, "L", 0)); n%size != 0 {
				t.Errorf("%d events are seen, of batches of %d", n, size)
			}
		}
		if n := len(mustLoad(t, reading, "L", 0)); n != batches*size {
			t.Errorf("the log has %d events, want %d", n, batches*size)
		}
	})

	t.Run("cancelled in the middle is written whole or not at all", func(t *testing.T) {
		store := one(t, fresh)
		at := int64(0)
		for i := range 40 {
			// Eight looks further each time: with SQLite, the last quarter is not reached any more.
			ctx := &endsAfter{Context: t.Context(), checks: i * 8, done: make(chan struct{})}
			head, events := batch("L", at, fmt.Sprint(i), size)
			err := store.Append(ctx, head, at, events)
			n := int64(len(mustLoad(t, store, "L", 0)))
			switch {
			case err == nil && n != at+size:
				t.Fatalf("Append %d was acknowledged, and %d of its %d events are there", i, n-at, size)
			case err != nil && !errors.Is(err, context.Canceled):
				t.Fatalf("Append %d: %v, want context.Canceled", i, err)
			case n != at && n != at+size:
				t.Fatalf("Append %d was cancelled, and %d of its %d events are there", i, n-at, size)
			}
			// A caller who was cancelled does not know; its retry does.
			if again := store.Append(t.Context(), head, at, events); n == at && again != nil || n != at && !errors.Is(again, loopstate.ErrOperationDone) {
				t.Fatalf("Append %d again, with %d events there: %v", i, n-at, again)
			}
			at += size
		}
	})
}

// endsAfter is a context that is cancelled when it has been looked at so many times: a cancellation at one
// place after another of a call, without a clock.
type endsAfter struct {
	context.Context
	mu     sync.Mutex
	checks int // mu protects it and the closing of done
	ended  bool
	done   chan struct{}
}

func (c *endsAfter) look() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.checks--
	if c.checks < 0 && !c.ended {
		c.ended = true
		close(c.done)
	}
	return c.ended
}

func (c *endsAfter) Done() <-chan struct{} { c.look(); return c.done }

func (c *endsAfter) Err() error {
	if c.look() {
		return context.Canceled
	}
	return nil
}
