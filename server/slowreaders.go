package server

import (
	"net/http"
	"time"
)

// maxPiece is how much of a response is written at a time. A client that reads at least one piece per write timeout,
// two kilobytes a second, gets a response of any length.
const maxPiece = 64 << 10

// slowReaders ends requests whose client does not read: no write of a response waits longer than within. Time between
// writes does not count, so an event stream may be silent for any time; http.Server's WriteTimeout would end it.
func slowReaders(within time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bounded := &boundedWriter{ResponseWriter: w, control: http.NewResponseController(w), within: within}
		bounded.clearDeadline() // the connection may still have the deadline of the request before
		// Buffered data is written after the handler, on its goroutine.
		defer bounded.setDeadline()
		next.ServeHTTP(bounded, r)
	})
}

// boundedWriter gives every write a deadline. Over HTTP/2 an expired deadline ends the stream even if nothing is being
// written, so clearDeadline clears it.
type boundedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	within  time.Duration
}

// setDeadline and clearDeadline fail only for writers without deadlines, such as those of tests.
func (w *boundedWriter) setDeadline()   { _ = w.control.SetWriteDeadline(time.Now().Add(w.within)) }
func (w *boundedWriter) clearDeadline() { _ = w.control.SetWriteDeadline(time.Time{}) }

func (w *boundedWriter) Write(p []byte) (written int, err error) {
	defer w.clearDeadline()
	for {
		piece := p[:min(len(p), maxPiece)]
		w.setDeadline()
		n, err := w.ResponseWriter.Write(piece)
		written, p = written+n, p[len(piece):]
		if err != nil || len(p) == 0 {
			return written, err
		}
	}
}

// FlushError serves [http.ResponseController], Flush the library.
func (w *boundedWriter) FlushError() error {
	w.setDeadline()
	defer w.clearDeadline()
	return w.control.Flush()
}

func (w *boundedWriter) Flush() { _ = w.FlushError() }

func (w *boundedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
