package server

import (
	"context"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

// MaxStreams are open on one server at a time, of the page and the endpoint together: half of the connections that it
// holds, so that calls find one..
const MaxStreams = 2048

// longLived requests stay open: the event stream of the older era, and the subscription of the newer one,
// whose header the library holds against the body.
func longLived(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Header.Get(mcp.HeaderMethod) == string(mcp.MethodSubscriptionsListen)
}

// streams counts the requests that stay open, and ends them when the server does: they would hold it up until its
// patience is over.
func streams(count *access.Streams, ending <-chan struct{}, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !longLived(r) {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method == http.MethodGet && r.ContentLength != 0 {
			// Nobody would read it, and while it is not read nobody would notice that the client has gone.
			http.Error(w, "a GET has no body", http.StatusBadRequest)
			return
		}
		end, err := count.Open(loops.OwnerOf(r.Context()))
		if err != nil {
			access.RefuseStream(w, err)
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
