package judge

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/citeloop/citeloop/internal/grounding"
)

// pipes is a network without sockets, so that time can be simulated around it.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p pipes) Close() error   { close(p.done); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inBubble runs a test in simulated time, with a judge that asks a scripted endpoint.
func inBubble(t *testing.T, cfg Config, steps []step, test func(t *testing.T, j *Judge, s *endpointScript)) {
	synctest.Test(t, func(t *testing.T) {
		script := &endpointScript{t: t, steps: steps}
		network := pipes{make(chan net.Conn), make(chan struct{})}
		server := &http.Server{Handler: script}
		served := make(chan error, 1)
		go func() { served <- server.Serve(network) }()
		transport := &http.Transport{DialContext: network.dial}
		cfg.URL, cfg.Model, cfg.Key, cfg.HTTPClient = "http://localhost/v1", "m", NewKey(secret), &http.Client{Transport: transport}
		j, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		test(t, j, script)
		transport.CloseIdleConnections()
		_ = server.Close()
		<-served
	})
}

func hangs(_ http.ResponseWriter, r *http.Request, _ asked) { <-r.Context().Done() }

// dribbles sends the header at once and then a space a second, as servers do to keep a connection open.
func dribbles(w http.ResponseWriter, r *http.Request, _ asked) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	for r.Context().Err() == nil {
		if _, err := w.Write([]byte(" ")); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		t := time.NewTimer(time.Second)
		select {
		case <-t.C:
		case <-r.Context().Done():
		}
	}
}

func slow(d time.Duration, then step) step {
	return func(w http.ResponseWriter, r *http.Request, a asked) {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			then(w, r, a)
		case <-r.Context().Done():
		}
	}
}

func questions(n int) []Question {
	list := make([]Question, n)
	for i := range list {
		list[i] = question(grounding.Inferred, 0.3, nil, said)
	}
	return list
}

func TestWaits(t *testing.T) {
	good := says(opinionJSON(CannotTell, "", ""))
	for _, row := range []struct {
		name     string
		cfg      Config
		steps    []step
		asked    int
		took     time.Duration
		requests int
		want     Usage  // Answered, Failed, Skipped
		words    string // of the last opinion's failure or skip
	}{
		{"no answer", Config{}, []step{hangs}, 1, 12 * time.Second, 1, Usage{Failed: 1}, "did not answer in time"},
		{"an answer without end", Config{}, []step{dribbles}, 1, 12 * time.Second, 1, Usage{Failed: 1}, "did not answer in time"},
		{"a slow answer", Config{}, []step{slow(11*time.Second, good)}, 1, 11 * time.Second, 1, Usage{Answered: 1}, ""},
		{"no answer, four at once, and the call ends", Config{}, []step{hangs}, 20, 18 * time.Second, 8, Usage{Failed: 8, Skipped: 12}, "the time for judging was up"},
		{"slow answers, what does not fit is not asked", Config{}, []step{slow(5*time.Second, good)}, 20, 18 * time.Second, 16, Usage{Answered: 12, Failed: 4, Skipped: 4}, "the time for judging was up"},
		{"no time for another request", Config{Timeout: 10400 * time.Millisecond, MaxConcurrent: 1}, []step{slow(10*time.Second, good)}, 2, 10 * time.Second, 1, Usage{Answered: 1, Skipped: 1}, "the time for judging was up"},
		{"broken, once", Config{}, []step{refuses(500, "oops"), good}, 1, 500 * time.Millisecond, 2, Usage{Answered: 1}, ""},
		{"broken, for good", Config{}, []step{refuses(503, "oops")}, 1, 1500 * time.Millisecond, 3, Usage{Failed: 1}, "503 Service Unavailable): oops"},
		{"cut, for good", Config{}, []step{cuts(`{"choices":[`)}, 1, 1500 * time.Millisecond, 3, Usage{Failed: 1}, "cut the connection"},
		{"the rate, with a wait that fits", Config{}, []step{refuses(429, "slow", "Retry-After", "7"), good}, 1, 7 * time.Second, 2, Usage{Answered: 1}, ""},
		{"the rate, again and again", Config{}, []step{refuses(429, "slow", "Retry-After", "3")}, 1, 6 * time.Second, 3, Usage{Failed: 1}, "it asks to wait 3s"},
		{"the rate, with a wait that does not fit", Config{}, []step{refuses(429, "slow", "Retry-After", "60")}, 1, 0, 1, Usage{Failed: 1}, "it asks to wait 1m0s"},
		{"the rate holds for all questions", Config{MaxConcurrent: 1}, []step{refuses(429, "slow", "Retry-After", "60")}, 5, 0, 1, Usage{Failed: 1, Skipped: 4}, "asked to be left alone for 1m0s"},
		// The refusal waits, so that the second question is surely on its way when it comes.
		{"the rate holds the others back, too", Config{MaxConcurrent: 2}, []step{slow(500*time.Millisecond, refuses(429, "slow", "Retry-After", "4")), slow(time.Second, good), good}, 6, 4500 * time.Millisecond, 7, Usage{Answered: 6}, ""},
		{"broken, near the end of the call", Config{Timeout: 2 * time.Second}, []step{slow(1200*time.Millisecond, refuses(500, "oops"))}, 1, 1200 * time.Millisecond, 1, Usage{Failed: 1}, "500 Internal Server Error"},
	} {
		t.Run(row.name, func(t *testing.T) {
			inBubble(t, row.cfg, row.steps, func(t *testing.T, j *Judge, s *endpointScript) {
				start := time.Now()
				opinions, usage, err := j.Opine(t.Context(), questions(row.asked))
				if err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took != row.took {
					t.Errorf("took %s, want %s", took, row.took)
				}
				if n := len(s.requests()); n != row.requests || usage.Requests != n {
					t.Errorf("%d requests, %d counted, want %d", n, usage.Requests, row.requests)
				}
				if got := (Usage{Answered: usage.Answered, Failed: usage.Failed, Skipped: usage.Skipped}); got != row.want {
					t.Errorf("got %+v, want %+v", got, row.want)
				}
				last := opinions[len(opinions)-1]
				if words := last.Failure + last.Skipped; row.words == "" && words != "" || !strings.Contains(words, row.words) {
					t.Errorf("the last opinion is %+v, want %q", last, row.words)
				}
			})
		})
	}
}

// What the endpoint asked for holds for the next call, but not for ever.
func TestHoldOffOutlivesTheCall(t *testing.T) {
	steps := []step{refuses(429, "slow", "Retry-After", "86400"), says(opinionJSON(CannotTell, "", ""))}
	inBubble(t, Config{}, steps, func(t *testing.T, j *Judge, s *endpointScript) {
		if _, usage, _ := j.Opine(t.Context(), questions(1)); usage.Failed != 1 {
			t.Fatalf("the first call: %+v", usage)
		}
		opinions, usage, _ := j.Opine(t.Context(), questions(1))
		if usage.Skipped != 1 || usage.Requests != 0 || !strings.Contains(opinions[0].Skipped, "left alone") {
			t.Errorf("the second call: %+v, %+v", opinions, usage)
		}
		<-time.After(mostHoldOff)
		if _, usage, _ := j.Opine(t.Context(), questions(1)); usage.Answered != 1 {
			t.Errorf("a minute later: %+v", usage)
		}
		if n := len(s.requests()); n != 2 {
			t.Errorf("%d requests", n)
		}
	})
}

// The caller's answer must still be written when its deadline comes.
func TestEndsBeforeTheCallersDeadline(t *testing.T) {
	inBubble(t, Config{}, []step{hangs}, func(t *testing.T, j *Judge, _ *endpointScript) {
		ctx, cancel := context.WithTimeout(t.Context(), 9*time.Second)
		defer cancel()
		start := time.Now()
		opinions, _, err := j.Opine(ctx, questions(1))
		if took := time.Since(start); took != 8*time.Second || err != nil {
			t.Errorf("took %s, %v, want 8s and no error", took, err)
		}
		if want := "the time for judging was up before the endpoint answered"; opinions[0].Failure != want {
			t.Errorf("the failure is %q, want %q", opinions[0].Failure, want)
		}
	})
}

func TestNoTimeAtAll(t *testing.T) {
	inBubble(t, Config{}, []step{hangs}, func(t *testing.T, j *Judge, s *endpointScript) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		opinions, usage, _ := j.Opine(ctx, questions(3))
		if usage.Skipped != 3 || len(s.requests()) != 0 || opinions[0].Skipped != timeIsUp {
			t.Errorf("%+v, %+v", opinions, usage)
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		opinions, usage, err := j.Opine(ctx, questions(3))
		if usage.Skipped != 3 || len(s.requests()) != 0 || !errors.Is(err, context.Canceled) || opinions[0].Skipped != "the call was cancelled" {
			t.Errorf("cancelled: %+v, %+v, %v", opinions, usage, err)
		}
	})
}

// MaxConcurrent holds over all calls together.
func TestAtMostSoManyAtOnce(t *testing.T) {
	var now, most atomic.Int32
	counting := func(w http.ResponseWriter, r *http.Request, a asked) {
		n := now.Add(1)
		for {
			m := most.Load()
			if n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		slow(time.Second, says(opinionJSON(CannotTell, "", "")))(w, r, a)
		now.Add(-1)
	}
	inBubble(t, Config{MaxConcurrent: 3}, []step{counting}, func(t *testing.T, j *Judge, _ *endpointScript) {
		start := time.Now()
		done := make(chan Usage)
		for range 3 {
			go func() {
				_, usage, _ := j.Opine(t.Context(), questions(8))
				done <- usage
			}()
		}
		for range 3 {
			if usage := <-done; usage.Answered != 8 {
				t.Errorf("usage %+v", usage)
			}
		}
		if most.Load() != 3 || time.Since(start) != 8*time.Second {
			t.Errorf("%d at once, %s for 24 questions of a second", most.Load(), time.Since(start))
		}
	})
}
