package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
)

// withoutCancelled takes notifications/cancelled of 2026-07-28 out of the stream. Over HTTP a client of that
// era cancels a call by closing its request. The library finds the call to cancel by session and request id,
// and these requests have no session: one notification would end the call of every other client, of whatever
// owner, that has the same request id (seen by running it).
func withoutCancelled(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || !modern(r) {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body) // bounded by the handler before this one
		if err != nil {
			http.Error(w, "the body could not be read, or is too large", http.StatusRequestEntityTooLarge)
			return
		}
		var message struct {
			Method mcp.MCPMethod `json:"method"`
			ID     any           `json:"id"`
		}
		if json.Unmarshal(body, &message) == nil && message.ID == nil && message.Method == mcp.MethodNotificationCancelled {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}
