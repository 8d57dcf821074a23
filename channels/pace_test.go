package channels_test

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/internal/resilience"
)

// host replaces a service without a socket, so that time is simulated. It records when each request came and how many
// ran in parallel.
type host struct {
	takes time.Duration
	kind  string
	body  []byte

	mu    sync.Mutex
	came  []time.Time
	inNow int
	inMax int
}

func (h *host) RoundTrip(r *http.Request) (*http.Response, error) {
	h.mu.Lock()
	h.came = append(h.came, time.Now())
	h.inNow++
	h.inMax = max(h.inMax, h.inNow)
	h.mu.Unlock()
	err := resilience.Sleep(r.Context(), h.takes)
	h.mu.Lock()
	h.inNow--
	h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return response(200, h.kind, h.body), nil
}

// Fifty parallel searches keep a host's rate and its limit of connections.
func TestRateUnderParallelSearches(t *testing.T) {
	tests := []struct {
		name    string
		source  string
		takes   time.Duration
		timeout time.Duration
		gap     time.Duration
		atOnce  int
		served  int
		cut     int // unfinished at the deadline
	}{
		{"arxiv answers fast", "arxiv", 100 * time.Millisecond, 15 * time.Second, 3 * time.Second, 1, 5, 0},
		{"arxiv answers slowly", "arxiv", 4 * time.Second, 15 * time.Second, 3 * time.Second, 1, 3, 1},
		{"wikipedia answers fast", "wikipedia", 50 * time.Millisecond, 15 * time.Second, 333 * time.Millisecond, 1, 45, 1},
		{"wikipedia answers slowly", "wikipedia", 2 * time.Second, time.Hour, 333 * time.Millisecond, 3, 50, 0},
	}
	sources := map[string]webSource{}
	for _, s := range webSources() {
		sources[s.name] = s
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := sources[tt.source]
				h := &host{takes: tt.takes, kind: s.kind, body: s.body(t)}
				cfg := channels.Config{Client: &http.Client{Transport: h}, Timeout: tt.timeout}
				r, err := channels.New(cfg, source.All(nil))
				if err != nil {
					t.Fatal(err)
				}
				var mu sync.Mutex
				statuses := map[channels.Status]int{}
				var all sync.WaitGroup
				for range 50 {
					all.Go(func() {
						out, _ := one(t, r, s.name, channels.Query{})
						mu.Lock()
						defer mu.Unlock()
						statuses[out.Status]++
						if out.Status == channels.StatusRateLimited && out.RetryAfter <= 0 {
							t.Error("rate_limited without a wait")
						}
					})
				}
				all.Wait()
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				for i := 1; i < len(h.came); i++ {
					if gap := h.came[i].Sub(h.came[i-1]); gap < tt.gap-time.Millisecond {
						t.Errorf("request %d came %s after the one before, want %s", i, gap, tt.gap)
					}
				}
				if h.inMax > tt.atOnce {
					t.Errorf("%d requests at once, want at most %d", h.inMax, tt.atOnce)
				}
				if statuses[channels.StatusOK] != tt.served || statuses[channels.StatusUnavailable] != tt.cut ||
					statuses[channels.StatusRateLimited] != 50-tt.served-tt.cut || len(h.came) != tt.served+tt.cut {
					t.Errorf("%v after %d requests, want %d served, %d cut and the others rate_limited", statuses, len(h.came), tt.served,
						tt.cut)
				}
			})
		})
	}
}

// Editions of Wikipedia are many hosts with one rate.
func TestEditionsShareOneRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sourceNamed(t, "wikipedia")
		h := &host{takes: time.Second, kind: s.kind, body: s.body(t)}
		r, err := channels.New(channels.Config{Client: &http.Client{Transport: h}, Timeout: time.Hour}, source.All(nil))
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for _, lang := range []string{"de", "fr", "es", "it", "pt", "nl", "pl", "sv"} {
			all.Go(func() { one(t, r, s.name, channels.Query{Language: lang}) })
		}
		all.Wait()
		if len(h.came) != 8 || h.inMax > 3 {
			t.Errorf("%d requests, %d at once", len(h.came), h.inMax)
		}
		for i := 1; i < len(h.came); i++ {
			if gap := h.came[i].Sub(h.came[i-1]); gap < 332*time.Millisecond {
				t.Errorf("request %d came after %s", i, gap)
			}
		}
	})
}
