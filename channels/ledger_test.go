package channels_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
)

// book is a ledger in memory.
type book struct {
	broken error

	mu    sync.Mutex
	next  map[string]time.Time
	until map[string]time.Time
}

func newBook() *book {
	return &book{next: map[string]time.Time{}, until: map[string]time.Time{}}
}

func (b *book) Reserve(_ context.Context, name string, every time.Duration, burst int, within time.Duration) (time.Duration, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	arrival := now
	for _, t := range []time.Time{b.next[name], b.until[name]} {
		if t.After(arrival) {
			arrival = t
		}
	}
	wait := max(arrival.Add(-every*time.Duration(burst-1)).Sub(now), b.until[name].Sub(now), 0)
	if wait >= within || b.broken != nil {
		return wait, false, b.broken
	}
	b.next[name] = arrival.Add(every)
	return wait, true, nil
}

func (b *book) Hold(_ context.Context, name string, d time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until[name] = time.Now().Add(d)
	return b.broken
}

func (b *book) Held(_ context.Context, name string) (time.Duration, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(time.Until(b.until[name]), 0), b.broken
}

// Two registries with one ledger simulate two processes: together they keep the rate of one. Without a working ledger,
// each keeps its own rate.
func TestTwoProcessesShareTheRate(t *testing.T) {
	tests := []struct {
		name   string
		ledger channels.Ledger
		gap    time.Duration
	}{
		{"one ledger", newBook(), 3 * time.Second},
		{"a broken ledger", &book{broken: errors.New("the disk is full"), next: map[string]time.Time{}, until: map[string]time.Time{}}, 0},
		{"no ledger", nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := sourceNamed(t, "arxiv")
				h := &host{takes: 100 * time.Millisecond, kind: s.kind, body: s.body(t)}
				var all sync.WaitGroup
				for range 2 {
					r, err := channels.New(channels.Config{Client: &http.Client{Transport: h}, Timeout: time.Hour, Ledger: tt.ledger}, source.All(nil))
					if err != nil {
						t.Fatal(err)
					}
					for range 25 {
						all.Go(func() {
							if out, _ := one(t, r, s.name, channels.Query{}); out.Status != channels.StatusOK {
								t.Errorf("%+v", out)
							}
						})
					}
				}
				all.Wait()
				if len(h.came) != 50 {
					t.Errorf("%d requests, want 50", len(h.came))
				}
				tooSoon := 0
				for i := 1; i < len(h.came); i++ {
					if h.came[i].Sub(h.came[i-1]) < 3*time.Second-time.Millisecond {
						tooSoon++
					}
				}
				if shared := tt.gap > 0; shared != (tooSoon == 0) {
					t.Errorf("%d of 50 requests came faster than the rate of one process", tooSoon)
				}
			})
		})
	}
}

// Processes share the Retry-After of a host.
func TestProcessesShareHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		book := newBook()
		asked := map[string]int{}
		answer := map[string]*http.Response{}
		client := func(name string) *http.Client {
			return &http.Client{Transport: roundTrip(func(*http.Request) *http.Response {
				asked[name]++
				return answer[name]
			})}
		}
		open := func(name string) *channels.Registry {
			r, err := channels.New(channels.Config{Client: client(name), Ledger: book}, source.All(nil))
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		s := sourceNamed(t, "crossref")
		a, b := open("a"), open("b")
		answer["a"] = response(429, "text/plain", nil)
		answer["a"].Header.Set("Retry-After", "60")
		answer["b"] = response(200, s.kind, s.body(t))
		one(t, a, s.name, channels.Query{})
		if out, _ := one(t, b, s.name, channels.Query{}); out.Status != channels.StatusRateLimited || out.RetryAfter < 59*time.Second || asked["b"] != 0 {
			t.Errorf("after the other's Retry-After: %+v, %d requests", out, asked["b"])
		}
		time.Sleep(time.Minute)
		if out, _ := one(t, b, s.name, channels.Query{}); out.Status != channels.StatusOK || asked["b"] == 0 {
			t.Errorf("after its time: %+v", out)
		}
		for _, r := range []*channels.Registry{a, b} {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}
