package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

const batchSize, batches = 50, 8

var batchTests = []test{
	{"readers see all of it or nothing", func(t *testing.T, open func() handle) {
		writing, reading := open(), open()
		while(t, func() error {
			for i := range int64(batches) {
				head, events := batch("L", i*batchSize, fmt.Sprint(i), batchSize)
				if err := writing.Append(t.Context(), head, i*batchSize, events); err != nil {
					return err
				}
			}
			return nil
		}, func() {
			if n := reading.length("L"); n%batchSize != 0 {
				t.Errorf("%d events of batches of %d", n, batchSize)
			}
		})
		if n := reading.length("L"); n != batches*batchSize {
			t.Errorf("the log has %d events, want %d", n, batches*batchSize)
		}
	}},
	{"a cancelled one is written completely or not at all", func(t *testing.T, open func() handle) {
		h, at := open(), int64(0)
		for i := range 40 {
			// Eight checks later each time: with SQLite, the last quarter is not cancelled.
			head, events := batch("L", at, fmt.Sprint(i), batchSize)
			err := h.Append(cancelledAfter(t, 8*i), head, at, events)
			written := h.length("L") - at
			switch {
			case err == nil && written != batchSize:
				t.Fatalf("Append %d succeeded, and %d of its %d events are stored", i, written, batchSize)
			case err != nil && !errors.Is(err, context.Canceled):
				t.Fatalf("Append %d: %v, want context.Canceled", i, err)
			case written != 0 && written != batchSize:
				t.Fatalf("Append %d was cancelled, and %d of its %d events are stored", i, written, batchSize)
			}
			// A retry finds out what happened.
			if again := h.Append(t.Context(), head, at, events); written == 0 && again != nil || written != 0 && !errors.Is(again, loopstate.ErrOperationDone) {
				t.Fatalf("Append %d again, with %d events stored: %v", i, written, again)
			}
			at += batchSize
		}
	}},
}

// while calls check repeatedly until do has returned, and once after that.
func while(t *testing.T, do func() error, check func()) {
	done := make(chan error, 1)
	go func() { done <- do() }()
	for finished := false; !finished; {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			finished = true
		default:
		}
		check()
	}
}

// checkedContext is a context that is cancelled after a number of checks: it cancels a call at a given place, without a
// clock.
type checkedContext struct {
	context.Context
	mu     sync.Mutex
	checks int // protected by mu, like closing done
	ended  bool
	done   chan struct{}
}

func cancelledAfter(t *testing.T, checks int) context.Context {
	return &checkedContext{Context: t.Context(), checks: checks, done: make(chan struct{})}
}

func (c *checkedContext) check() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.checks--
	if c.checks < 0 && !c.ended {
		c.ended = true
		close(c.done)
	}
	return c.ended
}

func (c *checkedContext) Done() <-chan struct{} { c.check(); return c.done }

func (c *checkedContext) Err() error {
	if c.check() {
		return context.Canceled
	}
	return nil
}
