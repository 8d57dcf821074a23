package server

import (
	"context"
	"log/slog"
	"net"
	"net/http"

	"github.com/citeloop/citeloop/server/access"
)

// PagePath is the path of the web page.
const PagePath = "/ui/"

// Page is the web page. It authenticates its visitors itself; Stop ends its event streams.
type Page interface {
	http.Handler
	Stop()
}

// ServePage serves a page on l until ctx ends, without the MCP endpoint.
func ServePage(ctx context.Context, l net.Listener, page Page, logger *slog.Logger) error {
	mux := http.NewServeMux()
	mux.Handle(PagePath, page)
	mux.Handle("GET /{$}", http.RedirectHandler(PagePath, http.StatusSeeOther))
	var sites access.Sites // loopback names only
	return serve(ctx, l, sites.GuardPage(mux), HTTP{Page: page}, defaultTimeouts(), logger, newShutdown())
}
