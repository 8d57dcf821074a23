package browser

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/address"
)

// Gate is the guarded access to the network: a *[fetch.Gate].
type Gate interface {
	http.RoundTripper
	Connect(ctx context.Context, hostport string) (net.Conn, error)
}

var _ Gate = (*fetch.Gate)(nil)

// proxy is the only network access of a page's browser. It listens on a loopback port until it is closed.
type proxy struct {
	gate     Gate
	logger   *slog.Logger
	listener net.Listener
	server   *http.Server
	forward  *httputil.ReverseProxy
	ctx      context.Context // tunnels and requests end with it
	stop     context.CancelFunc
	refused  sync.Map // the last error of each host:port, at most one for each request of the page
}

func openProxy(gate Gate, logger *slog.Logger) (*proxy, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("opening the browser's proxy: %w", err)
	}
	p := &proxy{gate: gate, logger: logger, listener: listener}
	p.ctx, p.stop = context.WithCancel(context.Background())
	quiet := slog.NewLogLogger(logger.Handler(), slog.LevelDebug)
	p.forward = &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.Out.Host = "" }, // taken from the address
		Transport: gate,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			p.note(address.HostPort(r.URL), err)
			hangUp(w) // the browser would show an error page as a page of the site
		},
		ErrorLog: quiet,
	}
	p.server = &http.Server{Handler: p, ErrorLog: quiet, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 256 << 10,
		BaseContext: func(net.Listener) context.Context { return p.ctx }}
	go func() { _ = p.server.Serve(listener) }() // ends by close
	return p, nil
}

func (p *proxy) port() string {
	_, port, _ := net.SplitHostPort(p.listener.Addr().String())
	return port
}

func (p *proxy) close() {
	p.stop()
	_ = p.server.Close()
}

// refusal returns why the proxy did not connect to a host:port the last time, or nil.
func (p *proxy) refusal(hostport string) error {
	last, _ := p.refused.Load(hostport)
	err, _ := last.(error)
	return err
}

func (p *proxy) note(hostport string, err error) {
	p.logger.Debug("a page's connection failed", "host", hostport, "error", err)
	p.refused.Store(hostport, err)
}

// ServeHTTP serves a plain request or opens a tunnel.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.forward.ServeHTTP(w, r)
	default:
		hangUp(w)
	}
}

// tunnel connects the browser to a host and copies bytes both ways until one side ends.
func (p *proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	away, err := p.gate.Connect(r.Context(), r.Host)
	if err != nil {
		p.note(r.Host, err)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer away.Close()
	conn, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	// The server no longer manages a hijacked connection.
	stop := context.AfterFunc(p.ctx, func() { _ = conn.Close(); _ = away.Close() })
	defer stop()
	_, _ = io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n")
	go func() {
		_, _ = io.Copy(away, rw.Reader)
		_ = away.Close()
	}()
	_, _ = io.Copy(conn, away)
}

// hangUp closes a connection without a response.
func hangUp(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}
