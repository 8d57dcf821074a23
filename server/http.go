package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/net/netutil"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

const (
	// Endpoint is the path of the MCP endpoint.
	Endpoint = "/mcp"
	// PagePath is the path of the web page.
	PagePath = "/ui/"
	// DefaultConnections is how many connections a server holds at the same time. Further ones wait.
	DefaultConnections = 1024

	headerTimeout = 5 * time.Second  // for a new connection to send a header
	readTimeout   = 60 * time.Second // for a whole request; 10 MB arrive over a slow line within it
	writeTimeout  = 2 * time.Minute  // from a request's header to the end of its response
	idleTimeout   = 2 * time.Minute  // between two requests
)

// Listen listens on an address. It refuses an address beyond loopback without authentication: anybody who reaches it
// could read and change the local owner's loops.
func Listen(ctx context.Context, address string, auth access.Authenticator) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("invalid --http address %q: want host:port, such as 127.0.0.1:8080", address)
	}
	if auth == nil && !access.Loopback(host) {
		return nil, fmt.Errorf("--http %q is not a loopback address, and without tokens anybody who reaches it could use your loops; "+
			"set --tokens or --oauth-issuer, or listen on 127.0.0.1 or [::1]", address)
	}
	if host == "localhost" {
		address = "127.0.0.1" + strings.TrimPrefix(address, host)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--http: %w; use an address of this machine and a free port, such as 127.0.0.1:8080", err)
	}
	return l, nil
}

// HTTP configures the HTTP transport. The zero value serves programs on this machine.
type HTTP struct {
	Auth        access.Authenticator        // authenticates callers; nil: everybody is the local owner
	Sites       *access.Sites               // host names and origins accepted; nil: loopback's
	PublicURL   string                      // with Issuer: the address that OAuth's metadata name
	Issuer      string                      // the OAuth authorization server; "": none
	TLS         *tls.Config                 // nil: plain HTTP
	Page        http.Handler                // the web page, below [PagePath]; nil: none
	Meter       *access.Meter               // limits the requests of each owner; nil: no limits
	Connections int                         // at the same time; 0: [DefaultConnections]
	Ready       func(context.Context) error // the readiness check; nil: always ready
}

// ServeHTTP serves MCP over streamable HTTP on l until ctx ends. It then fails readiness probes, stops listening, and
// finishes the calls in progress.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, h HTTP) error {
	var stopping atomic.Bool
	context.AfterFunc(ctx, func() { stopping.Store(true) })
	return serve(ctx, l, s.handler(h, &stopping), h, s.logger)
}

// ServePage serves a page on l until ctx ends, without the MCP endpoint.
func ServePage(ctx context.Context, l net.Listener, page http.Handler, logger *slog.Logger) error {
	mux := http.NewServeMux()
	mux.Handle(PagePath, page)
	mux.Handle("GET /{$}", http.RedirectHandler(PagePath, http.StatusSeeOther))
	return serve(ctx, l, new(access.Sites).Guard(mux), HTTP{}, logger)
}

func serve(ctx context.Context, l net.Listener, handler http.Handler, h HTTP, logger *slog.Logger) error {
	if h.Connections <= 0 {
		h.Connections = DefaultConnections
	}
	srv := &http.Server{
		Handler:           handler,
		TLSConfig:         h.TLS,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: 32},
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	l = netutil.LimitListener(l, h.Connections)
	done := make(chan error, 1)
	go func() {
		if h.TLS != nil {
			done <- srv.ServeTLS(l, "", "")
			return
		}
		done <- srv.Serve(l)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	if err := srv.Shutdown(grace); err != nil {
		srv.Close()
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Handler returns the MCP endpoint with its access checks, and the health endpoints. Each call runs on behalf of its
// token's owner.
func (s *Server) Handler(h HTTP) http.Handler { return s.handler(h, new(atomic.Bool)) }

func (s *Server) handler(h HTTP, stopping *atomic.Bool) http.Handler {
	endpoint := receive(h.Meter, server.NewStreamableHTTPServer(s.MCP,
		server.WithStateLess(true),
		server.WithDisableStreaming(true),
		server.WithStreamableHTTPLogger(s.logger),
		server.WithDisableLocalhostProtection(true), // access.Sites does it, and knows this server's names
	))
	mux := http.NewServeMux()
	if h.Auth != nil {
		endpoint = access.Bearer(h.Auth, serveMetadata(mux, h), s.logger, endpoint)
	} else {
		endpoint = asLocal(endpoint)
	}
	guard := cmp.Or(h.Sites, new(access.Sites)).Guard
	mux.Handle("/", guard(http.NotFoundHandler()))
	mux.Handle(Endpoint, guard(endpoint))
	if h.Page != nil {
		mux.Handle(PagePath, guard(h.Page))
		mux.Handle("GET /{$}", guard(http.RedirectHandler(PagePath, http.StatusSeeOther))) // for people who type the bare address
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plainText(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { s.readyz(w, r, h.Ready, stopping) })
	return mux
}

// asLocal serves requests as those of the local owner.
func asLocal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(loops.WithOwner(r.Context(), loops.LocalOwner)))
	})
}

// serveMetadata serves the metadata with which OAuth clients find the authorization server (RFC 9728), and returns their
// address. They are also at the path without the endpoint, for older clients. Without OAuth there are none.
func serveMetadata(mux *http.ServeMux, h HTTP) (address string) {
	if h.Issuer == "" {
		return ""
	}
	metadata := server.NewProtectedResourceMetadataHandler(server.ProtectedResourceMetadataConfig{Resource: h.PublicURL,
		AuthorizationServers: []string{h.Issuer}, ScopesSupported: []string{access.Scope}, BearerMethodsSupported: []string{"header"},
		ResourceName: "citeloop"})
	path := server.ProtectedResourceMetadataPath(h.PublicURL)
	mux.Handle(path, metadata)
	if path != server.WellKnownProtectedResourcePath {
		mux.Handle(server.WellKnownProtectedResourcePath, metadata)
	}
	scheme, rest, _ := strings.Cut(h.PublicURL, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host + path
}
