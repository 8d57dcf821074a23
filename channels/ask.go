package channels

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/address"
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
	pacer := c.pacer(req)
	for attempt := 0; ; attempt++ {
		leave, fail := pacer.enter(ctx)
		if fail != nil {
			return got, fail
		}
		var header http.Header
		got, err = func() (got T, err error) {
			defer leave() // also if read panics
			var body []byte
			if header, body, err = c.get(ctx, req, pacer); err != nil {
				return got, err
			}
			return read(body)
		}()
		if err == nil {
			return got, nil
		}
		fail = AsFailure(err)
		if fail.RetryAfter == 0 && fail.Status != StatusOK && fail.Status != StatusDegraded {
			fail.RetryAfter = resilience.RetryAfter(header, c.Config.Now())
		}
		if fail.RetryAfter > 0 {
			pacer.holdOff(ctx, fail.RetryAfter)
		}
		if !fail.Retry {
			return got, fail
		}
		wait, again := resilience.Retry{Random: c.Config.Rand}.Wait(ctx, attempt, fail.RetryAfter)
		if !again || c.Config.Sleep(ctx, wait) != nil {
			return got, fail
		}
	}
}

// get sends one request and returns the headers and, of a 200 in the wanted format, the body.
func (c *Client) get(ctx context.Context, req Request, pacer *pacer) (header http.Header, body []byte, err error) {
	start := c.Config.Now()
	defer func() {
		result := "answered"
		if err != nil {
			result = string(AsFailure(err).Status)
		}
		c.Config.Logger.LogAttrs(ctx, slog.LevelDebug, "asked", slog.String("channel", c.Name),
			slog.String("host", req.URL.Host), // the rest of the address may contain a key
			slog.String("result", result), slog.Duration("took", c.Config.Now().Sub(start)))
	}()
	r, err := req.build(ctx)
	if err != nil {
		return nil, nil, &Failure{Status: StatusError, Message: "the request could not be made", Cause: err}
	}
	r.Header.Set("User-Agent", c.Config.UserAgent)
	client := c.Config.Client
	if req.FromQuery {
		client = c.Config.Pages
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, nil, notReached(ctx, err)
	}
	defer resp.Body.Close()
	if left, ok := allowanceOf(resp.Header, c.Config.Now()); ok {
		c.left.Store(&left)
		if left.remaining == 0 {
			pacer.holdOff(ctx, left.resets)
		}
	}
	body, err = readBody(resp)
	switch {
	case err == nil || resp.StatusCode != http.StatusOK: // the status of a refusal matters, not its body
	case errors.Is(err, errTooLarge):
		return nil, nil, Fail(StatusMalformed, "the answer is larger than %d MB", maxBodyBytes>>20)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		return nil, nil, &Failure{Status: StatusMalformed, Message: "invalid compression", Cause: err}
	default:
		return nil, nil, notReached(ctx, err)
	}
	if fail := refusal(resp, body, req, c.Config.Now()); fail != nil {
		return nil, nil, fail
	}
	return resp.Header, body, nil
}

var errTooLarge = errors.New("channels: answer too large")

func readBody(resp *http.Response) ([]byte, error) {
	var r io.Reader = resp.Body
	if !resp.Uncompressed && strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		// Some services (Stack Exchange) always compress.
		z, err := gzip.NewReader(io.LimitReader(resp.Body, maxBodyBytes))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	}
	body, err := io.ReadAll(io.LimitReader(r, maxBodyBytes+1))
	if len(body) > maxBodyBytes {
		return nil, errTooLarge
	}
	return body, err
}

// notReached returns the failure of a round trip without a response.
func notReached(ctx context.Context, err error) *Failure {
	if whole, ok := errors.AsType[*url.Error](err); ok {
		err = whole.Err // without the address, which may contain a key
	}
	fail := &Failure{Status: StatusUnavailable, Cause: err}
	var forbidden *address.ForbiddenError
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		fail.Message, fail.Inconclusive = "the search was cancelled", true
	case ctx.Err() != nil:
		fail.Message = "no answer before the deadline"
	case errors.As(err, &forbidden):
		fail.Message, fail.Inconclusive = "not asked: "+forbidden.Error(), true
	case errors.Is(err, fetch.ErrTooManyRedirects):
		fail.Status, fail.Message = StatusError, "too many redirects"
	case errors.As(err, &dns):
		fail.Message = "unknown host"
	case errors.Is(err, syscall.ECONNREFUSED):
		fail.Message = "refused the connection"
	case errors.As(err, &timeout) && timeout.Timeout():
		fail.Message = "no answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		fail.Message, fail.Retry = "closed the connection", true
	default:
		fail.Message = "could not be reached"
	}
	return fail
}
