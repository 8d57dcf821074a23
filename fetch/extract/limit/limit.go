// Package limit bounds what is read of strangers' bytes.
package limit

import (
	"errors"
	"fmt"
	"io"
)

// ErrTooLarge is what every reading wraps that ended at a limit of size, nesting or number.
var ErrTooLarge = errors.New("too large")

// Reader is a reader that fails, instead of ending, when more than left bytes come.
type Reader struct {
	R    io.Reader
	Left int64 // bytes that may still come
	Over error // the answer when more come
}

func (l *Reader) Read(p []byte) (int, error) {
	if l.Left < 0 {
		return 0, l.Over
	}
	if int64(len(p)) > l.Left+1 {
		p = p[:l.Left+1]
	}
	n, err := l.R.Read(p)
	l.Left -= int64(n)
	if l.Left < 0 {
		return n - 1, l.Over
	}
	return n, err
}

// Size writes a number of bytes for people.
func Size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", (n+1023)>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
