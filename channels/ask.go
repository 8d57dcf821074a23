package channels

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/internal/resilience"
)

// maxBodyBytes bounds an answer after decompression: thirty times the largest recorded one (arXiv, 100 papers, 230 kB).
const maxBodyBytes = 8 << 20

// Ask sends a channel's request: it keeps the host's rate, checks status and format, parses, and retries. read parses the
// body of a response with status 200. A *Failure from read counts like an HTTP error, so that an error inside a 200 is
// retried and reported by the same rules.
func Ask[T any](ctx context.Context, c *Client, req Request, read func(body []byte) (T, error)) (got T, err error) {
	if req.URL == nil {
		if req.URL, err = c.Address("", req.Params, req.Path...); err != nil {
			return got, err
		}
	}
	err = c.host(req).Do(ctx, c.limits(), func(leave func()) resilience.Result {
		defer leave() // also if read panics
		header, body, err := c.get(ctx, req)
		if err == nil {
			got, err = read(body)
		}
		return c.result(ctx, req, header, err)
	})
	return got, explained(ctx, err)
}

// host returns the state of the host that a request is sent to.
func (c *Client) host(req Request) *resilience.Host {
	name := req.PaceAs
	if name == "" || c.Base != "" {
		name = address.HostPort(req.URL)
	}
	host := c.Config.Hosts.Of(name)
	c.asked.Store(host)
	return host
}

// limits returns the limits of the channel's hosts.
func (c *Client) limits() resilience.Limits {
	every := time.Duration(0)
	if c.RatePerSecond > 0 {
		every = time.Duration(float64(time.Second) / c.RatePerSecond)
	}
	return resilience.Limits{Every: every, Burst: c.Burst, Parallel: c.Parallel}
}

// get sends one request and returns the headers and, of a 200 in the wanted format, the body.
func (c *Client) get(ctx context.Context, req Request) (http.Header, []byte, error) {
	r, err := req.build(ctx)
	if err != nil {
		return nil, nil, &Failure{Status: StatusError, Message: "the request could not be made", Cause: err}
	}
	r.Header.Set("User-Agent", c.Config.UserAgent)
	r.Header.Set("Accept-Encoding", fetch.AcceptEncoding)
	client := c.Config.Client
	if req.FromQuery {
		client = c.Config.Pages
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, nil, notReached(ctx, err)
	}
	defer resp.Body.Close()
	body, err := fetch.ReadBody(resp, maxBodyBytes, maxBodyBytes)
	if err != nil && resp.StatusCode == http.StatusOK { // the status of a refusal matters, not its body
		return nil, nil, notReached(ctx, err)
	}
	if fail := refusal(resp, body, req, c.Config.Now()); fail != nil {
		return resp.Header, nil, fail
	}
	return resp.Header, body, nil
}

// result returns what an attempt means for the host.
func (c *Client) result(ctx context.Context, req Request, header http.Header, err error) (r resilience.Result) {
	now := c.Config.Now()
	r.After = exhausted(header, now)
	ended := "answered"
	if err != nil {
		fail := AsFailure(err)
		ended = string(fail.Status)
		if fail.Status != StatusOK && fail.Status != StatusDegraded {
			fail.RetryAfter = cmp.Or(fail.RetryAfter, resilience.RetryAfter(header, now))
		}
		r = resilience.Result{Err: fail, After: max(r.After, fail.RetryAfter), Again: fail.Retry, Failed: fail.countsAgainst(),
			Unasked: fail.Inconclusive}
	}
	c.Config.Logger.LogAttrs(ctx, slog.LevelDebug, "asked", slog.String("channel", c.Name),
		slog.String("host", req.URL.Host), // the rest of the address may contain a key
		slog.String("result", ended))
	return r
}

// explained returns the failure of a request that was not sent, or the error as it is.
func explained(ctx context.Context, err error) error {
	if busy, ok := errors.AsType[*resilience.BusyError](err); ok {
		return outOfTurn(busy.Wait)
	}
	if down, ok := errors.AsType[*resilience.DownError](err); ok {
		return circuitOpen(down)
	}
	if _, ok := errors.AsType[*Failure](err); ok || err == nil {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return outOfTurn(time.Second)
	}
	return notReached(ctx, err)
}

func outOfTurn(wait time.Duration) *Failure {
	f := Fail(StatusRateLimited, "not asked: the next request to this host may start in %s, after this call's deadline", roundUp(wait))
	f.RetryAfter, f.Inconclusive = max(wait, time.Second), true
	return f
}

// circuitOpen returns the failure of a request to a host that failed several times in a row.
func circuitOpen(open *resilience.DownError) *Failure {
	last := AsFailure(open.Last)
	f := Fail(last.Status, "not asked: %d failures in a row, circuit open until %s (last: %s)",
		open.Failures, clockTime(open.Until), last.Message)
	if open.Trying {
		f.Message = "not asked: the source failed before and another search is trying it now (last: " + last.Message + ")"
	}
	f.RetryAfter, f.Inconclusive = open.Left, true
	return f
}

func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

func roundUp(d time.Duration) time.Duration {
	return max((d + time.Second - 1).Truncate(time.Second), time.Second)
}

// notReached returns the failure of a request without a readable response.
func notReached(ctx context.Context, err error) *Failure {
	if whole, ok := errors.AsType[*url.Error](err); ok {
		err = whole.Err // without the address, which may contain a key
	}
	_, words := fetch.Explain(err)
	fail := &Failure{Status: StatusUnavailable, Message: words, Cause: err}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		fail.Message, fail.Inconclusive = "the search was cancelled", true
	case ctx.Err() != nil:
		fail.Message = "no answer before the deadline"
	case errors.Is(err, address.ErrForbidden):
		fail.Message, fail.Inconclusive = "not asked: "+words, true
	case errors.Is(err, fetch.ErrTooManyRedirects):
		fail.Status, fail.Message = StatusError, "too many redirects"
	case errors.Is(err, limit.ErrTooLarge):
		fail.Status, fail.Message = StatusMalformed, "the answer is larger than 8 MB"
	default:
		fail.Retry = fetch.Temporary(err)
	}
	return fail
}
