package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/jsoncount"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools/arguments"
)

// Over HTTP a request is admitted before the library decodes it: its values are counted while it is read, the memory of
// decoding it is reserved, and scope and rate are checked by the name of its tool. Requests of every other method count
// as calls, too. The library would decode all
// arguments first, into some 500 bytes a value.

const (
	// Decoding copies a text a few times, and turns the shortest value into bytesPerValue. Measured with lists of "".
	bytesPerByte  = 6
	bytesPerValue = 500
	// ownerDecoding and allDecoding bound the memory of all requests being decoded. One owner may send two of the
	// largest bodies at the same time.
	ownerDecoding = 192 << 20
	allDecoding   = 384 << 20
	// maxMetaBytes bounds _meta, which is decoded even for a refused call, the body of a long-lived request, and that of
	// initialize, whose names a session keeps.
	maxMetaBytes = 64 << 10
)

// admitter checks requests before they are decoded.
type admitter struct {
	calls  authorizer
	budget *access.Quota
}

func newAdmitter(calls authorizer) admitter {
	return admitter{calls, access.NewDecoding(ownerDecoding, allDecoding)}
}

// envelope is a request without its arguments.
type envelope struct {
	JSONRPC json.RawMessage `json:"jsonrpc,omitempty"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  mcp.MCPMethod   `json:"method"`
	Params  struct {
		Name string          `json:"name"`
		Meta json.RawMessage `json:"_meta,omitempty"`
	} `json:"params"`
}

// admit passes on the requests that may be decoded. A call that may not run is passed on without its arguments, so that
// it is answered and recorded like any other refused call.
//
// It drops notifications/cancelled of 2026-07-28. Over HTTP a client of that era cancels a call by closing its request.
// The library finds the call to cancel by session and request id, and these requests have no session: one notification
// would cancel the calls of all clients and owners with the same request id (measured).
func (a admitter) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			if end, ok := a.count(w, r); ok {
				end() // streams have a limit of their own
				next.ServeHTTP(w, r)
			}
			return
		}
		share := a.budget.Share(loops.OwnerOf(r.Context()))
		defer share.Release()
		body, ok := a.readBody(w, r, share)
		if !ok {
			return
		}
		var request envelope
		known := json.Unmarshal(body, &request) == nil // otherwise the library returns the error
		if !known || request.Method != mcp.MethodToolsCall {
			end, ok := a.count(w, r)
			if !ok {
				return
			}
			if request.Method == "" || longLived(r) { // an answer, for which a call of the owner waits, or a stream
				end()
			} else {
				defer end()
			}
		}
		if known {
			switch {
			case request.Method == mcp.MethodInitialize && len(body) > maxMetaBytes:
				access.RefuseSize(w, "request body too large: %d bytes; send at most %d to initialize", len(body), maxMetaBytes)
				return
			case request.Method == mcp.MethodNotificationCancelled && len(request.ID) == 0 && modern(r):
				w.WriteHeader(http.StatusAccepted)
				return
			case request.Method == mcp.MethodToolsCall:
				end, err := a.begin(r.Context(), request.Params.Name)
				if err == nil {
					defer end()
				} else if body = request.withoutArguments(); body == nil {
					access.RefuseSize(w, "%v", err)
					return
				}
				r = r.WithContext(context.WithValue(r.Context(), admissionKey{}, &admission{err}))
			}
		}
		if longLived(r) {
			if len(body) > maxMetaBytes {
				access.RefuseSize(w, "request body too large: %d bytes; send at most %d to open a stream", len(body), maxMetaBytes)
				return
			}
			share.Release()
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// begin checks a call before it is decoded, and counts it.
func (a admitter) begin(ctx context.Context, tool string) (end func(), err error) {
	if err := a.calls.scope(ctx, tool); err != nil {
		return nil, err
	}
	return a.calls.begin(ctx)
}

// count counts a request that is no call of a tool, or answers that there are too many.
func (a admitter) count(w http.ResponseWriter, r *http.Request) (end func(), ok bool) {
	if a.calls.meter == nil {
		return func() {}, true
	}
	end, err := a.calls.meter.Begin(loops.OwnerOf(r.Context()))
	if err != nil {
		access.Refuse(w, err)
		return nil, false
	}
	return end, true
}

// withoutArguments returns the request without the arguments, or nil if the rest is too large as well.
func (e *envelope) withoutArguments() []byte {
	if len(e.Params.Meta)+len(e.ID)+len(e.Params.Name) > maxMetaBytes {
		return nil
	}
	body, err := json.Marshal(e)
	if err != nil {
		return nil
	}
	return body
}

// readBody reads a body and reserves the memory of decoding it, while the bytes arrive. If that fails, it answers the
// request.
func (a admitter) readBody(w http.ResponseWriter, r *http.Request, share *access.Share) (body []byte, ok bool) {
	var text bytes.Buffer
	var counted jsoncount.Counter
	chunk := make([]byte, 32<<10)
	for {
		n, err := r.Body.Read(chunk)
		text.Write(chunk[:n])
		_, _ = counted.Write(chunk[:n])
		if counted.Values > arguments.MaxValues {
			discard(r)
			access.RefuseSize(w, "too many JSON values in the request; send at most %d. Nothing was done", arguments.MaxValues)
			return nil, false
		}
		if crowded := share.Grow(int64(text.Len())*bytesPerByte + int64(counted.Values)*bytesPerValue); crowded != nil {
			discard(r)
			access.Refuse(w, crowded)
			return nil, false
		}
		switch {
		case errors.Is(err, io.EOF):
			return text.Bytes(), true
		case err != nil:
			access.RefuseSize(w, "unreadable or too large request body; send at most %d bytes", maxBodyBytes)
			return nil, false
		}
	}
}

// discard reads the rest of a refused body. A client that still sends would not read the answer.
func discard(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }
