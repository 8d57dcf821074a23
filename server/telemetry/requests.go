package telemetry

import "net/http"

// Requests counts HTTP responses by status.
func (m *Metrics) Requests(next http.Handler) http.Handler {
	if m == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		counting := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() { m.answered(counting.status) }()
		next.ServeHTTP(counting, r)
	})
}

// statusWriter records the status. Unwrap gives access to the other features of a writer, such as flushing.
type statusWriter struct {
	http.ResponseWriter
	status int
	sent   bool
}

func (w *statusWriter) WriteHeader(status int) {
	if !w.sent && status >= 200 {
		w.status, w.sent = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	w.sent = true
	return w.ResponseWriter.Write(p)
}

// Flush implements [http.Flusher], which the library requires.
func (w *statusWriter) Flush() {
	if f, ok := w.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
