package server

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/server/resources"
)

// memory is a listener without sockets, so that tests in a synctest bubble can wait for the production limits.
type memory struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

func (m *memory) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// serverConn is the server's end of a connection.
type serverConn struct {
	net.Conn
	closed chan struct{}
	once   sync.Once
}

func (c *serverConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// dial returns a connection, and a channel that is closed when the server closes it. A write blocks until it is read.
func (m *memory) dial() (c net.Conn, closed <-chan struct{}) {
	c, server := net.Pipe()
	accepted := &serverConn{Conn: server, closed: make(chan struct{})}
	m.conns <- accepted
	return c, accepted.closed
}

// client returns an HTTP client of the listener. With a certificate it uses HTTP/2.
func (m *memory) client(t *testing.T, roots *x509.CertPool) *http.Client {
	tr := &http.Transport{
		DialContext:       func(context.Context, string, string) (net.Conn, error) { c, _ := m.dial(); return c, nil },
		TLSClientConfig:   &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2: roots != nil,
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// serveInMemory serves a handler with the production limits until the test ends.
func serveInMemory(t *testing.T, handler http.Handler, certificate *tls.Config, stop *shutdown) *memory {
	t.Helper()
	m := &memory{conns: make(chan net.Conn), closed: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() {
		done <- serve(ctx, m, handler, HTTP{TLS: certificate}, defaultTimeouts(), slog.New(slog.DiscardHandler), stop)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return m
}

// deaf sends a request and reads no more than the header of the response.
func (m *memory) deaf(t *testing.T, request string) (closed <-chan struct{}) {
	t.Helper()
	c, closed := m.dial()
	t.Cleanup(func() { c.Close() })
	go func() { _, _ = io.WriteString(c, request) }() // the server may close the connection before it has read all
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d", resp.StatusCode)
	}
	return closed
}

// running counts the goroutines that are in a function.
func running(function string) int {
	stacks := make([]byte, 4<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), function)
}

func httpRequest(method, path, body string, headers ...string) string {
	text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json, text/event-stream\r\n", method, path)
	if body != "" {
		text += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	for _, h := range headers {
		text += h + "\r\n"
	}
	return text + "\r\n" + body
}

// Connections of clients that do not read are closed, with their goroutines: during an answer, in an event stream of the
// older era, and in a subscription of the newer one.
func TestClientsThatDoNotRead(t *testing.T) {
	const notified = 64 << 10 // bytes: more than the header's buffer holds
	for name, connect := range map[string]func(t *testing.T, h fixture, m *memory) (closed <-chan struct{}){
		"answers": func(t *testing.T, _ fixture, m *memory) <-chan struct{} {
			one := httpRequest(http.MethodPost, Endpoint, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+modernMeta+`}}`, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list")
			return m.deaf(t, strings.Repeat(one, 100))
		},
		"the older era's stream": func(t *testing.T, h fixture, m *memory) <-chan struct{} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1"+Endpoint, strings.NewReader(initialize))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			resp, err := m.client(t, nil).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			closed := m.deaf(t, httpRequest(http.MethodGet, Endpoint, "", "Mcp-Session-Id: "+resp.Header.Get(mcpserver.HeaderKeySessionID)))
			synctest.Wait()
			h.srv.MCP.SendNotificationToAllClients("notifications/tools/list_changed", map[string]any{"x": strings.Repeat("x", notified)})
			return closed
		},
		"the newer era's stream": func(t *testing.T, h fixture, m *memory) <-chan struct{} {
			started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: "q"})
			if err != nil {
				t.Fatal(err)
			}
			body := `{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["` + resources.Root + "/" + started.StateID + `"]},` + modernMeta + `}}`
			closed := m.deaf(t, httpRequest(http.MethodPost, Endpoint, body, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen"))
			synctest.Wait()
			if feeding() == 0 {
				t.Error("no goroutine follows the loop")
			}
			h.srv.MCP.SendNotificationToAllClients("notifications/resources/list_changed", map[string]any{"x": strings.Repeat("x", notified)})
			return closed
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := feeding() // of clients of other tests
			synctest.Test(t, func(t *testing.T) {
				h, limits := newFixture(t), defaultTimeouts()
				h.srv.logger = slog.New(slog.DiscardHandler)
				count, stop := access.NewStreams(0, 0), newShutdown()
				m := serveInMemory(t, h.srv.handler(HTTP{Streams: count}, limits, stop), nil, stop)
				start := time.Now()
				<-connect(t, h, m)
				if took := time.Since(start); took < limits.write || took > limits.write+time.Second {
					t.Errorf("closed after %v, want %v", took, limits.write)
				}
				synctest.Wait()
				if n := feeding(); n > before || count.Held() > 0 {
					t.Errorf("%d goroutines and %d streams remain", n-before, count.Held())
				}
			})
		})
	}
}

// everyHTTP serves a handler behind slowReaders over HTTP/1.1 and over HTTP/2, in a synctest bubble each, and requests it.
func everyHTTP(t *testing.T, handler func(t *testing.T) http.Handler, test func(t *testing.T, proto int, resp *http.Response)) {
	lender := httptest.NewUnstartedServer(nil) // of a certificate for example.com
	lender.StartTLS()
	defer lender.Close()
	roots := x509.NewCertPool()
	roots.AddCert(lender.Certificate())
	for _, proto := range []int{1, 2} {
		t.Run(fmt.Sprint("HTTP/", proto), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var certificate *tls.Config
				url, known := "http://example.com", (*x509.CertPool)(nil)
				if proto == 2 {
					certificate = &tls.Config{Certificates: lender.TLS.Certificates, MinVersion: tls.VersionTLS12}
					url, known = "https://example.com", roots
				}
				m := serveInMemory(t, handler(t), certificate, newShutdown())
				resp, err := m.client(t, known).Get(url)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				if resp.ProtoMajor != proto {
					t.Fatalf("HTTP/%d", resp.ProtoMajor)
				}
				test(t, proto, resp)
			})
		})
	}
}

// A handler whose client does not read gets an error, and ends.
func TestSlowReadersEndHandlers(t *testing.T) {
	ended := make(chan error, 1)
	everyHTTP(t, func(*testing.T) http.Handler {
		ended = make(chan error, 1)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			out := http.NewResponseController(w)
			for {
				if _, err := io.WriteString(w, strings.Repeat("x", 200<<10)); err != nil {
					ended <- err
					return
				}
				if err := out.Flush(); err != nil {
					ended <- err
					return
				}
			}
		})
	}, func(t *testing.T, proto int, _ *http.Response) {
		start := time.Now()
		if err := <-ended; proto == 1 && !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("it ended with %v", err)
		}
		if took := time.Since(start); took != defaultTimeouts().write {
			t.Errorf("it ended after %v", took)
		}
	})
}

// A stream stays open while it is silent for longer than a write or a request may take.
func TestSilentStreamsStayOpen(t *testing.T) {
	var more chan string
	everyHTTP(t, func(*testing.T) http.Handler {
		more = make(chan string)
		return streams(access.NewStreams(0, 0), nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for {
				w.(http.Flusher).Flush()
				select {
				case line := <-more:
					if _, err := io.WriteString(w, line); err != nil {
						return
					}
				case <-r.Context().Done():
					return
				}
			}
		}))
	}, func(t *testing.T, _ int, resp *http.Response) {
		lines := make(chan string)
		go func() {
			defer close(lines)
			for s := bufio.NewScanner(resp.Body); s.Scan(); {
				lines <- s.Text()
			}
		}()
		for i := range 3 {
			time.Sleep(2 * (defaultTimeouts().request + defaultTimeouts().write)) // of the bubble's time
			synctest.Wait()
			select {
			case line, open := <-lines:
				t.Fatalf("%q came, the stream is open: %v", line, open)
			default:
			}
			more <- fmt.Sprintln("event", i)
			if got := <-lines; got != fmt.Sprint("event ", i) {
				t.Fatalf("event %d is %q", i, got)
			}
		}
	})
}
