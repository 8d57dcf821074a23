package server

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"
)

// A server that is told to stop says first that it is not ready, while it still takes calls; then it closes its listener,
// ends the event streams, and finishes what is under way.
func TestLeave(t *testing.T) {
	h := newFixture(t)
	h.srv.logger = slog.New(slog.DiscardHandler)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	under, finish := make(chan struct{}), make(chan struct{})
	slow := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/slow" {
				next.ServeHTTP(w, r)
				return
			}
			close(under)
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
	limits.probe = time.Hour // it does not end before it was asked
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
	<-under

	cancel()
	// A connection of its own: the listener still takes some.
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for { // until it says that it is not ready
		resp, err := fresh.Get(url + "/readyz")
		if err != nil {
			t.Fatalf("the listener is closed before anybody was told: %v", err)
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
		t.Fatalf("it stopped with a call under way: %v", err)
	case text := <-answer:
		t.Fatalf("the call under way was ended: %q", text)
	default:
	}
	close(finish)
	if text := <-answer; text != "whole" {
		t.Errorf("the call under way is answered %q", text)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := net.DialTimeout("tcp", l.Addr().String(), time.Second); err == nil {
		t.Error("the listener is still open")
	}
}

// Where nobody asks whether the server is ready, nobody has to be told.
func TestShutdownUnwatched(t *testing.T) {
	l := newShutdown()
	told := make(chan struct{})
	go func() { l.begin(time.Hour); close(told) }()
	<-told
	if !l.probed() {
		t.Error("it still reports ready")
	}
}

// Who asked once and never again is waited for no longer than that.
func TestShutdownWithoutProbe(t *testing.T) {
	l := newShutdown()
	if l.probed() {
		t.Error("it stop")
	}
	l.begin(time.Millisecond)
}
