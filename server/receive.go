package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/semaphore"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools/arguments"
)

// A body is read and checked before the library decodes it, within a budget of memory for all requests. Decoding copies a
// text a few times, and turns the shortest value into bytesPerValue (measured with lists of ""). A request of the largest size takes
// nearly a third of the budget, one of 2 kB half a megabyte.
const (
	bytesPerByte  = 6
	bytesPerValue = 500
	decodingBytes = 384 << 20
)

// receive passes on the requests that may be decoded. meter may be nil.
//
// A session id of the older era only tells clients apart that cancel calls: the library finds the call by session and id.
// It is not stored, and no other owner can use it.
func receive(meter *access.Meter, next http.Handler) http.Handler {
	memory := semaphore.NewWeighted(decodingBytes)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "method not allowed; use POST: this server stores no sessions and opens no event streams",
				http.StatusMethodNotAllowed)
			return
		}
		end, err := meter.Begin(loops.OwnerOf(r.Context()))
		if err != nil {
			access.Refuse(w, err)
			return
		}
		defer end()
		size := r.ContentLength
		if size < 0 || size > maxBodyBytes {
			size = maxBodyBytes
		}
		decoded := size*bytesPerByte + min(size/2, arguments.MaxValues)*bytesPerValue
		if !memory.TryAcquire(decoded) {
			access.Refuse(w, errCrowded)
			return
		}
		defer memory.Release(decoded)
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err != nil {
			_, _ = io.CopyN(io.Discard, r.Body, maxBodyBytes) // a client that still sends would not read the answer
			access.RefuseSize(w, fmt.Sprintf("unreadable or too large request body; send at most %d bytes", maxBodyBytes))
			return
		}
		body = bytes.TrimPrefix(body, byteOrderMark)
		if err := checkValues(body); err != nil {
			access.RefuseSize(w, err.Error())
			return
		}
		session := r.Header.Get(server.HeaderKeySessionID)
		switch method := methodOf(body); {
		case method == mcp.MethodInitialize:
			w.Header().Set(server.HeaderKeySessionID, uuid.NewString())
		case method == mcp.MethodNotificationCancelled && (session == "" || mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))):
			w.WriteHeader(http.StatusAccepted) // nothing tells its client from others
			return
		}
		if session != "" {
			r.Header.Set(server.HeaderKeySessionID, loops.OwnerOf(r.Context())+" "+session)
		}
		r.Body = io.NopCloser(bytes.NewReader(passLongIDs(body)))
		next.ServeHTTP(idRestorer{w}, r)
	})
}

var errCrowded = errors.New("the server is decoding too many large requests; retry later; nothing was done")

// idRestorer puts long ids back into responses.
type idRestorer struct{ http.ResponseWriter }

func (w idRestorer) Write(p []byte) (int, error) {
	if _, err := w.ResponseWriter.Write(restoreLongID(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush implements [http.Flusher], which the library requires for progress.
func (w idRestorer) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }
