package browser

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/fetch"
)

// chromium returns a browser on a real Chromium. Its pages may reach the given servers, and no other private address.
func chromium(t *testing.T, change func(*Config), servers ...*httptest.Server) *Browser {
	t.Helper()
	cfg := Config{Path: os.Getenv("CITELOOP_TEST_CHROMIUM"), UserAgent: "citeloop/0.1 (+https://example.org)", NoSandbox: os.Geteuid() == 0,
		limits: usual}
	if cfg.Path == "" {
		t.Skip("skipped: CITELOOP_TEST_CHROMIUM does not name a Chromium")
	}
	cfg.limits.time = time.Hour // the machine may be busy
	client := fetch.ClientConfig{Proxy: func(*url.URL) (*url.URL, error) { return nil, nil }}
	for _, srv := range servers {
		client.AllowPrivate = append(client.AllowPrivate, hostOf(srv))
	}
	if change != nil {
		change(&cfg)
	}
	gate, err := fetch.NewGate(client)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Connect = gate.Connect
	b := New(cfg)
	t.Cleanup(func() { _ = b.Close(); gate.CloseIdleConnections() })
	return b
}

func hostOf(srv *httptest.Server) string { return srv.Listener.Addr().String() }

func render(t *testing.T, b *Browser, raw string) (fetch.Rendered, error) {
	t.Helper()
	return renderAllowed(t.Context(), t, b, raw, func(context.Context, *url.URL) error { return nil })
}

func renderAllowed(ctx context.Context, t *testing.T, b *Browser, raw string, allow func(context.Context, *url.URL) error) (fetch.Rendered,
	error) {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return b.Render(ctx, u, allow)
}

// site has the pages of the tests. The header of a file says how it is served.
var site = map[string]string{
	"/data": `The lamp was lit in 1887.`,
	"/later": `<!doctype html><div id=root></div><script>setTimeout(() => fetch('/data').then(r => r.text()).then(t => { ` +
		`setTimeout(() => { root.textContent = t }, 200) }), 200)</script>`,
	"/polls":  `<!doctype html><p>Lamp</p><script>fetch('/never')</script>`,
	"/moves":  `<!doctype html><script>location.replace('/slow')</script>`,
	"/slow":   `<!doctype html><p>Lamp</p>`,
	"/pushes": `<!doctype html><p>Lamp</p><script>history.pushState({}, '', '/lamps/1#oil')</script>`,
	"/shadow": `<!doctype html><x-card><b slot=name>Fresnel</b>unslotted</x-card><script>customElements.define('x-card', class ` +
		`extends HTMLElement { constructor() { super();
		this.attachShadow({mode: 'open'}).innerHTML = '<h2>Lens: <slot name=name></slot></h2><slot name=other>none</slot>' } })</script>`,
	"/kinds": `<!doctype html><style>p{}</style><noscript>Turn it on.</noscript><template><p>Not yet.</p></template><script ` +
		`type="application/ld+json">{"name": "a<b"}</script><script type="math/tex">x<y</script><p onclick="f()" title='a "b" &amp; c'>` +
		`1 &lt; 2 &amp; 3<br>4</p><math><mi>x</mi></math><svg><linearGradient/></svg>`,
	"/styled": `<!doctype html><p id=p></p><script>const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = ` +
		`'/app.css'; l.onload = () => { p.textContent = 'styled' }; l.onerror = () => { p.textContent = 'failed' }; ` +
		`document.head.append(l)</script>`,
	"/dialogs": `<!doctype html><p id=p></p><script>alert(1); p.textContent = confirm('sure?') + ' ' + prompt('name?'); ` +
		`onbeforeunload = (e) => { e.preventDefault(); return 'stay' }</script>`,
	"/tampers": `<!doctype html><p>Lamp</p><script>Array.prototype.push = () => { throw 1 }; String.prototype.replace = () => ` +
		`'gone'; Node.prototype.childNodes = []; window.Promise = null; window.setTimeout = null; MutationObserver = null; ` +
		`performance.getEntriesByType = () => []</script>`,
	"/file.pdf": "%PDF-1.7",
	"/pdf":      `<script>location.href = '/file.pdf'</script>`,
	"/download": "harm",
	"/form":     `<form method=post action=/posted><input name=a></form><script>document.forms[0].submit()</script>`,
	"/circle":   `<script>location.href = '/circle?' + Math.random()</script>`,
	"/styles": `<body><script>for (let i = 0; i < 3000; i++) { const l = document.createElement('link'); l.rel = 'stylesheet'; ` +
		`l.href = '/' + i; document.body.append(l) }</script>`,
	"/large": `<body><script>for (let i = 0; i < 30; i++) { const p = document.createElement('p'); ` +
		`p.textContent = 'lamp '.repeat(10000); document.body.append(p) }</script>`,
	"/changes": `<body><p>Lamp</p><i id=i></i><script>setInterval(() => { i.textContent = Date.now() }, 20)</script>`,
	"/end":     `<script>for (;;) {}</script>`,
	"/text": `<!doctype html><link rel=stylesheet href=/a.css><link rel=icon href=/i.ico><link rel=manifest href=/m.json><link ` +
		`rel=prefetch href=/next><style>@font-face { font-family: f; src: url(/f.woff) } p { font-family: f; background: url(/b.png) }` +
		`</style><img src=/i.png><video src=/v.mp4 autoplay></video><iframe src=/frame></iframe><object data=/o.html></object><p>Lamp</p>` +
		`<script>navigator.sendBeacon('/beacon', 'x'); fetch('/data')</script>`,
}

// serve serves the site. asked gets every request, if there is room.
func serve(t *testing.T) (srv *httptest.Server, asked chan *http.Request) {
	t.Helper()
	asked = make(chan *http.Request, 100)
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- r:
		default:
		}
		switch r.URL.Path {
		case "/start":
			http.Redirect(w, r, "/moves", http.StatusFound)
			return
		case "/never":
			<-r.Context().Done()
			return
		case "/slow":
			<-time.After(time.Second) // longer than a page without requests is watched
		case "/file.pdf":
			w.Header().Set("Content-Type", "application/pdf")
		case "/download":
			w.Header().Set("Content-Disposition", "attachment; filename=harmful.bin")
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		fmt.Fprint(w, site[r.URL.Path])
	}))
	t.Cleanup(srv.Close)
	return srv, asked
}

func TestRender(t *testing.T) {
	srv, _ := serve(t)
	b := chromium(t, nil, srv)
	hurried := chromium(t, func(c *Config) { c.limits.time = 40 * time.Second }, srv)
	tests := []struct {
		name, path, final string
		want, without     []string
	}{
		{"one that takes its time", "/later", "/later", []string{`<div id="root">The lamp was lit in 1887.</div>`}, []string{"<script"}},
		{"one that waits for news", "/polls", "/polls", []string{"Lamp"}, nil},
		{"one that goes to another address", "/moves", "/slow", []string{"Lamp"}, nil},
		{"one that writes its address itself", "/pushes", "/lamps/1#oil", []string{"Lamp"}, nil},
		{"open shadow roots and slots", "/shadow", "/shadow",
			[]string{`<h2>Lens: <slot name="name"><b slot="name">Fresnel</b></slot></h2><slot name="other">none</slot>`},
			[]string{"unslotted"}},
		{"elements with and without text", "/kinds", "/kinds",
			[]string{`<p title="a &quot;b&quot; &amp; c">1 &lt; 2 &amp; 3<br>4</p>`, `{"name": "a<b"}</script>`, `x<y</script>`,
				"<math><mi>x</mi></math>", "<linearGradient>"},
			[]string{"Turn it on", "Not yet", "onclick", "p{}"}},
		{"scripts that wait for a style", "/styled", "/styled", []string{"styled"}, nil},
		{"dialogs are dismissed", "/dialogs", "/dialogs", []string{"false"}, nil},
		{"a page that breaks built-in functions", "/tampers", "/tampers", []string{"<p>Lamp</p>"}, nil},
		{"a document that always changes", "/changes", "/changes", []string{"Lamp"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := b
			if tt.path == "/changes" {
				in = hurried
			}
			got, err := render(t, in, srv.URL+tt.path)
			if err != nil {
				t.Fatal(err)
			}
			if got.HTTPStatus != 200 || got.FinalURL != srv.URL+tt.final {
				t.Errorf("Render = HTTP %d at %s, want 200 at %s", got.HTTPStatus, got.FinalURL, tt.final)
			}
			for _, want := range tt.want {
				if !strings.Contains(string(got.HTML), want) {
					t.Errorf("%q is not in\n%s", want, got.HTML)
				}
			}
			for _, not := range tt.without {
				if strings.Contains(string(got.HTML), not) {
					t.Errorf("%q is in\n%s", not, got.HTML)
				}
			}
		})
	}
}

// Resources that do not contribute text are not requested, and requests have our user agent.
func TestRenderRequestsOnlyText(t *testing.T) {
	srv, asked := serve(t)
	if _, err := render(t, chromium(t, nil, srv), srv.URL+"/text"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/text", "/data"} {
		r := <-asked
		if agent := r.UserAgent(); r.URL.Path != want || strings.Contains(agent, "Headless") ||
			!strings.HasSuffix(agent, " citeloop/0.1 (+https://example.org)") || r.Header.Get("X-Forwarded-For") != "" {
			t.Errorf("%s was asked for by %q, want %s", r.URL.Path, agent, want)
		}
	}
	if len(asked) > 0 {
		t.Errorf("%s was asked for", (<-asked).URL.Path)
	}
}

// allow is called for every document of the page itself, and its error is returned.
func TestRenderCallsAllowForEachDocument(t *testing.T) {
	srv, asked := serve(t)
	forbidden := errors.New("robots.txt")
	var of []string
	_, err := renderAllowed(t.Context(), t, chromium(t, nil, srv), srv.URL+"/start", func(_ context.Context, u *url.URL) error {
		if of = append(of, u.Path); u.Path == "/slow" {
			return forbidden
		}
		return nil
	})
	if !errors.Is(err, forbidden) || len(asked) != 2 || !slices.Equal(of, []string{"/start", "/moves", "/slow"}) {
		t.Errorf("Render = %v after allow of %v and %d requests", err, of, len(asked))
	}
}

func TestRenderFails(t *testing.T) {
	srv, _ := serve(t)
	home := t.TempDir()
	b := chromium(t, func(c *Config) {
		c.limits = limits{time: time.Hour, bytes: 1 << 20, requests: 60}
	}, srv)
	t.Setenv("HOME", home)
	tests := []struct{ name, at, want string }{
		{"a script that leads to a PDF", srv.URL + "/pdf", "application/pdf"},
		{"a download", srv.URL + "/download", "ABORTED"},
		{"a form that is sent", srv.URL + "/form", "forms are not submitted"},
		{"endless documents", srv.URL + "/circle", "more than 60 requests"},
		{"endless blocked requests", srv.URL + "/styles", "more than 60 requests"},
		{"a document above the limit", srv.URL + "/large", "too large: more than 1 MiB"},
		{"a host that does not exist", "http://nowhere.invalid/", "nowhere.invalid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := render(t, b, tt.at)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Render = %d bytes, %v, want an error that says %q", len(got.HTML), err, tt.want)
			}
		})
	}
	t.Cleanup(func() {
		_ = filepath.WalkDir(home, func(path string, _ os.DirEntry, err error) error {
			if err == nil && strings.Contains(path, "harmful") {
				t.Errorf("the download is in %s", path)
			}
			return nil
		})
	})
}

// A page ends, and nothing is left of its Chromium, when its script does not end, when its caller goes and when the browser is closed.
func TestRenderEnds(t *testing.T) {
	srv, asked := serve(t)
	folder := t.TempDir()
	b := chromium(t, func(c *Config) { c.limits.time = 20 * time.Second }, srv)
	t.Setenv("TMPDIR", folder)
	if _, err := render(t, b, srv.URL+"/end"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Render of an endless script = %v, want that its time is over", err)
	}
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	for _, tt := range []struct {
		end  func()
		want error
	}{{cancel, context.Canceled}, {func() { go b.Close() }, context.Canceled}} {
		go func() { <-asked; tt.end() }()
		_, err := renderAllowed(ctx, t, b, srv.URL+"/never", func(context.Context, *url.URL) error { return nil })
		if !errors.Is(err, tt.want) {
			t.Errorf("Render = %v, want %v", err, tt.want)
		}
		ctx = t.Context()
	}
	left, err := filepath.Glob(filepath.Join(folder, "chromedp*"))
	if err != nil || len(left) > 0 {
		t.Errorf("the folder of profiles has %v, %v", left, err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range commands {
		if line, _ := os.ReadFile(path); strings.Contains(string(line), folder) {
			t.Errorf("a process is left: %.200q", line)
		}
	}
}

func TestStartFails(t *testing.T) {
	chromium := os.Getenv("CITELOOP_TEST_CHROMIUM")
	if chromium == "" || os.Geteuid() != 0 {
		chromium = "no-such-browser-with-a-sandbox"
	}
	quits := filepath.Join(t.TempDir(), "quits")
	if err := os.WriteFile(quits, []byte("#!/bin/sh\necho out of order >&2; exit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{quits: "out of order", "no-such-browser": "not found", chromium: "sandbox"} {
		b := New(Config{Path: path, Connect: new(fetch.Gate).Connect})
		t.Cleanup(func() { _ = b.Close() })
		if _, err := render(t, b, "http://example.org/"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Render with %s = %v, want %q", path, err, want)
		}
	}
}

// Chromium checks the certificates of sites; the proxy does not intercept TLS.
func TestRenderTLS(t *testing.T) {
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>Lamp</p>")
	}))
	t.Cleanup(srv.Close)
	if _, err := render(t, chromium(t, nil, srv), srv.URL); err == nil || !strings.Contains(err.Error(), "CERT") {
		t.Errorf("Render with an unknown certificate = %v", err)
	}
	key := sha256.Sum256(srv.Certificate().RawSubjectPublicKeyInfo)
	trusting := chromium(t, func(c *Config) {
		c.flags = map[string]string{"ignore-certificate-errors-spki-list": base64.StdEncoding.EncodeToString(key[:])}
	}, srv)
	if got, err := render(t, trusting, srv.URL); err != nil || !strings.Contains(string(got.HTML), "Lamp") {
		t.Errorf("Render = %s, %v", got.HTML, err)
	}
}
