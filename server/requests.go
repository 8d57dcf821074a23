package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"

	"github.com/mark3labs/mcp-go/mcp"
)

// withoutCancelled drops notifications/cancelled of 2026-07-28. Over HTTP a client of that era cancels a call by closing
// its request. The library finds the call to cancel by session and request id, and these requests have no session: one
// notification would cancel the calls of all clients and owners with the same request id (measured).
func withoutCancelled(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || !modern(r) {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body) // bounded by the handler before this one
		if err != nil {
			http.Error(w, "unreadable or too large request body", http.StatusRequestEntityTooLarge)
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

// suspectNumber matches numbers that may not fit into a float64, also inside strings.
var suspectNumber = regexp.MustCompile(`[0-9]{300}|[0-9][eE][+-]?[0-9]{3}`)

var errNumber = errors.New("number too large in the request: numbers must fit into a 64-bit float; nothing was done")

// rejectHugeNumbers rejects a request with a number that no float64 holds. The library would answer with the words of
// Go's decoder and all digits of the number.
func rejectHugeNumbers(_ context.Context, _ any, message any) error {
	raw, ok := message.(json.RawMessage)
	if !ok || !suspectNumber.Match(raw) {
		return nil
	}
	var value any
	if _, huge := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal(raw, &value)); huge {
		return errNumber
	}
	return nil
}
