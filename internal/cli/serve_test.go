package cli

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// served is a running citeloop serve.
type served struct {
	url    string
	stderr *lines
	stop   func() int
}

// lines is a stream with a method to wait for a line.
type lines struct {
	mu    sync.Mutex
	text  bytes.Buffer
	grew  *sync.Cond
	ended bool // the stream has ended
}

func newLines() *lines {
	l := &lines{}
	l.grew = sync.NewCond(&l.mu)
	return l
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.grew.Broadcast()
	return l.text.Write(p)
}

func (l *lines) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.grew.Broadcast()
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// find waits for a line that matches, returns the first group, and fails at the end of the stream.
func (l *lines) find(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if m := re.FindStringSubmatch(l.text.String()); m != nil {
			return m[1]
		}
		if l.ended {
			t.Fatalf("no line %s in:\n%s", pattern, l.text.String())
		}
		l.grew.Wait()
	}
}

func serveOn(t *testing.T, env map[string]string, args ...string) served {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	out := newLines()
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, console.Process{Args: append([]string{"serve"}, args...), Stdin: strings.NewReader(""), Stdout: io.Discard,
			Stderr: out, LookupEnv: lookupIn(env)})
		out.end()
	}()
	var once sync.Once
	status := 0
	stop := func() int {
		once.Do(func() { cancel(); status = <-code })
		return status
	}
	t.Cleanup(func() { stop() })
	return served{url: out.find(t, `serves MCP at (\S+)/mcp`), stderr: out, stop: stop}
}

// certificateFiles writes a certificate and a key for loopback's addresses.
func certificateFiles(t *testing.T, dir, name string) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{name}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, data := range map[string][]byte{certFile: cert,
		keyFile: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	return certFile, keyFile, pool
}

// ask sends a request and reads its answer.
func ask(t *testing.T, c *http.Client, method, url, body string, header map[string]string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		if k == "Host" {
			req.Host = v
			continue
		}
		req.Header.Set(k, v)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

type object = map[string]any

// callTool calls a tool by a request of 2026-07-28 and returns the text of its answer.
func callTool(t *testing.T, c *http.Client, url, token, tool string, arguments object) (status int, text string) {
	t.Helper()
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": object{"name": tool, "arguments": arguments,
			"_meta": object{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": object{},
				"io.modelcontextprotocol/clientInfo": object{"name": "test-host", "version": "7"}}}})
	if err != nil {
		t.Fatal(err)
	}
	header := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
	if token != "" {
		header["Authorization"] = "Bearer " + token
	}
	resp, text := ask(t, c, http.MethodPost, url+"/mcp", string(body), header)
	return resp.StatusCode, text
}

func tokenFor(t *testing.T, file, owner string, more ...string) string {
	t.Helper()
	code, out, errs := ran(t.Context(), nil, append([]string{"token", owner, "--file", file}, more...)...)
	if code != 0 {
		t.Fatalf("token: %d %s", code, errs)
	}
	return strings.TrimSpace(out)
}

// TestServeOnANetwork configures HTTPS, tokens, limits, metrics and the log by flags and the environment.
func TestServeOnANetwork(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile, pool := certificateFiles(t, dir, "citeloop.example.org")
	tokens := filepath.Join(dir, "tokens")
	anna := tokenFor(t, tokens, "anna")
	s := serveOn(t, map[string]string{"CITELOOP_TOKENS": tokens}, "--allow-host", "citeloop.example.org", "--limits", "calls=20",
		"--data", filepath.Join(dir, "data"), "--http", "0.0.0.0:0", "--tls-cert", certFile, "--tls-key", keyFile, "--metrics",
		"127.0.0.1:0", "--log", "info")
	metrics := s.stderr.find(t, `metrics at (\S+)`)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.url, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	url := "https://127.0.0.1:" + port
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	defer c.CloseIdleConnections()

	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
		if resp, text := ask(t, c, http.MethodGet, url+path, "", map[string]string{"Host": "10.0.0.7:8443"}); resp.StatusCode != 200 ||
			text != want {
			t.Errorf("%s for a prober: %d %q", path, resp.StatusCode, text)
		}
	}
	if status, text := callTool(t, c, url, "", "loop_list", object{}); status != http.StatusUnauthorized {
		t.Errorf("without a token: %d %s", status, text)
	}
	for host, want := range map[string]int{"citeloop.example.org": 200, "evil.example": 403} {
		resp, text := ask(t, c, http.MethodPost, url+"/mcp",
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},`+
				`"clientInfo":{"name":"t","version":"1"}}}`,
			map[string]string{"Host": host, "Authorization": "Bearer " + anna})
		if resp.StatusCode != want {
			t.Errorf("as %s: %d %s", host, resp.StatusCode, text)
		}
	}
	for i, query := range []string{"the chairman's secret salary", "another question", ""} {
		status, text := callTool(t, c, url, anna, "loop_init", object{"query": query})
		if wrong := strings.Contains(text, "query: empty"); status != 200 || wrong != (query == "") {
			t.Errorf("loop %d: %d %s", i, status, text)
		}
	}
	_, text := ask(t, http.DefaultClient, http.MethodGet, metrics, "", nil)
	for name, want := range map[string]int{"evil.example": http.StatusForbidden, "localhost": http.StatusOK} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, metrics, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = name
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("metrics under the host %s: %d", name, resp.StatusCode)
		}
	}
	for _, line := range []string{`citeloop_calls_total{outcome="ok",tool="loop_init"} 2`,
		`citeloop_calls_total{outcome="error",tool="loop_init"} 1`} {
		if !strings.Contains(text, line) {
			t.Errorf("the metrics lack %s", line)
		}
	}
	if resp, _ := ask(t, c, http.MethodGet, url+"/metrics", "",
		map[string]string{"Authorization": "Bearer " + anna}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("metrics for callers: %d", resp.StatusCode)
	}

	if code := s.stop(); code != 0 {
		t.Errorf("exit %d: %s", code, s.stderr)
	}
	if n := strings.Count(s.stderr.String(), "msg=call owner=anna"); n != 3 {
		t.Errorf("%d calls in the log:\n%s", n, s.stderr)
	}
	for _, secret := range []string{"salary", anna} {
		if strings.Contains(s.stderr.String(), secret) {
			t.Errorf("%q is in the log", secret)
		}
	}
}

// An OAuth client is told where to log in, and its token is validated.
func TestServeTellsOAuthClientsWhereToLogIn(t *testing.T) {
	s := serveOn(t, nil, "--data", t.TempDir(), "--http", "127.0.0.1:0", "--oauth-issuer", "http://127.0.0.1:1", "--public-url",
		"https://citeloop.example.org/mcp")
	resp, _ := ask(t, http.DefaultClient, http.MethodPost, s.url+"/mcp", "{}", map[string]string{"Host": "citeloop.example.org"})
	const metadata = "https://citeloop.example.org/.well-known/oauth-protected-resource/mcp"
	if got := resp.Header.Get("WWW-Authenticate"); resp.StatusCode != http.StatusUnauthorized ||
		!strings.Contains(got, `scope="citeloop", resource_metadata="`+metadata+`"`) {
		t.Errorf("%d, WWW-Authenticate %q", resp.StatusCode, got)
	}
	for _, path := range []string{"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"} {
		resp, text := ask(t, http.DefaultClient, http.MethodGet, s.url+path, "", map[string]string{"Origin": "https://client.example"})
		var about struct {
			Resource string   `json:"resource"`
			Issuers  []string `json:"authorization_servers"`
			Scopes   []string `json:"scopes_supported"`
		}
		if err := json.Unmarshal([]byte(text), &about); err != nil || about.Resource != "https://citeloop.example.org/mcp" ||
			len(about.Issuers) != 1 || len(about.Scopes) != 1 || resp.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %s", path, resp.StatusCode, text)
		}
	}
	// Without the issuer's keys, the token cannot be validated.
	resp, _ = ask(t, http.DefaultClient, http.MethodPost, s.url+"/mcp", "{}",
		map[string]string{"Authorization": "Bearer eyJhbGciOiJFZERTQSIsImtpZCI6ImEifQ.e30.AAAA"})
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" {
		t.Errorf("without the issuer's keys: %d", resp.StatusCode)
	}
}
