package channels

import (
	"bytes"
	"cmp"
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

// maxBodyBytes is the most that is read of an answer, after decompression: thirty times the largest recorded
// one (arXiv, 100 papers, 230 kB).
const maxBodyBytes = 8 << 20

// ask is the one way from a channel to its source: it keeps the host's pace, sends, checks status and type,
// reads, and tries again where that is allowed. read turns the body into what the channel wants; a *Failure
// from it counts like one of HTTP, so that an error inside a 200 is retried and reported by the same rules.
func ask[T any](ctx context.Context, d *door, req request, read func(answer) (T, error)) (T, error) {
	pacer := d.pacer(req)
	for attempt := 0; ; attempt++ {
		leave, fail := pacer.enter(ctx)
		if fail != nil {
			var none T
			return none, fail
		}
		got, err := attemptOnce(ctx, d, req, pacer, read)
		leave()
		if err == nil {
			return got, nil
		}
		fail = asFailure(err)
		if fail.RetryAfter > 0 {
			pacer.holdOff(ctx, fail.RetryAfter)
		}
		if !fail.retry {
			return got, fail
		}
		wait, again := resilience.Retry{Random: d.cfg.Rand}.Wait(ctx, attempt, fail.RetryAfter)
		if !again || d.sleep(ctx, wait) != nil {
			return got, fail
		}
	}
}

func attemptOnce[T any](ctx context.Context, d *door, req request, pacer *pacer, read func(answer) (T, error)) (T, error) {
	var none T
	start := d.cfg.Now()
	got, err := d.get(ctx, req, pacer)
	result := "answered"
	if err != nil {
		result = string(asFailure(err).Status)
	}
	d.cfg.Logger.LogAttrs(ctx, slog.LevelDebug, "asked", slog.String("channel", d.name),
		slog.String("host", req.url.Host), // the rest of the address may hold a key
		slog.String("result", result), slog.Duration("took", d.cfg.Now().Sub(start)))
	if err != nil {
		return none, err
	}
	out, err := read(got)
	if err != nil {
		fail := asFailure(err)
		if fail.RetryAfter == 0 && fail.Status != StatusOK && fail.Status != StatusDegraded {
			fail.RetryAfter = resilience.RetryAfter(got.header, d.cfg.Now())
		}
		return out, fail
	}
	return out, nil
}

// get sends one request and returns the body of a 200 in the wanted format.
func (d *door) get(ctx context.Context, req request, pacer *pacer) (answer, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if req.body != nil {
		method, body = http.MethodPost, bytes.NewReader(req.body)
	}
	r, err := http.NewRequestWithContext(ctx, method, req.url.String(), body)
	if err != nil {
		return answer{}, &Failure{Status: StatusError, Message: "the request could not be made", Cause: err}
	}
	if req.body != nil {
		r.Header.Set("Content-Type", cmp.Or(req.bodyType, "application/json"))
	}
	r.Header.Set("User-Agent", d.cfg.UserAgent)
	r.Header.Set("Accept", req.want.accept())
	for name, values := range req.header {
		r.Header[name] = values
	}
	client := d.cfg.Client
	if req.foreign {
		client = d.cfg.Pages
	}
	resp, err := client.Do(r)
	if err != nil {
		return answer{}, d.notReached(ctx, err)
	}
	defer resp.Body.Close()
	if left, ok := allowanceOf(resp.Header, d.cfg.Now()); ok {
		d.left.Store(&left)
		if left.remaining == 0 {
			pacer.holdOff(ctx, left.resets)
		}
	}
	if rate := statedRate(resp.Header); rate > 0 {
		pacer.slowTo(rate)
	}
	got, err := readBody(resp)
	switch {
	case err == nil || resp.StatusCode != http.StatusOK: // a refusal is one whether or not its page arrived whole
	case errors.Is(err, errTooLarge):
		return answer{}, failure(StatusMalformed, "the answer is larger than %d MB", maxBodyBytes>>20)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		return answer{}, &Failure{Status: StatusMalformed, Message: "the answer is compressed in a way that cannot be read", Cause: err}
	default:
		return answer{}, d.notReached(ctx, err)
	}
	if fail := d.refusal(resp, got, req); fail != nil {
		return answer{}, fail
	}
	return answer{header: resp.Header, body: got}, nil
}

var errTooLarge = errors.New("channels: answer too large")

func readBody(resp *http.Response) ([]byte, error) {
	var r io.Reader = resp.Body
	if !resp.Uncompressed && strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		// Some services (Stack Exchange) compress whether asked to or not.
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

// notReached gives a failed round trip its status.
func (d *door) notReached(ctx context.Context, err error) *Failure {
	if whole, ok := errors.AsType[*url.Error](err); ok {
		err = whole.Err // without the address, which may hold a key
	}
	fail := &Failure{Status: StatusUnavailable, Cause: err}
	var forbidden *address.ForbiddenError
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		fail.Message, fail.inconclusive = "the search was cancelled", true
	case ctx.Err() != nil:
		fail.Message = "no answer before the deadline"
	case errors.As(err, &forbidden):
		fail.Message, fail.inconclusive = "not asked: "+forbidden.Error(), true
	case errors.Is(err, fetch.ErrTooManyRedirects):
		fail.Status, fail.Message = StatusError, "leads from one address to the next without end"
	case errors.As(err, &dns):
		fail.Message = "its name does not resolve"
	case errors.Is(err, syscall.ECONNREFUSED):
		fail.Message = "refused the connection"
	case errors.As(err, &timeout) && timeout.Timeout():
		fail.Message = "no answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		fail.Message, fail.retry = "cut the connection", true
	default:
		fail.Message = "could not be reached"
	}
	return fail
}
