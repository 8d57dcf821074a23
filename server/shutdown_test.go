package server

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// At shutdown the server first fails readiness probes while it still accepts calls. Then it closes its listener, ends the
// event streams, and finishes the calls in progress.
func TestShutdown(t *testing.T) {
	h := newFixture(t)
	h.srv.logger = slog.New(slog.DiscardHandler)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	started, finish := make(chan struct{}), make(chan struct{})
	slow := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/slow" {
				next.ServeHTTP(w, r)
				return
			}
			close(started)
			select {
			case <-finish:
			case <-r.Context().Done():
			}
			if r.Context().Err() == nil {
				plainText(w, http.StatusOK, "whole")
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	limits := defaultTimeouts()
	limits.probe = time.Hour // it waits for a probe
	go func() { done <- h.srv.serveHTTP(ctx, l, HTTP{Around: slow}, limits) }()
	if resp, _ := openStream(t, http.MethodGet, url+"/readyz", "", nil); resp.StatusCode != http.StatusOK {
		t.Fatalf("ready: %d", resp.StatusCode)
	}
	_, session := initialized(t, url, "")
	stream, _ := openStream(t, http.MethodGet, url+Endpoint, "", map[string]string{"Mcp-Session-Id": session})
	answer := make(chan string, 1)
	go func() {
		resp, err := http.Get(url + "/slow")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		answer <- string(text)
	}()
	<-started

	cancel()
	// A new connection for each request: the listener still accepts them.
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for { // until it reports that it is not ready
		resp, err := fresh.Get(url + "/readyz")
		if err != nil {
			t.Fatalf("the listener is closed before a probe failed: %v", err)
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusServiceUnavailable {
			break
		}
	}
	if _, err := io.ReadAll(stream.Body); err != nil { // its end, not a broken connection
		t.Errorf("the event stream: %v", err)
	}
	select {
	case err := <-done:
		t.Fatalf("it stopped with a call in progress: %v", err)
	case text := <-answer:
		t.Fatalf("the call in progress was ended: %q", text)
	default:
	}
	close(finish)
	if text := <-answer; text != "whole" {
		t.Errorf("answer to the call in progress: %q", text)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("the listener is still open")
	}
}

// Shutdown waits for the next probe: until its limit if the probes have ended, and not at all if there were none.
func TestShutdownWaitsForAProbe(t *testing.T) {
	for probes, want := range []time.Duration{0, 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			l := newShutdown()
			for range probes {
				if l.probed() {
					t.Error("it reports a shutdown before it begins")
				}
			}
			start := time.Now()
			if l.begin(5 * time.Second); time.Since(start) != want {
				t.Errorf("after %d probes: waited %v, want %v", probes, time.Since(start), want)
			}
			if !l.probed() {
				t.Errorf("after %d probes: it still reports ready", probes)
			}
		})
	}
}
