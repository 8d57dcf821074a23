package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// At shutdown the server fails readiness probes, closes its listener, and finishes the calls in progress.
func TestShutdown(t *testing.T) {
	h := newFixture(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	started, finish, probed := make(chan struct{}), make(chan struct{}), make(chan int, 1)
	slow := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/slow" {
				next.ServeHTTP(w, r)
				return
			}
			close(started)
			<-finish
			probe := httptest.NewRecorder()
			ready, _ := http.NewRequestWithContext(r.Context(), http.MethodGet, url+"/readyz", nil)
			next.ServeHTTP(probe, ready)
			probed <- probe.Code
			if r.Context().Err() == nil {
				plainText(w, http.StatusOK, "whole")
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- h.srv.ServeHTTP(ctx, l, HTTP{Around: slow}) }()
	if resp, err := http.Get(url + "/readyz"); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("ready: %v, %v", resp, err)
	}
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
	for { // until the listener is closed
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			break
		}
		c.Close()
	}
	select {
	case err := <-done:
		t.Fatalf("it stopped with a call in progress: %v", err)
	case text := <-answer:
		t.Fatalf("the call in progress was ended: %q", text)
	default:
	}
	close(finish)
	if status := <-probed; status != http.StatusServiceUnavailable {
		t.Errorf("ready while it stops: %d", status)
	}
	if text := <-answer; text != "whole" {
		t.Errorf("answer to the call in progress: %q", text)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
