package server

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"
)

// readyTimeout bounds the check of the store: probes come every few seconds.
const readyTimeout = 3 * time.Second

// readyz reports to a probe whether the server can answer calls. A probe needs no token, and learns nothing else.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request, ready func(context.Context) error, stopping *atomic.Bool) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if stopping.Load() {
		plainText(w, http.StatusServiceUnavailable, "stopping\n")
		return
	}
	if ready != nil {
		if err := ready(ctx); err != nil {
			s.logger.WarnContext(ctx, "not ready", "error", err)
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
