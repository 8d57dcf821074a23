package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/citeloop/citeloop/fetch/address"
)

func TestClientAppliesTheAddressRules(t *testing.T) {
	other, hits := counting(t)
	srv := httptest.NewServer(site{
		"/to": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusFound)
		},
		"/loop": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) },
		"/agent": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, r.Header.Get("User-Agent"))
		},
	})
	defer srv.Close()
	client := NewClient(ClientConfig{UserAgent: "citeloop/0.1", AllowPrivate: []string{"not a pair", hostOf(srv)}, Proxy: noProxy})
	defer client.CloseIdleConnections()
	get := func(address string) (string, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		return string(b), err
	}
	if got, err := get(srv.URL + "/agent"); err != nil || got != "citeloop/0.1" {
		t.Errorf("agent: %q, %v", got, err)
	}
	for _, at := range []string{other.URL, srv.URL + "/to", "http://2130706433/", "http://[::ffff:7f00:1]/", "ftp://127.0.0.1/"} {
		_, err := get(at)
		if fe, ok := errors.AsType[*address.ForbiddenError](err); !ok || !errors.Is(err, address.ErrForbidden) {
			t.Errorf("%s: %v, %v", at, err, fe)
		}
	}
	if _, err := get(srv.URL + "/loop"); !errors.Is(err, ErrTooManyRedirects) {
		t.Errorf("loop: %v", err)
	}
	if hits.Load() != 0 {
		t.Error("a forbidden server was reached")
	}
}

// A name resolves to a public address first and to a private one later: the dialled address is the checked one.
func TestReadRebinding(t *testing.T) {
	inner, hits := counting(t)
	_, port, _ := net.SplitHostPort(hostOf(inner))
	for name, answers := range map[string][]string{"at once": {"127.0.0.1"}, "among others": {"127.0.0.1", "::1", "10.0.0.1"},
		"mapped": {"::ffff:127.0.0.1"}} {
		t.Run(name, func(t *testing.T) {
			dns := resolver(t, map[string][]string{"rebind.example.": answers})
			r := reader(t, func(c *Config) { c.Resolver = dns })
			p := r.Read(t.Context(), "http://rebind.example:"+port+"/")
			want := "rebind.example is not dialled: its name resolves to an address that is not public; to allow it, add rebind.example:" +
				port + " to CITELOOP_ALLOW_PRIVATE"
			if p.Status != StatusBlocked || p.Reason != want { // the answer of the name server is not for the caller
				t.Errorf("%s, %q", p.Status, p.Reason)
			}
		})
	}
	if hits.Load() != 0 {
		t.Error("the private server was reached")
	}
}

func TestReadUnknownHost(t *testing.T) {
	r := reader(t, func(c *Config) { c.Resolver = resolver(t, map[string][]string{"archive.org.": {"192.0.2.7"}}) })
	if p := r.Read(t.Context(), "https://nowhere.example/"); p.Status != StatusError ||
		p.Reason != "the host nowhere.example does not exist" || !p.Missing() {
		t.Errorf("%s, %q", p.Status, p.Reason)
	}
}

// A name server that knows no host at all says nothing about an address.
func TestReadOffline(t *testing.T) {
	for name, dns := range map[string]*net.Resolver{
		"every name is unknown": resolver(t, nil),
		"no name server answers": {PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "udp", Err: syscall.ENETUNREACH}
		}},
	} {
		r := reader(t, func(c *Config) { c.Resolver, c.Copies = dns, PublicCopies("") })
		if p := r.Read(t.Context(), "https://go.example/ref"); p.Status != StatusError || p.Missing() || !p.Offline ||
			!strings.HasPrefix(p.Reason, "no network connection") || strings.Contains(p.Reason, "Wayback") {
			t.Errorf("%s: %s, %q, missing %v", name, p.Status, p.Reason, p.Missing())
		}
	}
}

// resolver returns a resolver that knows only these names.
func resolver(t *testing.T, known map[string][]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if answer, err := answerDNS(buf[:n], known); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	t.Cleanup(func() { conn.Close(); <-done })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func answerDNS(query []byte, known map[string][]string) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil || len(m.Questions) != 1 {
		return nil, errors.New("not a question")
	}
	q := m.Questions[0]
	m.Header = dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true, RecursionAvailable: true}
	m.Additionals = nil
	addrs, ok := known[q.Name.String()]
	if !ok {
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, a := range addrs {
		ip := net.ParseIP(a)
		h := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}
		switch {
		case q.Type == dnsmessage.TypeA && !strings.Contains(a, ":"):
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AResource{A: [4]byte(ip.To4())}})
		case q.Type == dnsmessage.TypeAAAA && strings.Contains(a, ":"):
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AAAAResource{AAAA: [16]byte(ip.To16())}})
		}
	}
	return m.Pack()
}
