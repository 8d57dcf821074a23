package llm

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a network without sockets, so that time can be simulated.
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

// inBubble runs a test in simulated time, with a client of a scripted endpoint.
func inBubble(t *testing.T, cfg Config, steps []step, test func(t *testing.T, c *Client, s *script)) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{t: t, steps: steps}
		network := pipes{make(chan net.Conn), make(chan struct{})}
		server := &http.Server{Handler: s}
		served := make(chan error, 1)
		go func() { served <- server.Serve(network) }()
		transport := &http.Transport{DialContext: network.dial}
		cfg.URL, cfg.Model, cfg.HTTPClient = "http://localhost", "m", &http.Client{Transport: transport}
		c, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		test(t, c, s)
		transport.CloseIdleConnections()
		_ = server.Close()
		<-served
	})
}

func hangs(_ http.ResponseWriter, r *http.Request, _ asked) { <-r.Context().Done() }

func pause(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

func slow(d time.Duration, then step) step {
	return func(w http.ResponseWriter, r *http.Request, a asked) {
		if pause(r, d) {
			then(w, r, a)
		}
	}
}

// drips sends a piece at every interval, n times, then the end.
func drips(interval time.Duration, n int) step {
	return func(w http.ResponseWriter, r *http.Request, a asked) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range n {
			if _, err := w.Write([]byte(piece(`{"content":"x"}`, "null"))); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			if !pause(r, interval) {
				return
			}
		}
		_, _ = w.Write([]byte(piece("{}", `"stop"`) + usageEvent + done))
	}
}

func TestTime(t *testing.T) {
	const (
		endless       = 1 << 20
		deadline Code = "deadline" // the error of the context
	)
	short := Config{AnswerTime: 12 * time.Second, IdleTime: 3 * time.Second, MaxRetries: 1}
	for _, row := range []struct {
		name        string
		cfg         Config
		deadline    time.Duration // of the call; 0: none
		steps       []step
		least, most time.Duration // waits have a random part
		requests    int
		code        Code // "" for an answer
	}{
		{"a slow answer", short, 0, []step{slow(11*time.Second, streams(text))}, 11 * time.Second, 11 * time.Second, 1, ""},
		{"no answer, twice", short, 0, []step{hangs}, 24000 * time.Millisecond, 24500 * time.Millisecond, 2, CodeUnavailable},
		{"no answer, once", short, 0, []step{hangs, streams(text)}, 12000 * time.Millisecond, 12500 * time.Millisecond, 2, ""},
		{"silence within an answer, once", short, 0, []step{drips(4*time.Second, 2), streams(text)}, 3000 * time.Millisecond, 3500 * time.Millisecond, 2, ""},
		{"a slow drip that ends", short, 0, []step{drips(2*time.Second, 5)}, 10 * time.Second, 10 * time.Second, 1, ""},
		{"a slow drip without end", short, 0, []step{drips(time.Second, endless)}, 24000 * time.Millisecond, 24500 * time.Millisecond, 2, CodeUnavailable},
		{"server errors", Config{}, 0, []step{refuses(503, "busy")}, 1100 * time.Millisecond, 1500 * time.Millisecond, 3, CodeUnavailable},
		{"a rate limit that says how long", Config{}, 0, []step{refuses(429, "slow", "Retry-After", "7"), streams(text)}, 7 * time.Second, 7 * time.Second, 2, ""},
		{"a rate limit that says when", Config{}, 0, []step{refuses(429, "slow", "Retry-After", "Sat, 01 Jan 2000 00:00:09 GMT"), streams(text)}, 9 * time.Second, 9 * time.Second, 2, ""},
		{"a rate limit beyond the deadline", Config{}, 20 * time.Second, []step{refuses(429, "slow", "Retry-After", "30")}, 0, 0, 1, CodeRateLimit},
		{"a server error near the deadline", Config{}, 1500 * time.Millisecond, []step{slow(1200*time.Millisecond, refuses(500, "oops"))}, 1200 * time.Millisecond, 1500 * time.Millisecond, 1, deadline},
		{"an answer that breaks off near the deadline", Config{}, 1500 * time.Millisecond, []step{slow(1200*time.Millisecond, cuts("", ""))}, 1200 * time.Millisecond, 1500 * time.Millisecond, 1, deadline},
	} {
		t.Run(row.name, func(t *testing.T) {
			inBubble(t, row.cfg, row.steps, func(t *testing.T, c *Client, s *script) {
				ctx := t.Context()
				if row.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, row.deadline)
					defer cancel()
				}
				start := time.Now()
				_, err := c.Complete(ctx, ask(nil))
				if took := time.Since(start); took < row.least || took > row.most {
					t.Errorf("took %s, want %s to %s", took, row.least, row.most)
				}
				e, _ := errors.AsType[*Error](err)
				if row.code == deadline {
					if !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("%v, want that the deadline is exceeded", err)
					}
				} else if row.code == "" && err != nil || row.code != "" && (e == nil || e.Code != row.code) {
					t.Errorf("%v, want %q", err, row.code)
				}
				if n := len(s.requests()); n != row.requests {
					t.Errorf("%d requests, want %d", n, row.requests)
				}
			})
		})
	}
}

func TestDeadline(t *testing.T) {
	inBubble(t, Config{}, []step{hangs}, func(t *testing.T, c *Client, _ *script) {
		ctx, cancel := context.WithTimeout(t.Context(), 9*time.Second)
		defer cancel()
		start := time.Now()
		if _, err := c.Complete(ctx, ask(nil)); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 9*time.Second {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}

// MaxConcurrent holds over all calls together.
func TestMaxConcurrent(t *testing.T) {
	var now, most atomic.Int32
	counting := func(w http.ResponseWriter, r *http.Request, a asked) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		slow(time.Second, streams(text))(w, r, a)
		now.Add(-1)
	}
	inBubble(t, Config{MaxConcurrent: 3}, []step{counting}, func(t *testing.T, c *Client, _ *script) {
		start := time.Now()
		failed := make(chan error)
		for range 24 {
			go func() {
				_, err := c.Complete(t.Context(), ask(nil))
				failed <- err
			}()
		}
		for range 24 {
			if err := <-failed; err != nil {
				t.Error(err)
			}
		}
		if most.Load() != 3 || time.Since(start) != 8*time.Second {
			t.Errorf("%d at once, %s for 24 requests of a second", most.Load(), time.Since(start))
		}
	})
}
