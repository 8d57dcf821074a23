package server

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"

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

// ListenLoopback listens on a loopback address, and refuses any other: what goes over plain HTTP, tokens and
// texts alike, can be read along the way.
func ListenLoopback(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--http %q is not host:port; give one like 127.0.0.1:8080", address)
	}
	ips := []net.IP{net.ParseIP(host)}
	if host == "localhost" {
		ips = []net.IP{net.IPv4(127, 0, 0, 1)}
	}
	for _, ip := range ips {
		if ip == nil || !ip.IsLoopback() {
			return nil, fmt.Errorf("--http %q is not a loopback address; citeloop speaks plain HTTP, which lets tokens and texts be read along the way, so it listens on 127.0.0.1 or [::1] only", address)
		}
	}
	var lc net.ListenConfig
	return lc.Listen(ctx, "tcp", address)
}

// ServeHTTP speaks MCP over streamable HTTP on l until ctx ends, then finishes the calls under way. tokens say
// who may call, as in [Handler].
func ServeHTTP(ctx context.Context, s *server.MCPServer, l net.Listener, tokens *Tokens, logger *slog.Logger) error {
	srv := &http.Server{
		Handler:           Handler(s, tokens, logger),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       60 * time.Second, // of a whole request: a 10 MB draft over a slow line
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(logWriter{logger}, "", 0),
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	if err := srv.Shutdown(stopping); err != nil { // open event streams do not end by themselves
		srv.Close()
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Handler is the HTTP side of the server: the MCP endpoint behind an Origin check, tokens and a body limit,
// and a health check, which asks for no token. Each call is made on behalf of its token's owner. With nil
// tokens nobody is asked, and all calls are the local owner's.
func Handler(s *server.MCPServer, tokens *Tokens, logger *slog.Logger) http.Handler {
	begun := newSessions()
	var endpoint http.Handler = server.NewStreamableHTTPServer(s,
		server.WithEndpointPath(Endpoint),
		server.WithSessionIdManagerResolver(begun),
		server.WithSessionIdleTTL(sessionIdle),
		server.WithStreamableHTTPLogger(logger),
	)
	endpoint = http.MaxBytesHandler(withoutCancelled(begun.guard(endpoint)), maxBodyBytes)
	if tokens != nil {
		endpoint = authenticate(tokens, logger, endpoint)
	}
	mux := http.NewServeMux()
	mux.Handle(Endpoint, endpoint)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("ok\n"))
	})
	return localOrigin(mux)
}

// localOrigin refuses requests that a web page of another site makes. The library checks the Host header
// against DNS rebinding; a page can also name the loopback address outright, and then only Origin tells.
func localOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && !loopbackURL(origin) {
			http.Error(w, "requests from web pages of other sites are not accepted", http.StatusForbidden)
			return
		}
		if host, _, err := net.SplitHostPort(r.Host); (err == nil && !loopbackHost(host)) || (err != nil && !loopbackHost(r.Host)) {
			http.Error(w, "this server answers only to localhost", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func loopbackURL(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && loopbackHost(u.Hostname())
}

func loopbackHost(host string) bool {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
