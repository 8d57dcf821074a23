package browser

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch"
)

// until polls for a change in another process.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	t.Log("waits for: ", what) // shown if the test hangs
	for !done() {
		<-tick.C
	}
}

// waiting is a server with pages that never settle.
func waiting(t *testing.T) (srv *httptest.Server, asked chan struct{}) {
	t.Helper()
	asked = make(chan struct{}, 10)
	pages := map[string]string{
		"/loop": `<body><p>Lamp</p><script>setTimeout(() => { document.body.append('Oil'); for (;;) {} }, 50)</script>`,
		"/loops": `<body><p>Lamp</p><script>setInterval(() => { const end = Date.now() + 3000; while (Date.now() < end); }, 0); ` +
			`addEventListener('pagehide', () => { for (;;) {} })</script>`,
		"/changes": `<body><p>Lamp</p><i id=i></i><script>setInterval(() => { i.textContent = Date.now() }, 20)</script>`,
		"/still":   `<p>Lamp</p>`,
		"/alerts":  `<body><p>Lamp</p><script>for (;;) alert(1)</script>`,
		"/console": `<body><p>Lamp</p><script>const s = 'x'.repeat(1e6); setInterval(() => { for (let i = 0; i < 50; i++) ` +
			`console.log(s + i) }, 10)</script>`,
		"/": `<body><p>Lamp</p><script>fetch('/never')</script>`,
	}
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, answers := pages[r.URL.Path]
		if !answers {
			asked <- struct{}{}
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, body)
	}))
	t.Cleanup(srv.Close)
	return srv, asked
}

// A page that never settles is read as it is when its time is nearly over.
func TestRenderPageThatNeverSettles(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: long")
	}
	srv, _ := waiting(t)
	b := chromium(t, func(c *Config, _ *fetch.ClientConfig) { c.Timeout, c.MaxPages = defaultTimeout, 6 }, srv)
	tests := []struct{ name, path, want string }{
		{"a script that does not end", "/loop", "Oil"},
		{"one script after the other", "/loops", "Lamp"},
		{"a document that always changes", "/changes", "Lamp"},
		{"dialogs without end", "/alerts", "Lamp"},
		{"a flooded console", "/console", "Lamp"},
		{"an answer that never comes", "/", "Lamp"},
	}
	t.Run("all", func(t *testing.T) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				got, err := render(t, b, srv.URL+tt.path)
				if err != nil || !strings.Contains(string(got.HTML), tt.want) {
					t.Errorf("Render = %s, %v, want a document with %s", got.HTML, err, tt.want)
				}
			})
		}
	})
	if runtime.GOOS == "linux" {
		until(t, "the pages' processes end", func() bool { return renderers(t, b) <= 2 })
	}
}

// renderers counts the renderer processes of a browser. It keeps one for its first tab, and a spare one.
func renderers(t *testing.T, b *Browser) int {
	t.Helper()
	folder := profile(t, b)
	n := 0
	for _, line := range commands(t) {
		if strings.Contains(line, "--type=renderer") && strings.Contains(line, folder) {
			n++
		}
	}
	return n
}

// program returns the running process.
func program(b *Browser) *os.Process {
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	return chromedp.FromContext(b.now.ctx).Browser.Process()
}

// profile returns the folder of the running browser.
func profile(t *testing.T, b *Browser) string {
	t.Helper()
	pid := program(b).Pid
	for word := range strings.SplitSeq(commands(t)[pid], "\x00") {
		if folder, ok := strings.CutPrefix(word, "--user-data-dir="); ok {
			return folder
		}
	}
	t.Fatalf("process %d has no profile", pid)
	return ""
}

// commands returns the command lines of all processes.
func commands(t *testing.T) map[int]string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]string{}
	for _, path := range all {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if line, err := os.ReadFile(path); err == nil && len(line) > 0 {
			out[pid] = string(line)
		}
	}
	return out
}

func TestRenderIsCancelled(t *testing.T) {
	srv, asked := waiting(t)
	b := chromium(t, func(c *Config, _ *fetch.ClientConfig) { c.MaxPages = 1 }, srv)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := b.Render(ctx, parse(t, srv.URL+"/"), anywhere); !errors.Is(err, context.Canceled) {
		t.Errorf("Render = %v, want that it was cancelled", err)
	}
	// With one page at a time, the next waits for its turn until its deadline.
	ctx, cancel = context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = b.Render(ctx, parse(t, srv.URL+"/first"), anywhere)
	}()
	<-asked
	short, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := b.Render(short, parse(t, srv.URL+"/"), anywhere); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Render beside another page = %v, want that its time is over", err)
	}
	cancel()
	<-ended
	select {
	case <-asked:
		t.Error("the page was loaded while it waited")
	default:
	}
}

// After a crash, the open page fails and the next gets a new process.
func TestRenderAfterACrash(t *testing.T) {
	srv, asked := waiting(t)
	b := chromium(t, nil, srv)
	go func() {
		<-asked
		_ = program(b).Kill()
	}()
	if _, err := render(t, b, srv.URL+"/first"); !errors.Is(err, errCrashed) {
		t.Errorf("Render = %v, want that the browser crashed", err)
	}
	if got, err := render(t, b, srv.URL+"/still"); err != nil || !strings.Contains(string(got.HTML), "Lamp") {
		t.Errorf("Render after a crash = %s, %v", got.HTML, err)
	}
}

// An idle process ends and its folder is removed. The next page starts another.
func TestProcessEndsWhenIdle(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("skipped: how to find the process is known for Linux alone")
	}
	srv := serve(t, map[string]string{"/": "<p>Lamp</p>"})
	b := chromium(t, func(c *Config, _ *fetch.ClientConfig) { c.Idle = time.Hour }, srv)
	if _, err := render(t, b, srv.URL); err != nil {
		t.Fatal(err)
	}
	folder := profile(t, b)
	b.idle.Reset(0)
	until(t, "the folder is removed", func() bool { _, err := os.Stat(folder); return os.IsNotExist(err) })
	if _, err := render(t, b, srv.URL); err != nil {
		t.Fatal(err)
	}
	folder = profile(t, b)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("after Close the folder is there: %v", err)
	}
	if _, err := render(t, b, srv.URL); !errors.Is(err, errClosed) {
		t.Errorf("Render after Close = %v", err)
	}
}

// TestMain allows the test below to start this program again, as a process that is killed while its browser runs.
func TestMain(m *testing.M) {
	if path := os.Getenv("BROWSER_TEST_ORPHAN"); path != "" {
		gate, err := fetch.NewGate(fetch.ClientConfig{})
		if err != nil {
			panic(err)
		}
		b, err := New(Config{Path: path, Gate: gate, NoSandbox: os.Geteuid() == 0, Env: environment()})
		if err != nil {
			panic(err)
		}
		p, err := b.enter(context.Background())
		if err != nil {
			panic(err)
		}
		fmt.Println(chromedp.FromContext(p.ctx).Browser.Process().Pid)
		select {}
	}
	os.Exit(m.Run())
}

func TestBrowserEndsWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("skipped: how to find the process is known for Linux alone")
	}
	path := chromiumPath(t)
	folder, err := os.MkdirTemp("", "citeloop-orphan-")
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.CommandContext(t.Context(), os.Args[0])
	parent.Env = append(os.Environ(), "BROWSER_TEST_ORPHAN="+path, "TMPDIR="+folder)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the program did not start its browser: %v", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || commands(t)[pid] == "" {
		t.Fatalf("%q is no process: %v", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	until(t, "the browser ends", func() bool { return commands(t)[pid] == "" })
	until(t, "its children end as well, and do not use its folder", func() bool { return os.RemoveAll(folder) == nil })
}

func TestNew(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Error("New without a path succeeds")
	}
	if runtime.GOOS == "linux" && os.Geteuid() == 0 {
		if _, err := New(Config{Path: "chromium", Gate: &fetch.Gate{}}); !errors.Is(err, ErrRoot) {
			t.Errorf("New for root = %v, want ErrRoot", err)
		}
	}
	if _, err := Find("no-such-browser", os.Getenv); !errors.Is(err, ErrNotFound) {
		t.Errorf("Find = %v, want ErrNotFound", err)
	}
	folder := t.TempDir()
	quits := filepath.Join(folder, "quits")
	if err := os.WriteFile(quits, []byte("#!/bin/sh\necho out of order >&2; exit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	b, err := New(Config{Path: quits, Gate: &fetch.Gate{}, NoSandbox: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	if _, err := b.Render(t.Context(), parse(t, "http://example.org/"), anywhere); err == nil ||
		!strings.Contains(err.Error(), "out of order") {
		t.Errorf("Render with a broken browser = %v, want its output", err)
	}
}

// Chromium checks the certificates of sites; the proxy does not intercept TLS.
func TestRenderTLS(t *testing.T) {
	var hits atomic.Int64
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>Lamp</p>")
	}))
	t.Cleanup(srv.Close)
	if _, err := render(t, chromium(t, nil, srv), srv.URL); err == nil || !strings.Contains(err.Error(), "CERT") || hits.Load() != 0 {
		t.Errorf("Render with an unknown certificate = %v after %d requests", err, hits.Load())
	}
	key := sha256.Sum256(srv.Certificate().RawSubjectPublicKeyInfo)
	trusting := chromium(t, func(c *Config, _ *fetch.ClientConfig) {
		c.flags = map[string]string{"ignore-certificate-errors-spki-list": base64.StdEncoding.EncodeToString(key[:])}
	}, srv)
	if got, err := render(t, trusting, srv.URL); err != nil || !strings.Contains(string(got.HTML), "Lamp") {
		t.Errorf("Render = %s, %v", got.HTML, err)
	}
}
