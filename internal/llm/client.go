package llm

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/citeloop/citeloop/internal/resilience"
)

// Client asks one model at one endpoint. It is safe for concurrent use.
type Client struct {
	cfg     Config
	host    string
	chat    openai.ChatCompletionService
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
	c := &Client{cfg: cfg, host: base.Host, slots: make(chan struct{}, cfg.MaxConcurrent)}
	c.dialect.Store(&dialect{})
	options := []option.RequestOption{
		option.WithBaseURL(base.String()),
		option.WithHTTPClient(httpClient(cfg)),
		option.WithMaxRetries(cfg.MaxRetries),
		option.WithRequestTimeout(cfg.AnswerTime),
	}
	if !cfg.Key.IsZero() {
		options = append(options, option.WithAPIKey(cfg.Key.reveal()))
	}
	// Not openai.NewClient: it reads keys, organisation and addresses from the environment.
	c.chat = openai.NewChatCompletionService(options...)
	return c, nil
}

func httpClient(cfg Config) *http.Client {
	c := &http.Client{}
	if cfg.HTTPClient != nil {
		*c = *cfg.HTTPClient
	}
	next := c.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	if t, ok := next.(*http.Transport); ok && cfg.HTTPClient == nil {
		t = t.Clone()
		t.MaxIdleConnsPerHost = cfg.MaxConcurrent
		next = t
	}
	c.Transport = boundedTransport{next}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// boundedTransport limits the size of responses: the library reads bodies to their end.
type boundedTransport struct{ http.RoundTripper }

func (t boundedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(req)
	switch {
	case err != nil:
	case resp.StatusCode >= 300:
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxErrorBytes), resp.Body}
	case mediaType(resp) == "text/event-stream": // each piece repeats names and ids
		resp.Body = http.MaxBytesReader(nil, resp.Body, 64*maxAnswerBytes)
	default:
		resp.Body = http.MaxBytesReader(nil, resp.Body, 2*maxAnswerBytes)
	}
	return resp, err
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
		delay, again := resilience.Retry{Max: c.cfg.MaxRetries, Reserve: leastTime}.Wait(ctx, retries, 0)
		if !e.retry || !again {
			return got, e
		}
		if err := resilience.Sleep(ctx, min(delay, c.cfg.MaxRetryDelay)); err != nil {
			return got, err
		}
		retries++
	}
}

// timeLeft returns how long a wait may take before ctx ends.
func timeLeft(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return maxTime
	}
	return max(time.Until(deadline)-leastTime, 1)
}

// send makes one request, which the library retries, and reads the answer.
func (c *Client) send(ctx context.Context, r Request, d dialect) (Answer, *Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	giveUp := func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		resp, err := next(req)
		if err != nil {
			if e := c.broken(err); e.Permanent() { // the library would retry it
				cancel(e)
			}
		}
		return resp, err
	}
	var resp *http.Response
	left := timeLeft(ctx)
	options := []option.RequestOption{option.WithMiddleware(giveUp), option.WithResponseInto(&resp), option.WithMaxRetryDelay(min(c.cfg.MaxRetryDelay, left))}
	if left < leastTime {
		options = append(options, option.WithMaxRetries(0))
	}
	stream := c.chat.NewStreaming(ctx, d.params(c.cfg, r), options...)
	defer stream.Close()
	if resp == nil {
		err := stream.Err()
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		e := c.broken(err)
		return Answer{Usage: r.usage(nil, e)}, e
	}
	if resp.StatusCode >= 300 {
		return Answer{}, c.refused(stream.Err(), resp)
	}
	var a assembly
	var err error
	switch kind := mediaType(resp); {
	case kind == "text/html" || kind == "application/xhtml+xml":
		return Answer{}, &Error{Code: CodeNotFound, Problem: "the address is a web page, not an API", Next: "check the address; most end in /v1"}
	case kind == "application/json" || kind == "text/plain" || strings.HasSuffix(kind, "+json"):
		err = a.whole(resp.Body)
	default:
		idle := time.AfterFunc(c.cfg.AnswerTime, func() { cancel(nil) }) // from the first piece on, IdleTime
		defer idle.Stop()
		for stream.Next() {
			idle.Reset(c.cfg.IdleTime)
			n, e := a.add(stream.Current())
			if e != nil {
				return Answer{Usage: r.usage(&a, e)}, e
			}
			if r.Progress != nil {
				r.Progress(n)
			}
		}
		err = stream.Err()
	}
	if err != nil {
		e := c.broken(err)
		return Answer{Usage: r.usage(&a, e)}, e
	}
	got, e := a.finished()
	got.Usage = r.usage(&a, e)
	return got, e
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
