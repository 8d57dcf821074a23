package server

import (
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// patient are limits under which only the number of connections ends one.
var patient = timeouts{connections: 50, header: time.Hour, request: time.Hour, unknown: time.Hour, idle: time.Hour, write: time.Hour}

// Waiting connections do not block new ones, in any state.
func TestWaitingConnectionsAreReplaced(t *testing.T) {
	for name, sent := range map[string]string{
		"silent":        "",
		"half a header": "POST " + Endpoint + " HTTP/1.1\r\nHost: 127.0.0.1\r\n",
		"idle":          "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			address := serveWith(t, patient)
			for range 3 * patient.connections {
				c, err := net.Dial("tcp", address)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				if _, err := io.WriteString(c, sent); err != nil {
					t.Fatal(err)
				}
			}
			for _, path := range []string{"/healthz", "/readyz"} {
				resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get("http://" + address + path)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if resp.StatusCode != http.StatusOK {
					t.Errorf("%s: %d", path, resp.StatusCode)
				}
			}
		})
	}
}

// addressed is a connection from a given address.
type addressed struct {
	net.Conn
	from string
}

func (c addressed) Close() error { return nil }
func (c addressed) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.ParseIP(c.from), Port: 1000}
}

func TestBusiestAddressLosesAConnection(t *testing.T) {
	const most = 10
	l := newSharedListener(nil, most)
	victim, _ := l.add(addressed{from: "192.0.2.1"}) // serves a request while the others connect
	end := victim.serve()
	first, _ := l.add(addressed{from: "192.0.2.1"})
	other, _ := l.add(addressed{from: "2001:db8::1"})
	for range most - 3 {
		l.add(addressed{from: "192.0.2.1"})
	}
	_, replaced := l.add(addressed{from: "198.51.100.7"})
	if replaced != first {
		t.Errorf("%+v was replaced, want the connection that waited longest", replaced)
	}
	for range 20 { // other addresses of one network count as one
		_, replaced = l.add(addressed{from: "2001:db8::2"})
	}
	if replaced == nil || replaced.from != other.from || victim.gone || l.open != most {
		t.Errorf("%+v was replaced; %d connections are open", replaced, l.open)
	}
	end()
	if own := l.waiting[victim.from]; own == nil || !own.Contains(victim) {
		t.Error("a connection does not wait after its request")
	}
}

// While all connections serve requests, a bounded reserve accepts probes.
func TestConnectionReserveIsBounded(t *testing.T) {
	const most = 10
	l := newSharedListener(nil, most)
	for n := range most + connectionReserve + 1 {
		c, replaced := l.add(addressed{from: "192.0.2.1"})
		if (c == nil) != (n == most+connectionReserve) || replaced != nil {
			t.Fatalf("connection %d: %v, %v", n, c, replaced)
		}
		if c != nil {
			c.serve()
		}
	}
}
