package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/citeloop/citeloop/internal/resilience"
)

// Client asks one model at one endpoint. It is safe for concurrent use.
type Client struct {
	cfg     Config
	host    string
	address string // of chat completions
	http    *http.Client
	slots   chan struct{}
	dialect atomic.Pointer[dialect] // the last accepted one
}

// New checks the configuration; errors are [*ConfigError]. It sends nothing.
func New(cfg Config) (*Client, error) {
	base, err := parseAddress(cfg.URL)
	if err != nil {
		return nil, err
	}
	if cfg, err = cfg.withDefaults(); err != nil {
		return nil, err
	}
	c := &Client{cfg: cfg, host: base.Host, address: base.JoinPath(chatPath).String(), http: httpClient(cfg), slots: make(chan struct{}, cfg.MaxConcurrent)}
	c.dialect.Store(&dialect{})
	return c, nil
}

func httpClient(cfg Config) *http.Client {
	c := &http.Client{}
	if cfg.HTTPClient != nil {
		*c = *cfg.HTTPClient
	}
	if t, ok := http.DefaultTransport.(*http.Transport); ok && c.Transport == nil {
		t = t.Clone()
		t.MaxIdleConnsPerHost = cfg.MaxConcurrent
		c.Transport = t
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

func mediaType(resp *http.Response) string {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return kind
}

// String names the model and the host, and whether there is a key.
func (c *Client) String() string {
	key := "without a key"
	if !c.cfg.Key.IsZero() {
		key = "with a key"
	}
	return fmt.Sprintf("%s at %s, %s", c.cfg.Key.Redact(c.cfg.Model), c.host, key)
}

// Format handles every verb as String does.
func (c *Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// LogValue implements slog.LogValuer.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Host returns the host of the endpoint.
func (c *Client) Host() string { return c.host }

// leastTime is the minimum time before a deadline for another attempt.
const leastTime = 500 * time.Millisecond

// Complete requests one answer. The error is an [*Error], or that of ctx. Answer.Usage is also set with an error.
func (c *Client) Complete(ctx context.Context, r Request) (Answer, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
	d := *c.dialect.Load()
	var spent Usage
	for retries := 0; ; {
		if err := ctx.Err(); err != nil {
			return Answer{Usage: spent}, err
		}
		start := time.Now()
		got, e := c.send(ctx, r, d)
		spent = spent.Plus(got.Usage)
		got.Usage, got.Format = spent, d.formatOf(r)
		if e == nil {
			c.dialect.Store(&d)
			return got, nil
		}
		c.cfg.Logger.LogAttrs(ctx, slog.LevelDebug, "the model did not answer", slog.String("host", c.host), slog.String("code", string(e.Code)),
			slog.String("problem", e.Problem), slog.Duration("took", time.Since(start)))
		if err := ctx.Err(); err != nil {
			return got, err
		}
		if next, ok := d.next(e, r); ok {
			d = next
			continue
		}
		if !e.retry || retries >= c.cfg.MaxRetries {
			return got, e
		}
		delay := e.RetryAfter
		if delay > c.cfg.MaxRetryDelay || delay > 0 && resilience.Exceeds(ctx, delay+leastTime) {
			return got, e
		}
		if delay == 0 {
			delay = min(backoff(retries), c.cfg.MaxRetryDelay)
		}
		if err := resilience.Sleep(ctx, delay); err != nil {
			return got, err
		}
		retries++
	}
}

// backoff returns how long to wait before another attempt if the endpoint does not say: 0.5 s, doubled by each, less a
// random quarter (chosen), so that requests that failed together are not repeated together.
func backoff(retries int) time.Duration {
	return time.Duration((1 - rand.Float64()/4) * float64(500*time.Millisecond<<retries))
}

// send makes one request and reads the answer.
func (c *Client) send(ctx context.Context, r Request, d dialect) (Answer, *Error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.AnswerTime)
	defer cancel()
	resp, err := c.post(ctx, d.wire(c.cfg, r))
	if err != nil {
		e := broken(err, c.host, c.cfg.Key)
		e.worked = ctx.Err() != nil // else the connection failed, and the endpoint is unlikely to have answered
		return Answer{Usage: r.usage(nil, e)}, e
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return Answer{}, refused(resp, c.host, c.cfg)
	}
	var a assembly
	switch kind := mediaType(resp); {
	case kind == "text/html" || kind == "application/xhtml+xml":
		return Answer{}, &Error{Code: CodeNotFound, Problem: "the address is a web page, not an API", Next: "check the address; most end in /v1"}
	case kind == "application/json" || kind == "text/plain" || strings.HasSuffix(kind, "+json"):
		err = a.whole(http.MaxBytesReader(nil, resp.Body, maxEventBytes))
	default:
		idle := time.AfterFunc(c.cfg.AnswerTime, cancel) // from the first piece on, IdleTime
		defer idle.Stop()
		err = a.stream(http.MaxBytesReader(nil, resp.Body, 64*maxAnswerBytes), func() { // each piece repeats names and ids
			idle.Reset(c.cfg.IdleTime)
		})
	}
	if err != nil {
		e := broken(err, c.host, c.cfg.Key)
		return Answer{Usage: r.usage(&a, e)}, e
	}
	got, e := a.finished()
	got.Usage = r.usage(&a, e)
	return got, e
}

func (c *Client) post(ctx context.Context, w object) (*http.Response, error) {
	body, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	req.Header.Set("User-Agent", "citeloop")
	if !c.cfg.Key.IsZero() {
		req.Header.Set("Authorization", "Bearer "+c.cfg.Key.reveal())
	}
	return c.http.Do(req)
}

// usage returns the tokens that a request used, estimated if the endpoint does not report them.
func (r Request) usage(a *assembly, e *Error) Usage {
	if a == nil {
		a = &assembly{}
	}
	if e != nil && !e.worked && !a.begun() {
		return Usage{}
	}
	u := a.usage
	if u.Prompt == 0 {
		u.Prompt, u.Estimated = r.estimate(), true
	}
	if u.Completion == 0 && a.begun() {
		u.Completion, u.Estimated = a.estimate(), true
	}
	return u
}
