package pdf

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Two documents that take all of their time delay a third by quickTime, and no more documents than instances are read.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		enter := func() (func(), time.Duration) {
			t.Helper()
			began := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			leave, err := g.enter(ctx)
			if err != nil {
				return nil, time.Since(began)
			}
			return leave, time.Since(began)
		}
		slow, _ := enter()
		other, _ := enter()
		third, waited := enter()
		if third == nil || waited != quickTime || waited >= 2*time.Second {
			t.Fatalf("the third document waited %s", waited)
		}
		time.Sleep(time.Minute)
		if more, waited := enter(); more != nil || waited != time.Minute {
			t.Errorf("a fourth document entered after %s", waited)
		}
		third()
		if next, waited := enter(); next == nil || waited != 0 {
			t.Errorf("after a quick document left, the next one waited %s", waited)
		} else {
			next()
		}
		slow()
		synctest.Wait()
		other()
		synctest.Wait()
		if len(g.quick)+len(g.slow) != 0 {
			t.Errorf("%d quick and %d slow places are held by nothing", len(g.quick), len(g.slow))
		}
	})
}

// A document that ends early holds nothing on, whether or not it was slow.
func TestGateLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		for i := range 20 {
			leave, err := g.enter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(i) * quickTime / 10)
			leave()
			synctest.Wait()
			if len(g.quick)+len(g.slow) != 0 {
				t.Fatalf("after %d tenths of the time, %d quick and %d slow places are held", i, len(g.quick), len(g.slow))
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		for range maxQuick {
			leave, err := g.enter(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer leave()
		}
		if _, err := g.enter(ended); err == nil {
			t.Error("entered a full gate with an ended context")
		}
	})
}
