package browser

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
)

func TestRender(t *testing.T) {
	srv := serve(t, map[string]string{
		"/data":    `The lamp was lit in 1887.`,
		"/app.css": `p { color: red }`,
		"/fetch": `<!doctype html><title>App</title><div id=root></div><script>fetch('/data').then(r => r.text()).then(t => { ` +
			`root.innerHTML = '<p>' + t + '</p>' })</script>`,
		"/later": `<!doctype html><div id=root></div><script>setTimeout(() => fetch('/data').then(r => r.text()).then(t => { ` +
			`setTimeout(() => { root.textContent = t }, 200) }), 200)</script>`,
		"/moves":  `<!doctype html><script>location.replace('/fetch')</script>`,
		"/pushes": `<!doctype html><p>Lamp</p><script>history.pushState({}, '', '/lamps/1#oil')</script>`,
		"/shadow": `<!doctype html><x-card><b slot=name>Fresnel</b>unslotted</x-card><script>customElements.define('x-card', class ` +
			`extends HTMLElement { constructor() { super();
			this.attachShadow({mode: 'open'}).innerHTML = '<h2>Lens: <slot name=name></slot></h2><slot name=other>none</slot>' } ` +
			`})</script>`,
		"/kinds": `<!doctype html><style>p{}</style><noscript>Turn it on.</noscript><template><p>Not yet.</p></template><script ` +
			`type="application/ld+json">{"name": "a<b"}</script>
			<script type="math/tex">x<y</script><p onclick="f()" title='a "b" &amp; c'>1 &lt; 2 &amp; ` +
			`3<br>4</p><math><mi>x</mi></math><svg><linearGradient/></svg>`,
		"/styled": `<!doctype html><p id=p></p><script>const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = ` +
			`'/app.css'; l.onload = () => { p.textContent = 'styled' }; l.onerror = () => { p.textContent = 'failed' }; ` +
			`document.head.append(l)</script>`,
		"/dialogs": `<!doctype html><p id=p></p><script>alert(1); p.textContent = confirm('sure?') + ' ' + prompt('name?'); ` +
			`onbeforeunload = (e) => { e.preventDefault(); return 'stay' }</script>`,
		"/tampers": `<!doctype html><p>Lamp</p><script>Array.prototype.push = () => { throw 1 }; String.prototype.replace = () => ` +
			`'gone'; Node.prototype.childNodes = []; window.Promise = null; window.setTimeout = null; MutationObserver = null</script>`,
		"/workerless": `<!doctype html><p id=p></p><script>p.textContent = 'serviceWorker' in navigator</script>`,
	})
	b := chromium(t, func(c *Config, _ *fetch.ClientConfig) { c.MaxPages = 4 }, srv)
	tests := []struct {
		name, path, final string
		want, without     []string
	}{
		{"a page that fetches its text", "/fetch", "/fetch", []string{"<p>The lamp was lit in 1887.</p>"}, []string{"<script"}},
		{"one that takes its time", "/later", "/later", []string{"<div id=\"root\">The lamp was lit in 1887.</div>"}, nil},
		{"one that goes to another address", "/moves", "/fetch", []string{"<p>The lamp was lit in 1887.</p>"}, nil},
		{"one that writes its address itself", "/pushes", "/lamps/1#oil", []string{"Lamp"}, nil},
		{"open shadow roots and slots", "/shadow", "/shadow",
			[]string{`<h2>Lens: <slot name="name"><b slot="name">Fresnel</b></slot></h2><slot name="other">none</slot>`},
			[]string{"unslotted"}},
		{"elements with and without text", "/kinds", "/kinds",
			[]string{`<p title="a &quot;b&quot; &amp; c">1 &lt; 2 &amp; 3<br>4</p>`, `{"name": "a<b"}</script>`, `x<y</script>`,
				"<math><mi>x</mi></math>", "<linearGradient>"},
			[]string{"Turn it on", "Not yet", "onclick", "p{}"}},
		{"scripts that wait for a style", "/styled", "/styled", []string{"styled"}, nil},
		{"dialogs are dismissed", "/dialogs", "/dialogs", []string{"false null"}, nil},
		{"a page that breaks built-in functions", "/tampers", "/tampers", []string{"<p>Lamp</p>"}, nil},
		{"no service workers", "/workerless", "/workerless", []string{"<p id=\"p\">false</p>"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := render(t, b, srv.URL+tt.path)
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
	seen := make(chan *http.Request, 100)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<!doctype html><link rel=stylesheet href=/a.css><link rel=icon href=/i.ico><link rel=manifest ` +
				`href=/m.json><link rel=prefetch href=/next>
				<style>@font-face { font-family: f; src: url(/f.woff) } p { font-family: f; background: url(/b.png) }</style>
				<img src=/i.png><video src=/v.mp4 autoplay></video><iframe src=/frame></iframe><object data=/o.html></object><p>Lamp</p>
				<script>navigator.sendBeacon('/beacon', 'x'); fetch('/data')</script>`))
		default:
			_, _ = w.Write([]byte("x"))
		}
	}))
	t.Cleanup(srv.Close)
	b := chromium(t, nil, srv)
	if _, err := render(t, b, srv.URL+"/"); err != nil {
		t.Fatal(err)
	}
	close(seen)
	var paths []string
	for r := range seen {
		paths = append(paths, r.URL.Path)
		if agent := r.UserAgent(); !strings.HasSuffix(agent, " citeloop/0.1 (+https://example.org)") ||
			strings.Contains(agent, "Headless") {
			t.Errorf("%s was asked for by %q", r.URL.Path, agent)
		}
		if r.Header.Get("Proxy-Authorization") != "" || r.Header.Get("X-Forwarded-For") != "" {
			t.Errorf("%s was requested with headers for the proxy: %v", r.URL.Path, r.Header)
		}
	}
	if diff := cmp.Diff([]string{"/", "/data"}, paths); diff != "" {
		t.Errorf("requests (-want +got)\n%s", diff)
	}
}

// allow is called for every document of the page itself, and its error is returned.
func TestRenderCallsAllowForEachDocument(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/start", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/hop", http.StatusFound) })
	mux.HandleFunc("/hop", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<script>location.href = '/end'</script>`))
	})
	ended := false
	mux.HandleFunc("/end", func(w http.ResponseWriter, r *http.Request) { ended = true })
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	b := chromium(t, nil, srv)
	forbidden := errors.New("robots.txt")
	var asked []string
	_, err := b.Render(t.Context(), parse(t, srv.URL+"/start"), func(_ context.Context, u *url.URL) error {
		asked = append(asked, u.Path)
		if u.Path == "/end" {
			return forbidden
		}
		return nil
	})
	if !errors.Is(err, forbidden) || ended {
		t.Errorf("Render = %v, and the forbidden page was requested: %v", err, ended)
	}
	if diff := cmp.Diff([]string{"/start", "/hop", "/end"}, asked); diff != "" {
		t.Errorf("asked (-want +got)\n%s", diff)
	}
}

func TestRenderFails(t *testing.T) {
	mux := http.NewServeMux()
	html := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(body))
		})
	}
	html("/pdf", `<script>location.href = '/file.pdf'</script>`)
	mux.HandleFunc("/file.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write([]byte("%PDF-1.7"))
	})
	mux.HandleFunc("/download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", "attachment; filename=harmful.bin")
		_, _ = w.Write([]byte("harm"))
	})
	html("/form", `<form method=post action=/posted><input name=a></form><script>document.forms[0].submit()</script>`)
	html("/posted", "posted")
	html("/circle", `<script>location.href = '/circle?' + Math.random()</script>`)
	html("/requests", `<script>for (let i = 0; i < 3000; i++) fetch('/x' + i)</script>`)
	html("/images", `<body><script>for (let i = 0; i < 3000; i++) { const l = document.createElement('link'); l.rel = 'stylesheet'; `+
		`l.href = '/' + i; document.body.append(l) }</script>`)
	html("/large", `<body><script>for (let i = 0; i < 30; i++) { const p = document.createElement('p'); p.textContent = 'lamp `+
		`'.repeat(10000); document.body.append(p) }</script>`)
	html("/huge", `<body><script>const s = 'lamp '.repeat(200000); for (let i = 0; i < 100; i++) { const p = `+
		`document.createElement('p'); p.append(s); document.body.append(p) }</script>`)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	home := t.TempDir()
	b := chromium(t, func(c *Config, _ *fetch.ClientConfig) {
		c.limits = limits{requests: 60, documents: 3}
		c.Env, c.MaxBytes, c.MaxPages = append(c.Env, "HOME="+home), 1<<20, 2
	}, srv)
	tests := []struct{ name, path, want string }{
		{"a PDF behind a script", "/pdf", "application/pdf"},
		{"a download", "/download", "application/octet-stream"},
		{"a form that is sent", "/form", "forms are not submitted"},
		{"endless documents", "/circle", "more than 3 documents"},
		{"endless requests", "/requests", " requests"},
		{"endless blocked requests", "/images", "more than 60 requests"},
		{"a document above the limit", "/large", "too large: more than 1 MiB"},
		{"a document of 100 MB", "/huge", ""},
		{"a host that does not exist", "", "nowhere.invalid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && tt.path == "/huge" {
				t.Skip("skipped: long")
			}
			at := srv.URL + tt.path
			if tt.path == "" {
				at = "http://nowhere.invalid/"
			}
			got, err := render(t, b, at)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Render = %d bytes, %v, want an error that says %q", len(got.HTML), err, tt.want)
			}
		})
	}
	t.Cleanup(func() {
		if found := find(t, home, "harmful"); found != "" {
			t.Errorf("the download is in %s", found)
		}
	})
}
