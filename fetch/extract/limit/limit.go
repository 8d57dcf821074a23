// Package limit bounds the bytes that untrusted documents take.
package limit

import (
	"errors"
	"fmt"
	"io"
)

// ErrTooLarge is wrapped by every error of a read that exceeded a limit of size, nesting or number.
var ErrTooLarge = errors.New("too large")

// Reader fails if its source has more than Left bytes.
type Reader struct {
	R    io.Reader
	Left int64 // bytes that may still be read
	Over error // returned if there are more
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

// Size formats a number of bytes for a message.
func Size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", (n+1023)>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
