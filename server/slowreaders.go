package server

import (
	"net/http"
	"time"
)

// maxPiece is how much of an answer is written at a time. A client that takes it within the time that the server limits
// for a write, two kilobytes a second, gets an answer of any length.
const maxPiece = 64 << 10

// slowReaders lets go of clients that do not take what they are sent: no write of an answer waits longer than within.
// One that does ends the request, and with it all that runs to feed it. Between writes time does not count, so that an
// event stream may be silent as long as it likes; http.Server's WriteTimeout would end that too.
func slowReaders(within time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bounded := &boundedWriter{ResponseWriter: w, control: http.NewResponseController(w), within: within}
		bounded.rest() // the connection may still have the deadline of the request before
		// What is left in buffers is written after the handler, on its goroutine.
		defer bounded.hurry()
		next.ServeHTTP(bounded, r)
	})
}

// boundedWriter gives every write a deadline. Over HTTP/2 a deadline that passes ends the stream though nothing is being
// written, hence rest.
type boundedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	within  time.Duration
}

// hurry and rest fail only for writers that know no deadlines, such as those of tests.
func (w *boundedWriter) hurry() { _ = w.control.SetWriteDeadline(time.Now().Add(w.within)) }
func (w *boundedWriter) rest()  { _ = w.control.SetWriteDeadline(time.Time{}) }

func (w *boundedWriter) Write(p []byte) (written int, err error) {
	defer w.rest()
	for {
		piece := p[:min(len(p), maxPiece)]
		w.hurry()
		n, err := w.ResponseWriter.Write(piece)
		written, p = written+n, p[len(piece):]
		if err != nil || len(p) == 0 {
			return written, err
		}
	}
}

// FlushError is what [http.ResponseController] asks for, Flush what the library does.
func (w *boundedWriter) FlushError() error {
	w.hurry()
	defer w.rest()
	return w.control.Flush()
}

func (w *boundedWriter) Flush() { _ = w.FlushError() }

func (w *boundedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
