package server

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// readyTimeout bounds the question whether the store answers: probes ask every few seconds.
const readyTimeout = 3 * time.Second

// wellness answers those who watch over a server. It says yes or no, and nothing else: it asks for no token.
type wellness struct {
	ready  func(context.Context) error
	leaves *leave
	logger *slog.Logger
}

func (w wellness) register(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", w.alive)
	mux.HandleFunc("GET /readyz", w.answers)
}

// alive: the process runs. One that is not should be started anew.
func (w wellness) alive(rw http.ResponseWriter, _ *http.Request) { say(rw, http.StatusOK, "ok\n") }

// answers: calls can be answered. A server that cannot should be passed over for a while.
func (w wellness) answers(rw http.ResponseWriter, r *http.Request) {
	if w.leaves.asked() {
		say(rw, http.StatusServiceUnavailable, "stopping\n")
		return
	}
	if w.ready != nil {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := w.ready(ctx); err != nil {
			w.logger.WarnContext(ctx, "not ready", "error", err)
			say(rw, http.StatusServiceUnavailable, "the store does not answer\n")
			return
		}
	}
	say(rw, http.StatusOK, "ready\n")
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // a prober that is gone does not read it
}
