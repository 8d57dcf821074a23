package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// defaultIdle is how long a server may pause in the middle of a page. Chosen: half of a page's time, so that a copy can
// still be found.
const defaultIdle = 10 * time.Second

// errStalled ends a response whose body stopped arriving.
var errStalled = errors.New("the server stopped sending in the middle of the page")

// stalling sends a request and ends the response when no byte of the body arrives for idle. A server that drips bytes is
// not idle; the deadline of the page ends it.
func stalling(req *http.Request, idle time.Duration, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	resp, err := send(req.WithContext(ctx))
	if err != nil {
		cancel(nil)
		return nil, err
	}
	resp.Request = req
	timer := time.AfterFunc(idle, func() { cancel(errStalled) })
	timer.Stop()
	resp.Body = &stallingBody{ReadCloser: resp.Body, ctx: ctx, timer: timer, idle: idle, end: sync.OnceFunc(func() { timer.Stop(); cancel(nil) })}
	return resp, nil
}

// stallingBody is a body with a deadline for each read. Time between reads does not count.
type stallingBody struct {
	io.ReadCloser
	ctx   context.Context
	timer *time.Timer
	idle  time.Duration
	end   func()
}

func (b *stallingBody) Read(p []byte) (int, error) {
	b.timer.Reset(b.idle)
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop()
	if err != nil && err != io.EOF && errors.Is(context.Cause(b.ctx), errStalled) {
		err = errStalled
	}
	return n, err
}

func (b *stallingBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
