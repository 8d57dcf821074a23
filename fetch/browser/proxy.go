package browser

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/address"
)

// errLimit is wrapped by the errors of pages that exceed a limit.
var errLimit = errors.New("the page exceeded a limit")

// maxConnections bounds the concurrent connections of the browser to a page's proxy.
const maxConnections = 256

// pageProxy is the only network access of one page. It listens on a loopback port until it is closed.
type pageProxy struct {
	gate     Gate
	limits   limits
	logger   *slog.Logger
	user     string
	password string
	listener net.Listener
	server   *http.Server
	forward  *httputil.ReverseProxy
	ctx      context.Context // ends with the page; tunnels and requests end with it
	stop     context.CancelCauseFunc
	served   sync.WaitGroup // the server, which adds to it, and its connections

	exchanges   atomic.Int64
	connections atomic.Int64
	bytes       atomic.Int64

	mu      sync.Mutex // guards refused
	refused map[string]error
}

// openProxy starts a proxy for one page.
func openProxy(gate Gate, limits limits, logger *slog.Logger) (*pageProxy, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("browser: opening the page's proxy: %w", err)
	}
	p := &pageProxy{gate: gate, limits: limits, logger: logger, user: "page", password: rand.Text(), listener: listener,
		refused: map[string]error{}}
	p.ctx, p.stop = context.WithCancelCause(context.Background())
	quiet := slog.NewLogLogger(logger.Handler(), slog.LevelDebug)
	p.forward = &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.Out.Host = "" }, // taken from the address
		Transport:    gate,
		ErrorHandler: p.failed,
		ErrorLog:     quiet,
	}
	p.server = &http.Server{
		Handler: p, ErrorLog: quiet, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 256 << 10,
		BaseContext: func(net.Listener) context.Context { return p.ctx },
	}
	p.served.Go(func() { _ = p.server.Serve(countingListener{listener, p}) }) // ends by close
	return p, nil
}

// address returns the proxy's address for Chromium.
func (p *pageProxy) url() string {
	_, port, _ := net.SplitHostPort(p.listener.Addr().String())
	return "http://" + net.JoinHostPort(proxyName, port)
}

// close ends all connections of the page and waits for their goroutines.
func (p *pageProxy) close() {
	p.stop(context.Canceled)
	_ = p.server.Close()
	p.served.Wait()
}

// exceeded returns the error of a limit that the page has exceeded, or nil.
func (p *pageProxy) exceeded() error {
	if cause := context.Cause(p.ctx); errors.Is(cause, errLimit) {
		return cause
	}
	return nil
}

// refusal returns why the proxy did not connect to a host:port, or nil.
func (p *pageProxy) refusal(hostport string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused[hostport]
}

func (p *pageProxy) note(hostport string, err error) {
	p.logger.Debug("a page's connection failed", "host", hostport, "error", err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused[hostport] = err // bounded by exchanges
}

// ServeHTTP serves a plain request or opens a tunnel.
func (p *pageProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.known(r) {
		w.Header().Set("Proxy-Authenticate", `Basic realm="page"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	if p.exchanges.Add(1) > p.limits.exchanges {
		p.stop(fmt.Errorf("%w: more than %d requests", errLimit, p.limits.exchanges))
		hangUp(w)
		return
	}
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.forward.ServeHTTP(w, r)
	default:
		hangUp(w)
	}
}

// known reports whether a request comes from the page's browser.
func (p *pageProxy) known(r *http.Request) bool {
	_, encoded, _ := strings.Cut(r.Header.Get("Proxy-Authorization"), " ")
	given, err := base64.StdEncoding.DecodeString(encoded)
	return err == nil && subtle.ConstantTimeCompare(given, []byte(p.user+":"+p.password)) == 1
}

// failed ends a plain request that could not be sent. It sends no error page, because the browser would show it as a page
// of the site.
func (p *pageProxy) failed(w http.ResponseWriter, r *http.Request, err error) {
	p.note(address.HostPort(r.URL), err)
	hangUp(w)
}

// tunnel connects the browser to a host and copies bytes both ways until one side ends.
func (p *pageProxy) tunnel(w http.ResponseWriter, r *http.Request) {
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
	// The server no longer manages a hijacked connection, so the end of the page must end it.
	stop := context.AfterFunc(p.ctx, func() { _ = conn.Close(); _ = away.Close() })
	defer stop()
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(away, rw.Reader)
		halfClose(away)
	}()
	_, _ = io.Copy(conn, away)
	_ = conn.Close() // nothing reads what the browser still sends
	<-done
}

// halfClose signals the end of the data to the other side.
func halfClose(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = c.Close()
}

// hangUp closes a connection without a response.
func hangUp(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// countingListener counts the connections of a page and their bytes, and ends all of them at the limit.
type countingListener struct {
	net.Listener
	page *pageProxy
}

// Accept closes connections above the limit.
func (l countingListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.page.connections.Add(1) <= maxConnections {
			l.page.served.Add(1)
			return &countedConn{Conn: conn, page: l.page}, nil
		}
		l.page.connections.Add(-1)
		_ = conn.Close()
	}
}

type countedConn struct {
	net.Conn
	page *pageProxy
	once sync.Once
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.count(n)
	return n, err
}

func (c *countedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.count(n)
	return n, err
}

func (c *countedConn) Close() error {
	c.once.Do(func() {
		c.page.connections.Add(-1)
		c.page.served.Done()
	})
	return c.Conn.Close()
}

func (c *countedConn) count(n int) {
	if c.page.bytes.Add(int64(n)) > c.page.limits.bytes {
		c.page.stop(fmt.Errorf("%w: more than %d MiB loaded", errLimit, c.page.limits.bytes>>20))
		_ = c.Conn.Close()
	}
}

var _ Gate = (*fetch.Gate)(nil)
