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
	"time"

	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/net/netutil"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools"
)

const (
	// Endpoint is the path of the MCP endpoint.
	Endpoint = "/mcp"
	// maxBodyBytes leaves room for JSON around the largest arguments.
	maxBodyBytes = tools.MaxArgumentBytes + 1<<20
	// shutdownGrace lets calls under way finish; none lasts longer than tools.CallTimeout.
	shutdownGrace = tools.CallTimeout + 2*time.Second
	// sessionIdle forgets sessions of the older era that went away without a word. State lives in loops,
	// not in sessions, so nothing is lost.
	sessionIdle = 30 * time.Minute
)

// patience is what the server allows of its network.
type timeouts struct {
	connections int           // at once; more wait until one ends
	header      time.Duration // for a request's header; a connection that says nothing ends with it too
	request     time.Duration // for a whole request
	idle        time.Duration // between two requests
	write       time.Duration // for a client to take a piece of an answer, see maxPiece
	probe       time.Duration // for a readiness probe to see that the server stops
}

// defaultTimeouts: a 10 MB draft over a slow line arrives within a minute. A connection costs some 20 kB of memory,
// and one that says nothing is gone after the time for its header. A proxy that asks every few seconds whether the
// server is ready sees in time that it stops.
func defaultTimeouts() timeouts {
	return timeouts{connections: 4096, header: 5 * time.Second, request: 60 * time.Second, idle: 2 * time.Minute, write: 30 * time.Second, probe: 5 * time.Second}
}

// Listen listens on an address. Beyond loopback it does so only where callers are asked for tokens: everybody
// who reaches the address could otherwise read and change the loops of whoever runs the server.
func Listen(ctx context.Context, address string, auth access.Authenticator) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--http %q is not host:port; give one like 127.0.0.1:8080", address)
	}
	if auth == nil && !loopback(host) {
		return nil, fmt.Errorf("--http %q is not a loopback address, and without tokens everybody who reaches it could use your loops; give --tokens or --oauth-issuer, or listen on 127.0.0.1 or [::1]", address)
	}
	if host == "localhost" {
		address = "127.0.0.1" + strings.TrimPrefix(address, host)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--http: %w; give an address of this machine and a port that nothing else listens on, such as 127.0.0.1:8080", err)
	}
	return l, nil
}

// loopback reports whether only this machine reaches what listens on a host. No other name than localhost is
// resolved: what it means may change.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Loopback reports whether only this machine reaches what listens on an address.
func Loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// HTTP is how the server stands on a network. Its zero value is for programs of this machine.
type HTTP struct {
	Auth     access.Authenticator            // who may call; nil: everybody, as the local owner
	Sites    access.Sites                    // names it answers under and sites that may call, beside loopback's
	Resource *access.Resource                // what OAuth clients are told; nil: nothing
	TLS      *tls.Config                     // nil: plain HTTP
	Page     Page                            // for people, below [PagePath]; nil: none
	Streams  *access.Streams                 // counts those that are open; nil: [MaxStreams] and no limit for one owner
	Ready    func(context.Context) error     // whether calls can be answered; nil: always
	Around   func(http.Handler) http.Handler // put around everything; may be nil
}

// ServeHTTP speaks MCP over streamable HTTP on l until ctx ends, then finishes the calls under way.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, h HTTP) error {
	return s.serveHTTP(ctx, l, h, defaultTimeouts())
}

func (s *Server) serveHTTP(ctx context.Context, l net.Listener, h HTTP, limits timeouts) error {
	stop := newShutdown()
	return serve(ctx, l, s.handler(h, stop), h, limits, s.logger, stop)
}

// serve answers on l until ctx ends, then says so to those who ask whether it is ready, ends the event streams and
// finishes the requests under way.
func serve(ctx context.Context, l net.Listener, handler http.Handler, h HTTP, limits timeouts, logger *slog.Logger, stop *shutdown) error {
	l = netutil.LimitListener(l, limits.connections)
	srv := &http.Server{
		Handler:           slowReaders(limits.write, handler),
		HTTP2:             &http.HTTP2Config{WriteByteTimeout: limits.write}, // a deadline bounds a stream; this the connection
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

// asLocal makes every call on behalf of the local owner.
func asLocal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(loops.WithOwner(r.Context(), loops.LocalOwner)))
	})
}

// Handler is the HTTP side of the server: the MCP endpoint behind its guards, and what says whether the server
// is well. Each call is made on behalf of its token's owner.
func (s *Server) Handler(h HTTP) http.Handler { return s.handler(h, newShutdown()) }

func (s *Server) handler(h HTTP, stop *shutdown) http.Handler {
	begun, open := newSessions(s.key), h.Streams
	if open == nil {
		open = access.NewStreams(0, MaxStreams)
	}
	var endpoint http.Handler = server.NewStreamableHTTPServer(s.MCP,
		server.WithEndpointPath(Endpoint),
		server.WithSessionIdManagerResolver(begun),
		server.WithSessionIdleTTL(sessionIdle),
		server.WithStreamableHTTPLogger(s.logger),
		server.WithDisableLocalhostProtection(true), // access.Sites does it, and knows the names of this server
	)
	endpoint = http.MaxBytesHandler(withoutCancelled(begun.guard(streams(open, stop.ending, endpoint))), maxBodyBytes)
	if h.Auth != nil {
		endpoint = access.Bearer(h.Auth, h.Resource.MetadataURL(), longLived, s.logger, endpoint)
	} else {
		endpoint = asLocal(endpoint)
	}
	mux := http.NewServeMux()
	mux.Handle("/", h.Sites.Guard(http.NotFoundHandler()))
	mux.Handle(Endpoint, h.Sites.Guard(endpoint))
	if h.Page != nil {
		mux.Handle(PagePath, h.Sites.GuardPage(h.Page))
		mux.Handle("GET /{$}", h.Sites.Guard(http.RedirectHandler(PagePath, http.StatusSeeOther))) // whoever types the address alone
	}
	if h.Resource != nil {
		for _, path := range h.Resource.MetadataPaths() { // public, and asked for by web pages as well
			mux.Handle(path, h.Resource)
		}
	}
	health{ready: h.Ready, stop: stop, logger: s.logger}.register(mux)
	if h.Around != nil {
		return h.Around(mux)
	}
	return mux
}
