package server

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// At shutdown the server finishes the calls in progress, and fails readiness probes.
func TestShutdown(t *testing.T) {
	h := newFixture(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stop()
		for { // until the listener is closed
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				break
			}
			c.Close()
		}
		if r.Context().Err() == nil {
			plainText(w, http.StatusOK, "whole")
		}
	})
	done := make(chan error, 1)
	go func() { done <- h.srv.ServeHTTP(ctx, l, HTTP{Page: slow}) }()
	resp, err := http.Get("http://" + l.Addr().String() + PagePath)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("the call in progress: %v, %v", resp, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	for stopping, want := range map[bool]string{false: "ready", true: "stopping"} {
		var stops atomic.Bool
		stops.Store(stopping)
		w := httptest.NewRecorder()
		h.srv.handler(HTTP{}, &stops).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		if (w.Code == http.StatusOK) == stopping || !strings.HasPrefix(w.Body.String(), want) {
			t.Errorf("%d %s, want %s", w.Code, w.Body, want)
		}
	}
}
