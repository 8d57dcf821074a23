package browser

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// secret is a server on loopback that counts connections by TCP and datagrams by UDP on the same port.
type secret struct {
	*httptest.Server
	connections atomic.Int64
	datagrams   atomic.Int64
}

func newSecret(t *testing.T) *secret {
	t.Helper()
	s := &secret{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "1")
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	udp, err := net.ListenPacket("udp4", hostOf(s.Server))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = udp.Close() })
	go func() {
		buf := make([]byte, 2048)
		for {
			if _, _, err := udp.ReadFrom(buf); err != nil {
				return
			}
			s.datagrams.Add(1)
		}
	}()
	return s
}

// A page tries to reach private addresses in every way that pages have. It reports each attempt, so that a row cannot
// pass without running. If the second column is set, the same script must reach an allowed server, so that an attempt
// without effect cannot pass.
func TestPagesReachNoPrivateAddress(t *testing.T) {
	attempts := []struct {
		name    string
		reaches bool
		script  string // SECRET is the private server's host and port
	}{
		{"fetch", true, `await fetch('http://SECRET/', {mode: 'no-cors'}).catch(() => {})`},
		{"fetch with a body", true, `await fetch('http://SECRET/', {method: 'POST', mode: 'no-cors', body: 'x'}).catch(() => {})`},
		{"fetch over TLS", true, `await fetch('https://SECRET/', {mode: 'no-cors'}).catch(() => {})`},
		{"XMLHttpRequest", true, `await new Promise(done => { const x = new XMLHttpRequest(); x.onloadend = done; x.open('GET', ` +
			`'http://SECRET/'); x.send() })`},
		{"a redirect of a request", true, `await fetch('REDIRECT', {mode: 'no-cors'}).catch(() => {})`},
		{"a script", true, `await load('script', 'http://SECRET/')`},
		{"a module", true, `await import('http://SECRET/').catch(() => {})`},
		{"a dedicated worker", true, `await new Promise(done => { const w = new Worker(URL.createObjectURL(new ` +
			`Blob(["fetch('http://SECRET/', {mode: 'no-cors'}).finally(() => postMessage(1))"]))); w.onmessage = done; w.onerror = ` +
			`done })`},
		{"a shared worker", true, `await new Promise(done => { const w = new SharedWorker(URL.createObjectURL(new Blob(["onconnect = ` +
			`e => fetch('http://SECRET/', {mode: 'no-cors'}).finally(() => e.ports[0].postMessage(1))"]))); w.port.onmessage = done; ` +
			`w.onerror = done })`},
		{"a frame from a blob that fetches", true,
			`await new Promise(done => { const f = document.createElement('iframe'); addEventListener('message', done); f.srcdoc = ` +
				`"<script>fetch('http://SECRET/', {mode: 'no-cors'}).finally(() => parent.postMessage(1, '*'))<\/script>"; ` +
				`document.body.append(f) })`},
		{"a socket", true, `await new Promise(done => { const w = new WebSocket('ws://SECRET/'); w.onclose = w.onerror = w.onopen = ` +
			`done })`},
		{"a socket over TLS", true, `await new Promise(done => { const w = new WebSocket('wss://SECRET/'); w.onclose = w.onerror = ` +
			`w.onopen = done })`},
		{"an event stream", true, `await new Promise(done => { const e = new EventSource('http://SECRET/'); e.onerror = e.onopen = ` +
			`done })`},
		{"a preflight", true, `await fetch('http://SECRET/', {method: 'PUT', headers: {'X-A': '1'}}).catch(() => {})`},
		{"an image", false, `new Image().src = 'http://SECRET/'`},
		{"a frame", false, `await load('iframe', 'http://SECRET/')`},
		{"a beacon", false, `navigator.sendBeacon('http://SECRET/', 'x')`},
		{"a style", false, `const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = 'http://SECRET/'; await new ` +
			`Promise(done => { l.onload = l.onerror = done; document.head.append(l) })`},
		{"connecting ahead", true, `for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'modulepreload', 'prerender']) { ` +
			`const l = document.createElement('link'); l.rel = rel; l.href = 'http://SECRET/'; document.head.append(l) }`},
		{"speculation", false, `const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = ` +
			`'{"prefetch": [{"urls": ["http://SECRET/"], "eagerness": "immediate"}], "prerender": [{"urls": ["http://SECRET/"], ` +
			`"eagerness": "immediate"}]}'; document.head.append(s)`},
		{"a new window", false, `window.open('http://SECRET/'); const a = document.createElement('a'); a.href = 'http://SECRET/'; ` +
			`a.target = '_blank'; document.body.append(a); a.click()`},
		{"WebRTC over UDP", false, `const c = new RTCPeerConnection({iceServers: [{urls: 'stun:SECRET'}, {urls: 'turn:SECRET', ` +
			`username: 'a', credential: 'b'}]}); c.createDataChannel('x'); await c.setLocalDescription(); await gathered(c)`},
		{"WebRTC over TCP", false, `const c = new RTCPeerConnection({iceServers: [{urls: 'turn:SECRET?transport=tcp', username: 'a', ` +
			`credential: 'b'}]}); c.createDataChannel('x'); await c.setLocalDescription(); await gathered(c)`},
		{"WebTransport", false, `if (window.WebTransport) { const w = new WebTransport('https://SECRET/'); await w.ready.catch(() => ` +
			`{}) }`},
	}
	var guarded, open []*secret // the forbidden and the allowed servers
	for range attempts {
		guarded, open = append(guarded, newSecret(t)), append(open, newSecret(t))
	}
	// One page makes all attempts at once, each to another server.
	page := func(secrets []*secret) string {
		var b strings.Builder
		b.WriteString(`<!doctype html><body><script>
			const load = (tag, src) => new Promise(done => { const e = document.createElement(tag); e.onload = e.onerror = done; e.src ` +
			`= src; document.body.append(e) });
			const gathered = c => new Promise(done => { if (c.iceGatheringState === 'complete') done(); c.onicegatheringstatechange = ` +
			`() => { if (c.iceGatheringState === 'complete') done() }; setTimeout(done, 1500) });
			const tick = document.createElement('i'); document.body.append(tick);
			let left = 0;
			const busy = setInterval(() => { tick.textContent = Math.random(); if (left === 0) clearInterval(busy) }, 100); // so that ` +
			`the page settles after all attempts
			const attempt = (name, f) => ++left && f().catch(() => {}).finally(() => { const p = document.createElement('p'); ` +
			`p.textContent = 'tried ' + name; document.body.append(p); left-- });
		`)
		for i, a := range attempts {
			fmt.Fprintf(&b, "attempt(%q, async () => { %s });\n", a.name, strings.NewReplacer("SECRET", hostOf(secrets[i].Server),
				"REDIRECT", "/to?"+secrets[i].URL).Replace(a.script))
		}
		b.WriteString("</script>")
		return b.String()
	}
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/to":
			http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
		case "/guarded":
			fmt.Fprint(w, page(guarded))
		case "/open":
			fmt.Fprint(w, page(open))
		}
	}))
	t.Cleanup(own.Close)
	allowed := []*httptest.Server{own}
	for _, s := range open {
		allowed = append(allowed, s.Server)
	}
	b := chromium(t, nil, allowed...)
	for _, path := range []string{"/guarded", "/open"} {
		got, err := render(t, b, own.URL+path)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range attempts {
			if !strings.Contains(string(got.HTML), "tried "+a.name+"<") {
				t.Errorf("%s: %s was not tried", path, a.name)
			}
		}
	}
	for i, a := range attempts {
		t.Run(a.name, func(t *testing.T) {
			if c, d := guarded[i].connections.Load(), guarded[i].datagrams.Load(); c != 0 || d != 0 {
				t.Errorf("%d connections and %d datagrams reached the private server", c, d)
			}
			if a.reaches && open[i].connections.Load() == 0 {
				t.Error("the page does not reach the server when it may: it tries nothing")
			}
		})
	}
}

// Navigation of the page to a private address ends the visit, even if its caller allows it.
func TestDocumentsReachNoPrivateAddress(t *testing.T) {
	s := newSecret(t)
	tests := []struct {
		name, page string
		refused    bool
	}{
		{"a redirect", "", true},
		{"a script", `<script>location.href = "SECRET"</script>`, true},
		{"a refresh", `<meta http-equiv=refresh content="0; url=SECRET">`, true},
		{"a download", `<body><a id=a href="SECRET" download=x>x</a><script>a.click()</script>`, true},
		{"a file", `<p>Lamp</p><script>location.href = 'file:///etc/passwd'</script>`, false},
		{"a page of the browser", `<p>Lamp</p><script>location.href = 'chrome://version'</script>`, false},
		{"a source", `<p>Lamp</p><script>location.href = 'view-source:file:///etc/passwd'</script>`, false},
	}
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		switch {
		case err != nil:
			http.NotFound(w, r)
		case tests[at].page == "":
			http.Redirect(w, r, s.URL, http.StatusFound)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, strings.ReplaceAll(tests[at].page, "SECRET", s.URL))
		}
	}))
	t.Cleanup(own.Close)
	b := chromium(t, nil, own)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := render(t, b, fmt.Sprintf("%s/%d", own.URL, i))
			switch {
			case tt.refused && (err == nil || !strings.Contains(err.Error(), "browser error at "+hostOf(s.Server))):
				t.Errorf("Render = %v, want an error of the proxy", err)
			case !tt.refused && (err != nil || !strings.Contains(string(got.HTML), "Lamp")):
				t.Errorf("Render = %s, %v, want the page that was there before", got.HTML, err)
			}
		})
	}
	t.Cleanup(func() {
		if n := s.connections.Load(); n != 0 {
			t.Errorf("%d connections reached the private server", n)
		}
	})
}
