package server

import (
	"context"
	"log/slog"
	"net"
	"net/http"

	"github.com/citeloop/citeloop/server/access"
)

// PagePath is where the page for people lies, beside the endpoint for hosts.
const PagePath = "/ui/"

// Page is the page for people. It lets visitors in by itself; Stop ends its event streams.
type Page interface {
	http.Handler
	Stop()
}

// ServePage serves a page alone on l, without the endpoint for hosts, until ctx ends.
func ServePage(ctx context.Context, l net.Listener, page Page, logger *slog.Logger) error {
	mux := http.NewServeMux()
	mux.Handle(PagePath, page)
	mux.Handle("GET /{$}", http.RedirectHandler(PagePath, http.StatusSeeOther))
	var sites access.Sites // loopback's names alone
	return serve(ctx, l, sites.GuardPage(mux), HTTP{Page: page}, defaultTimeouts(), logger, newShutdown())
}
