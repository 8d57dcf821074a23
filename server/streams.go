package server

import (
	"context"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

// MaxStreams is how many streams of the page and the endpoint a server holds: half of its connections, so that some
// remain for calls.
const MaxStreams = 2048

// longLived reports whether a request stays open: the event stream of the older era, or the subscription of the newer
// one. The library checks that header against the body.
func longLived(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Header.Get(mcp.HeaderMethod) == string(mcp.MethodSubscriptionsListen)
}

// streams counts the requests that stay open, and ends them at shutdown: they would delay it until its grace period
// ends.
func streams(count *access.Quota, ending <-chan struct{}, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !longLived(r) {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method == http.MethodGet && r.ContentLength != 0 {
			// An unread body would hide that the client has disconnected.
			http.Error(w, "unexpected body in a GET request", http.StatusBadRequest)
			return
		}
		end, err := count.Open(loops.OwnerOf(r.Context()))
		if err != nil {
			access.Refuse(w, err)
			return
		}
		defer end()
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		go func() {
			select {
			case <-ending: // nil: never
				cancel()
			case <-ctx.Done():
			}
		}()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
