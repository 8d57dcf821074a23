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

// Over stdio a client of either era cancels a request with notifications/cancelled, and then expects no response. The
// library cancels a running call but still responds, and it loses the cancellation of a call that waits for a worker
// (measured). So the reader and the writer of a stream track its requests here: a request that is cancelled before it
// starts never runs, and a cancelled request gets no response.
//
// Over HTTP every request gets a response, because HTTP requires one.

// inflight holds the unanswered requests of one stream.
type inflight struct {
	mu       sync.Mutex
	requests map[string]*pending // by requestKey
}

// pending is the state of one request.
type pending struct {
	begun     bool // the library can cancel it
	cancelled bool
}

// maxInflight bounds the tracked requests; requests beyond it are answered even if cancelled. The library queues 100
// calls, so a client that waits for responses stays far below.
const maxInflight = 10_000

func newInflight() *inflight { return &inflight{requests: map[string]*pending{}} }

type inflightKey struct{}

func (u *inflight) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, inflightKey{}, u)
}

// requestKey distinguishes the ids 5 and "5", which the library does not.
func requestKey(id any) string { return fmt.Sprintf("%T %v", id, id) }

// received records a line from the client, and reports whether to pass it to the library.
func (u *inflight) received(line []byte) bool {
	var message struct {
		Method mcp.MCPMethod   `json:"method"`
		ID     any             `json:"id"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(line, &message) != nil {
		return true // the library answers with a parse error
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case message.ID != nil:
		// Responses to the server's own requests have no method, and initialize cannot be cancelled.
		if message.Method != "" && message.Method != mcp.MethodInitialize && len(u.requests) < maxInflight {
			u.requests[requestKey(message.ID)] = &pending{}
		}
	case message.Method == mcp.MethodNotificationCancelled:
		var params struct {
			RequestID any `json:"requestId"`
		}
		if json.Unmarshal(message.Params, &params) != nil {
			return false
		}
		r := u.requests[requestKey(params.RequestID)]
		if r == nil { // answered, or unknown
			return false
		}
		r.cancelled = true
		return r.begun
	}
	return true
}

var errCancelled = errors.New("the request was cancelled before it started")

// refuseCancelled rejects a request that was cancelled while it waited.
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

// markStarted records that the library can cancel a request from now on. It repeats a cancellation that the library
// missed.
func markStarted(ctx context.Context, id any, _ mcp.MCPMethod, _ any) {
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

// answered records an outgoing line, and reports whether it is the response to a cancelled request.
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

// answerTo returns the id of the request that a line answers. It reads no further than needed: responses are long and
// begin with their id. The server's own requests have ids of a separate series.
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

// requestReader reads a client's lines, without those handled here. A line that exceeds maxBodyBytes is not kept, but
// answered.
type requestReader struct {
	in   *bufio.Reader
	all  *inflight
	out  io.Writer // for answers to lines that are too long
	rest []byte    // of the line being passed on
}

func (h *requestReader) Read(p []byte) (int, error) {
	for len(h.rest) == 0 {
		line, err := h.line()
		if h.all.received(line) {
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

// line reads the next line that does not exceed maxBodyBytes.
func (h *requestReader) line() ([]byte, error) {
	for {
		var (
			line []byte
			top  outline
			size int
		)
		for {
			part, err := h.in.ReadSlice('\n')
			size += len(part)
			_, _ = top.Write(part)
			if size <= maxBodyBytes {
				line = append(line, part...)
			} else {
				line = nil
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if size <= maxBodyBytes {
				return line, err
			}
			if answer := top.refusal(size); answer != nil {
				_, _ = h.out.Write(answer)
			}
			if err != nil {
				return nil, err
			}
			break
		}
	}
}

// responseWriter writes whole lines to a client, one at a time. It locks because the library locks only its responses,
// not its own requests.
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
