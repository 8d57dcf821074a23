package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// defaultIdle is how long a server may send nothing in the middle of a page. Chosen: half of a page's time, so
// that a copy can still be looked for.
const defaultIdle = 10 * time.Second

// errStalled ends an answer that stopped coming.
var errStalled = errors.New("the server stopped sending in the middle of the page")

// stalling sends a request and ends its answer when no byte of the body comes for idle. A server that drips
// bytes is not idle: it ends by the deadline of the whole page.
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

// stallingBody is a body whose every read has a deadline. The time between reads is the reader's own.
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
