package mail

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// MaxMessageBytes bounds one message with its attachments; larger ones are cut. Mail services accept up to 25 to 50 MB, and
// anything beyond a few MB is attachments.
const MaxMessageBytes = 20 << 20

// ErrNotMailbox means that a file does not begin like a mailbox.
var ErrNotMailbox = errors.New("not a mailbox: its first line is not that of a message")

// separator is a line between messages: "From " followed by a time of day, such as
// "From ada@example.org Thu Nov 19 10:00:00 2026" and Thunderbird's "From - Thu Nov 19 10:00:00 2026".
var separator = lazyregexp.New(`^From \S.*\d:\d\d`)

var escapedFrom = lazyregexp.New(`^>+From `)

// Split yields the raw messages of a mailbox, in order, without separating lines and with unescaped bodies. It stops when
// yield returns false. The error is [ErrNotMailbox] or the reader's.
func Split(r io.Reader, yield func(raw []byte) bool) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	var message []byte
	begun, blank, header := false, true, false
	emit := func() bool {
		if !begun {
			return true
		}
		message = bytes.TrimSuffix(message, []byte("\n")) // the blank line before the next separator
		return yield(message)
	}
	for {
		line, err := readLine(lines)
		if len(line) == 0 && err != nil {
			if !errors.Is(err, io.EOF) {
				return err
			}
			emit()
			return nil
		}
		isBlank := len(bytes.TrimRight(line, "\r\n")) == 0
		switch {
		case blank && separator.Match(line):
			if !emit() {
				return nil
			}
			message, begun, header = make([]byte, 0, len(message)/2), true, true
		case !begun && isBlank:
		case !begun:
			return ErrNotMailbox
		default:
			if !header && escapedFrom.Match(line) {
				line = line[1:]
			}
			if left := MaxMessageBytes - len(message); left > 0 {
				message = append(message, line[:min(len(line), left)]...)
			}
			header = header && !isBlank
		}
		blank = isBlank
	}
}

// readLine reads a line with its end, or the next part of a very long one.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		err = nil
	}
	return line, err
}
