package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/server/access"
)

// Listen listens on an address. It refuses an address beyond loopback without authentication: anybody who reaches it
// could read and change the local owner's loops.
func Listen(ctx context.Context, address string, auth access.Authenticator) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("invalid --http address %q: want host:port, such as 127.0.0.1:8080", address)
	}
	if auth == nil && !loopback(host) {
		return nil, fmt.Errorf("--http %q is not a loopback address, and without tokens anybody who reaches it could use your loops; set --tokens or --oauth-issuer, or listen on 127.0.0.1 or [::1]", address)
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

// loopback reports whether a host is reachable from this machine only. It does not resolve names other than localhost,
// because their addresses may change.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Loopback reports whether an address is reachable from this machine only.
func Loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// PagePath is the path of the web page.
const PagePath = "/ui/"

// Page is the web page. It authenticates its visitors itself; Stop ends its event streams.
type Page interface {
	http.Handler
	Stop()
}

// HTTP configures the HTTP transport. The zero value serves programs on this machine.
type HTTP struct {
	Auth     access.Authenticator            // authenticates callers; nil: everybody is the local owner
	Sites    access.Sites                    // host names and origins accepted in addition to loopback's
	Resource *access.Resource                // OAuth protected resource metadata; nil: none
	TLS      *tls.Config                     // nil: plain HTTP
	Page     Page                            // the web page, below [PagePath]; nil: none
	Streams  *access.Quota                   // counts open streams; nil: [MaxStreams] and no limit per owner
	Ready    func(context.Context) error     // the readiness check; nil: always ready
	Around   func(http.Handler) http.Handler // outermost middleware; may be nil
}

// ServeHTTP serves MCP over streamable HTTP on l until ctx ends, then finishes the calls in progress.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, h HTTP) error {
	return s.serveHTTP(ctx, l, h, defaultTimeouts())
}

func (s *Server) serveHTTP(ctx context.Context, l net.Listener, h HTTP, limits timeouts) error {
	stop := newShutdown()
	return serve(ctx, l, s.handler(h, limits, stop), h, limits, s.logger, stop)
}

// serve serves on l until ctx ends. It then fails readiness probes, ends the event streams and finishes the requests in
// progress.
func serve(ctx context.Context, l net.Listener, handler http.Handler, h HTTP, limits timeouts, logger *slog.Logger, stop *shutdown) error {
	l = newSharedListener(l, limits.connections)
	srv := &http.Server{
		Handler:           slowReaders(limits.write, limitBodyTime(limits.unknown, handler)),
		ConnContext:       withConn,
		HTTP2:             &http.HTTP2Config{WriteByteTimeout: limits.write}, // write deadlines bound a stream, this bounds the connection
		TLSConfig:         h.TLS,
		ReadHeaderTimeout: limits.header,
		ReadTimeout:       limits.request,
		IdleTimeout:       limits.idle,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(logWriter{logger}, "", 0),
	}
	srv.RegisterOnShutdown(stop.endStreams)
	if h.Page != nil {
		srv.RegisterOnShutdown(h.Page.Stop)
	}
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
	stop.begin(limits.probe)
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

// ServePage serves a page on l until ctx ends, without the MCP endpoint.
func ServePage(ctx context.Context, l net.Listener, page Page, logger *slog.Logger) error {
	mux := http.NewServeMux()
	mux.Handle(PagePath, page)
	mux.Handle("GET /{$}", http.RedirectHandler(PagePath, http.StatusSeeOther))
	var sites access.Sites // loopback names only
	return serve(ctx, l, sites.GuardPage(mux), HTTP{Page: page}, defaultTimeouts(), logger, newShutdown())
}

// Handler returns the MCP endpoint with its access checks, and the health endpoints. Each call runs on behalf of its
// token's owner.
func (s *Server) Handler(h HTTP) http.Handler { return s.handler(h, defaultTimeouts(), newShutdown()) }

func (s *Server) handler(h HTTP, limits timeouts, stop *shutdown) http.Handler {
	begun, open := newSessions(s.key), h.Streams
	if open == nil {
		open = access.NewStreams(0, MaxStreams)
	}
	library := server.NewStreamableHTTPServer(s.MCP,
		server.WithEndpointPath(Endpoint),
		server.WithSessionIdManagerResolver(begun),
		server.WithSessionIdleTTL(sessionIdle),
		server.WithStreamableHTTPLogger(s.logger),
		server.WithDisableLocalhostProtection(true), // access.Sites does it, and knows this server's names
	)
	begun.forget = forgetIn(library)
	stop.atEnd = func() { _ = library.Shutdown(context.Background()) } // it has no server to wait for
	endpoint := http.MaxBytesHandler(begun.guard(newAdmitter(s.calls).admit(streams(open, stop.ending, library))), maxBodyBytes)
	endpoint = allowBodyTime(limits.request, endpoint)
	if h.Auth != nil {
		endpoint = access.Bearer(h.Auth, h.Resource.MetadataURL(), longLived, s.logger, endpoint)
	} else {
		local := endpoint
		endpoint = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			local.ServeHTTP(w, r.WithContext(s.asLocal(r.Context())))
		})
	}
	mux := http.NewServeMux()
	mux.Handle("/", h.Sites.Guard(http.NotFoundHandler()))
	mux.Handle(Endpoint, h.Sites.Guard(endpoint))
	if h.Page != nil {
		mux.Handle(PagePath, h.Sites.GuardPage(h.Page))
		mux.Handle("GET /{$}", h.Sites.Guard(http.RedirectHandler(PagePath, http.StatusSeeOther))) // for people who type the bare address
	}
	if h.Resource != nil {
		for _, path := range h.Resource.MetadataPaths() { // public, and requested by web pages as well
			mux.Handle(path, h.Resource)
		}
	}
	health{ready: h.Ready, stop: stop, logger: s.logger}.register(mux)
	if h.Around != nil {
		return h.Around(mux)
	}
	return mux
}

// logWriter turns the library's log lines into structured ones.
type logWriter struct{ logger *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	w.logger.Warn("mcp", "message", string(p))
	return len(p), nil
}
