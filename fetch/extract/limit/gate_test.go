package limit

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// work returns a parser that takes some time, and the times at which it began.
func work(takes time.Duration, began *[]time.Duration) func(context.Context) error {
	start := time.Now()
	return func(ctx context.Context) error {
		*began = append(*began, time.Since(start))
		select {
		case <-time.After(takes):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// newGate returns a gate that takes all of the time of a parser for processor time.
func newGate(quick, slow int) Gate {
	g := NewGate(quick, slow)
	g.meter = func() (func() time.Duration, func()) {
		start := time.Now()
		return func() time.Duration { return time.Since(start) }, func() {}
	}
	return g
}

// On busy cores a document is not slow: it keeps its place until it has used QuickTime of processor time.
func TestBusyCoresDoNotCutADocument(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(1, 1)
		start := time.Now()
		g.meter = func() (func() time.Duration, func()) {
			return func() time.Duration { return time.Since(start) / 10 }, func() {}
		}
		g.slow <- struct{}{} // by a hostile document
		var began []time.Duration
		if err := g.Run(t.Context(), work(14*time.Second, &began)); err != nil || len(began) != 1 {
			t.Errorf("a document with 1.4 s of work was parsed %d times: %v", len(began), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		start = time.Now()
		err := g.Run(ctx, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		if !errors.Is(err, context.DeadlineExceeded) || len(g.quick) != 0 {
			t.Errorf("error %v, %d quick places taken; want the deadline and none", err, len(g.quick))
		}
		<-g.slow
	})
}

// However many documents are made to take all of their time, the next one waits for QuickTime at most.
func TestSlowDocumentsDoNotDelayOthers(t *testing.T) {
	for _, hostile := range []int{1, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			g := newGate(2, 1)
			var all sync.WaitGroup
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			for range hostile {
				all.Go(func() {
					var began []time.Duration
					if err := g.Run(ctx, work(time.Hour, &began)); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("a hostile document ended with %v", err)
					}
				})
			}
			synctest.Wait()
			for range 5 {
				var began []time.Duration
				if err := g.Run(t.Context(), work(100*time.Millisecond, &began)); err != nil {
					t.Error(err)
				}
				if len(began) != 1 || began[0] > QuickTime {
					t.Errorf("a document behind %d hostile ones began after %v", hostile, began)
				}
			}
			all.Wait()
			if len(g.quick)+len(g.slow) != 0 {
				t.Errorf("%d quick and %d slow places are held by nothing", len(g.quick), len(g.slow))
			}
		})
	}
}

// A slow document goes on if a place is free. Otherwise it starts again when one is, and its first call ends.
func TestSlowDocumentsAreParsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 1)
		var first, second []time.Duration
		var all sync.WaitGroup
		all.Go(func() {
			if err := g.Run(t.Context(), work(10*time.Second, &first)); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(time.Second)
		all.Go(func() {
			if err := g.Run(t.Context(), work(5*time.Second, &second)); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		if len(first) != 1 || len(second) != 2 || second[1] != 9*time.Second {
			t.Errorf("the first document began at %v, the second at %v; want 0, and 0 and 9 s", first, second)
		}
	})
}

// A document that cannot enter before its context ends is not parsed.
func TestGateEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1, 1)
		g.quick <- struct{}{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := g.Run(ctx, func(context.Context) error { t.Error("parsed without a place"); return nil })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want the deadline", err)
		}
		<-g.quick
		if err := g.Run(ctx, func(context.Context) error { t.Error("parsed after its end"); return nil }); !errors.Is(err,
			context.DeadlineExceeded) {
			t.Errorf("error %v, want the deadline", err)
		}
	})
}
