package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Over stdio a client of either era cancels a request with notifications/cancelled, and then expects no answer to
// it. The library cancels what a worker has begun and answers it nevertheless; a cancellation that overtakes a call
// which waits for a worker is lost, and the call runs (seen by running it). So the requests of a stream are counted
// here between its two ends: what is cancelled before it begins never begins, and what is cancelled is not answered.
//
// Over HTTP a request is answered in any case: HTTP demands it.

// inflight are the requests of one stream that were not answered yet.
type inflight struct {
	mu       sync.Mutex
	requests map[string]*pending // by requestKey
}

// pending is where one stands.
type pending struct {
	begun     bool // the library can cancel it
	cancelled bool
}

// maxInflight requests are counted; those beyond it are answered though they be cancelled. The library's queue holds
// 100 calls, so that a client which waits for answers never comes near.
const maxInflight = 10_000

func newInflight() *inflight { return &inflight{requests: map[string]*pending{}} }

type inflightKey struct{}

func (u *inflight) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, inflightKey{}, u)
}

// requestKey tells the ids 5 and "5" apart, which the library does not.
func requestKey(id any) string { return fmt.Sprintf("%T %v", id, id) }

// hear notes what a client says, and reports whether the library is to hear it as well.
func (u *inflight) hear(line []byte) bool {
	var said struct {
		Method mcp.MCPMethod   `json:"method"`
		ID     any             `json:"id"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(line, &said) != nil {
		return true // the library knows what to answer
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case said.ID != nil:
		// Answers to the server's own requests have no method, and initialize cannot be cancelled.
		if said.Method != "" && said.Method != mcp.MethodInitialize && len(u.requests) < maxInflight {
			u.requests[requestKey(said.ID)] = &pending{}
		}
	case said.Method == mcp.MethodNotificationCancelled:
		var params struct {
			RequestID any `json:"requestId"`
		}
		if json.Unmarshal(said.Params, &params) != nil {
			return false
		}
		r := u.requests[requestKey(params.RequestID)]
		if r == nil { // answered, or never asked
			return false
		}
		r.cancelled = true
		return r.begun
	}
	return true
}

var errCancelled = errors.New("the request was cancelled before it began")

// refuseCancelled keeps what was cancelled while it waited from being begun.
func refuseCancelled(ctx context.Context, id any, _ any) error {
	u, ok := ctx.Value(inflightKey{}).(*inflight)
	if !ok {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if r := u.requests[requestKey(id)]; r != nil && r.cancelled {
		return errCancelled
	}
	return nil
}

// noteBegun notes that the library can cancel a request from now on, and has it do so if that was missed.
func noteBegun(ctx context.Context, id any, _ mcp.MCPMethod, _ any) {
	u, ok := ctx.Value(inflightKey{}).(*inflight)
	if !ok {
		return
	}
	u.mu.Lock()
	r := u.requests[requestKey(id)]
	missed := r != nil && r.cancelled
	if r != nil {
		r.begun = true
	}
	u.mu.Unlock()
	if !missed {
		return
	}
	if cancel, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "method": mcp.MethodNotificationCancelled, "params": map[string]any{"requestId": id}}); err == nil {
		server.ServerFromContext(ctx).HandleMessage(ctx, cancel)
	}
}

// answered notes that a line goes out, and reports whether it is an answer that nobody waits for any more.
func (u *inflight) answered(line []byte) (unwanted bool) {
	id, ok := answerTo(line)
	if !ok {
		return false
	}
	key := requestKey(id)
	u.mu.Lock()
	defer u.mu.Unlock()
	r := u.requests[key]
	delete(u.requests, key)
	return r != nil && r.cancelled
}

// answerTo is the id of the request that a line answers. It reads no further than it must: answers are long, and
// begin with their id. Requests of the server have ids as well, of a series of their own.
func answerTo(line []byte) (id any, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		switch key {
		case "method":
			return nil, false
		case "result", "error":
			return id, id != nil
		case "id":
			err = dec.Decode(&id)
		default:
			var skipped json.RawMessage
			err = dec.Decode(&skipped)
		}
		if err != nil {
			return nil, false
		}
	}
	return nil, false
}

// heard is what a client says, without what is settled here.
type requestReader struct {
	in   *bufio.Reader
	all  *inflight
	rest []byte // of the line that is passed on
}

func (h *requestReader) Read(p []byte) (int, error) {
	for len(h.rest) == 0 {
		line, err := h.in.ReadBytes('\n')
		if h.all.hear(line) {
			h.rest = line
		}
		if err != nil && len(h.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, h.rest)
	h.rest = h.rest[n:]
	return n, nil
}

// told is what goes to a client: whole lines, one after the other. The library writes its answers under a lock, and
// its own requests to the client without it.
type responseWriter struct {
	mu  sync.Mutex
	out io.Writer
	all *inflight
}

func (t *responseWriter) Write(line []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all.answered(line) {
		return len(line), nil
	}
	return t.out.Write(line)
}
