package server

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// readyTimeout bounds the check of the store: probes come every few seconds.
const readyTimeout = 3 * time.Second

// health answers liveness and readiness probes. They need no token and reveal nothing else.
type health struct {
	ready    func(context.Context) error
	stopping *atomic.Bool
	logger   *slog.Logger
}

func (h health) register(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plainText(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", h.readyz)
}

// readyz reports whether the server can answer calls.
func (h health) readyz(w http.ResponseWriter, r *http.Request) {
	if h.stopping.Load() {
		plainText(w, http.StatusServiceUnavailable, "stopping\n")
		return
	}
	if h.ready != nil {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := h.ready(ctx); err != nil {
			h.logger.WarnContext(ctx, "not ready", "error", err)
			plainText(w, http.StatusServiceUnavailable, "the store does not answer\n")
			return
		}
	}
	plainText(w, http.StatusOK, "ready\n")
}

func plainText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}
