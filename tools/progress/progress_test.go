package progress

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// told is a progress report with its time.
type told struct {
	At      time.Duration
	Done    float64
	Total   int
	Message string
}

func hear(t *testing.T) (p *progress, heard *[]told) {
	t.Helper()
	begun := time.Now()
	heard = &[]told{}
	p = newProgress(func(done float64, total int, message string) {
		*heard = append(*heard, told{time.Since(begun), done, total, message})
	}, func() int { return 0 })
	return p, heard
}

// The amounts grow. Nothing is reported after the answer.
func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, heard := hear(t)
		ctx := with(t.Context(), p)
		Step(ctx, 2, "one")
		Step(ctx, 2, "two")
		p.settle(ctx)
		Step(ctx, 3, "after the answer")
		want := []told{{0, 1, 2, "one"}, {0, 2, 2, "two"}}
		if diff := cmp.Diff(want, *heard); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Of many steps only some are reported, but always the last.
func TestProgressIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, heard := hear(t)
		ctx := with(t.Context(), p)
		const steps = 5_000
		for i := range steps {
			time.Sleep(time.Millisecond)
			Step(ctx, steps, fmt.Sprint(i))
		}
		p.settle(ctx)
		last := (*heard)[len(*heard)-1]
		if n := len(*heard); n > stepsAtOnce+steps/100+2 || n < steps/100 || last.Done != steps || last.Total != steps {
			t.Errorf("%d reports, the last %+v", n, last)
		}
		for i, h := range (*heard)[1:] {
			if h.Done <= (*heard)[i].Done {
				t.Fatalf("after %+v comes %+v", (*heard)[i], h)
			}
		}
	})
}

// The answer waits until the last report is written, but not for a client that does not read.
func TestProgressSettles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		taken time.Duration // when the queue is empty
		wait  time.Duration
	}{
		{"at once", 0, settleGrace},
		{"soon", 10 * time.Millisecond, 10*time.Millisecond + settleGrace},
		{"never", time.Hour, settleFor},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				p := newProgress(func(float64, int, string) {}, func() int {
					if time.Since(begun) < tt.taken {
						return 1
					}
					return 0
				})
				Step(with(t.Context(), p), 1, "all")
				p.settle(t.Context())
				if waited := time.Since(begun); waited < tt.wait || waited > tt.wait+time.Millisecond {
					t.Errorf("the answer waited %v, want %v", waited, tt.wait)
				}
			})
		})
	}
}
