package server

import (
	"bufio"
	"context"
	"crypto/tls"
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
	"time"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/server/resources"
)

// shortTempered limits little, so that these tests end soon.
var shortTempered = timeouts{connections: 100, header: time.Second, request: 300 * time.Millisecond, idle: time.Second, write: 300 * time.Millisecond, probe: 5 * time.Second}

// narrow is a listener whose connections hold little in the kernel, so that a client that does not read is felt soon.
// closed gets the address of a client whose connection the server has closed.
type narrow struct {
	net.Listener
	closed chan string
}

func (n *narrow) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err != nil {
		return nil, err
	}
	_ = c.(*net.TCPConn).SetWriteBuffer(4096)
	return &toldOfClose{Conn: c, tell: func() { n.closed <- c.RemoteAddr().String() }}, nil
}

type toldOfClose struct {
	net.Conn
	once sync.Once
	tell func()
}

func (c *toldOfClose) Close() error {
	defer c.once.Do(c.tell)
	return c.Conn.Close()
}

// narrowly serves a handler on a real socket.
func narrowly(t *testing.T, stop *shutdown, handler http.Handler, certificate *tls.Config) *narrow {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &narrow{Listener: l, closed: make(chan string, 1000)}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() {
		done <- serve(ctx, n, handler, HTTP{TLS: certificate}, shortTempered, slog.New(slog.DiscardHandler), stop)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return n
}

// deaf sends a request and never reads the answer.
func (n *narrow) deaf(t *testing.T, request string) (client string) {
	t.Helper()
	c, err := net.Dial("tcp", n.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	// The server may hang up before all is written.
	_, _ = io.WriteString(c, request)
	return c.LocalAddr().String()
}

// hungUp waits until the server has closed a client's connection. busy is called while it waits.
func (n *narrow) hungUp(t *testing.T, client string, busy func()) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case got := <-n.closed:
			if got == client {
				return
			}
		case <-tick.C:
			busy()
		}
	}
}

func idle() {}

// running reports how many goroutines stand in a function.
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

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`

// Clients that ask and never read are let go, with all that runs for them: of answers, of the older era's event stream,
// of the newer era's subscription.
func TestDeafClients(t *testing.T) {
	h := newFixture(t)
	h.srv.logger = slog.New(slog.DiscardHandler)
	count, stop := access.NewStreams(0, 0), newShutdown()
	n := narrowly(t, stop, h.srv.handler(HTTP{Streams: count}, shortTempered, stop), nil)
	url := "http://" + n.Addr().String()

	t.Run("answers", func(t *testing.T) {
		one := httpRequest(http.MethodPost, Endpoint, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+modernMeta+`}}`, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list")
		n.hungUp(t, n.deaf(t, strings.Repeat(one, 100)), idle)
	})

	// What is told here is more than a server of ours has to tell, so that the test need not wait for a thousand changes.
	flood := func(method string) func() {
		return func() {
			h.srv.MCP.SendNotificationToAllClients(method, map[string]any{"x": strings.Repeat("x", 64<<10)})
		}
	}
	t.Run("the older era's stream", func(t *testing.T) {
		_, session := initialized(t, url, "")
		n.hungUp(t, n.deaf(t, httpRequest(http.MethodGet, Endpoint, "", "Mcp-Session-Id: "+session)), flood("notifications/tools/list_changed"))
	})

	t.Run("the newer era's stream", func(t *testing.T) {
		started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: "q"})
		if err != nil {
			t.Fatal(err)
		}
		body := `{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["` + resources.Root + "/" + started.StateID + `"]},` + modernMeta + `}}`
		client := n.deaf(t, httpRequest(http.MethodPost, Endpoint, body, "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen"))
		for running("(*stream).followLoop") == 0 {
			runtime.Gosched()
		}
		n.hungUp(t, client, flood("notifications/resources/list_changed"))
		for running("(*stream).followLoop") > 0 {
			runtime.Gosched()
		}
	})

	for count.Count() > 0 {
		runtime.Gosched()
	}
}

// The same for what does not end by itself, over HTTP/1.1 and HTTP/2: the handler is told, and ends.
func TestSlowReadersEndHandlers(t *testing.T) {
	for _, proto := range []int{1, 2} {
		t.Run(fmt.Sprint("HTTP/", proto), func(t *testing.T) {
			ended := make(chan error, 1)
			n, client := overHTTP(t, proto, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
			}))
			resp, err := client.Get(n)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close() // which is not read
			if err := <-ended; proto == 1 && !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// A stream that is silent for longer than a write or a request may take stays open, and so does one to a client that
// reads slowly, but reads.
func TestSilentStreamsStayOpen(t *testing.T) {
	for _, proto := range []int{1, 2} {
		t.Run(fmt.Sprint("HTTP/", proto), func(t *testing.T) {
			more := make(chan string)
			address, client := overHTTP(t, proto, streams(access.NewStreams(0, 0), nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
			})))
			resp, err := client.Get(address)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if resp.ProtoMajor != proto {
				t.Fatalf("HTTP/%d", resp.ProtoMajor)
			}
			lines := make(chan string)
			go func() {
				defer close(lines)
				for s := bufio.NewScanner(resp.Body); s.Scan(); {
					lines <- s.Text()
				}
			}()
			for i := range 3 {
				select {
				case line, open := <-lines:
					t.Fatalf("%q came, the stream is open: %v", line, open)
				case <-time.After(shortTempered.request + shortTempered.write): // longer than each of them
				}
				more <- fmt.Sprintln("event", i)
				if got := <-lines; got != fmt.Sprint("event ", i) {
					t.Fatalf("event %d is %q", i, got)
				}
			}
		})
	}
}

// overHTTP serves a handler behind slowReaders, over HTTP/1.1 or over HTTP/2 with a certificate.
func overHTTP(t *testing.T, proto int, handler http.Handler) (address string, client *http.Client) {
	t.Helper()
	if proto == 1 {
		n := narrowly(t, newShutdown(), handler, nil)
		transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := (&net.Dialer{}).DialContext(ctx, network, address)
			if err == nil {
				err = c.(*net.TCPConn).SetReadBuffer(4096)
			}
			return c, err
		}}
		t.Cleanup(transport.CloseIdleConnections)
		return "http://" + n.Addr().String(), &http.Client{Transport: transport}
	}
	lender := httptest.NewUnstartedServer(nil) // of a certificate that its client knows
	lender.EnableHTTP2 = true
	lender.StartTLS()
	t.Cleanup(lender.Close)
	n := narrowly(t, newShutdown(), handler, &tls.Config{Certificates: lender.TLS.Certificates, MinVersion: tls.VersionTLS12})
	client = lender.Client()
	t.Cleanup(client.CloseIdleConnections)
	return "https://" + n.Addr().String(), client
}
