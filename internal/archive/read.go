package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Limits of a file, which is read into memory.
const (
	maxFile  = 512 << 20 // bytes
	maxLine  = 128 << 20 // bytes, with the escapes of JSON
	maxEvent = 16 << 20  // bytes of an event's line; its values take several times as much memory
	maxText  = 64 << 20  // bytes of one text
)

// Loop is the contents of a file.
type Loop struct {
	ID     string
	Events []loopstate.Event
	Texts  [][]byte
	State  *loopstate.State // after the last event
}

// Read reads a loop and checks every hash, that the log can be folded, and that every source has its text.
func Read(r io.Reader) (*Loop, error) {
	limited := &io.LimitedReader{R: r, N: maxFile + 1}
	lines := &reader{Scanner: bufio.NewScanner(limited), sum: sha256.New()}
	lines.Buffer(nil, maxLine)
	head, _, err := lines.next()
	parsed, idErr := uuid.Parse(head.StateID)
	switch {
	case head.Format > format:
		return nil, &Error{fmt.Sprintf("a newer citeloop wrote it (format %d); update citeloop", head.Format)}
	case err != nil, head.Format != format:
		return nil, invalid("it does not start like an export of 'citeloop loops export'")
	case idErr != nil || parsed.String() != head.StateID: // ids are used in addresses and file names
		return nil, invalid("its loop id is not a UUID in lower case: %q", sanitize.Short(head.StateID, 60))
	}
	loop, has := &Loop{ID: head.StateID}, map[string]bool{}
	for {
		l, before, err := lines.next()
		switch {
		case limited.N <= 0:
			return nil, invalid("it is larger than %d bytes", maxFile)
		case err != nil:
			return nil, err
		case l.Event != nil:
			if err := loop.add(*l.Event); err != nil {
				return nil, err
			}
		case l.End && (l.SHA256 != before || l.Texts != len(loop.Texts) || lines.Scan()):
			return nil, invalid("it was changed or damaged: its last line does not match the others")
		case l.End:
			return loop, loop.check(head.Version, has)
		default:
			text := l.Base64
			if l.Text != nil {
				text = []byte(*l.Text)
			}
			if len(text) > maxText || loopstate.HashText(text).String() != l.SHA256 {
				return nil, invalid("text %s was changed or damaged", sanitize.Short(l.SHA256, 64))
			}
			loop.Texts, has[l.SHA256] = append(loop.Texts, text), true
		}
	}
}

// reader reads lines and sums them up.
type reader struct {
	*bufio.Scanner
	sum hash.Hash
}

// next returns a line, and the hash of all lines before it.
func (r *reader) next() (l line, before string, err error) {
	if !r.Scan() {
		switch err := r.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			return l, "", invalid("a line is longer than %d bytes", maxLine)
		case err != nil:
			return l, "", err
		}
		return l, "", invalid("it ends before its last line")
	}
	encoded := r.Bytes()
	isEvent := bytes.HasPrefix(encoded, []byte(`{"event"`))
	if isEvent && len(encoded) > maxEvent || json.Unmarshal(encoded, &l) != nil || l.Event != nil && !isEvent {
		return l, "", invalid("a line is not readable: %s", sanitize.Short(string(encoded[:min(len(encoded), 200)]), 60))
	}
	before = hex.EncodeToString(r.sum.Sum(nil))
	r.sum.Write(encoded)
	r.sum.Write([]byte{'\n'})
	return l, before, nil
}

// add folds an event into the state.
func (l *Loop) add(e loopstate.Event) (err error) {
	if e.Op == "" || e.Loop != l.ID {
		return invalid("event %d does not belong to loop %s", e.Seq, l.ID)
	}
	if l.State, err = loopstate.Apply(l.State, e); err != nil {
		return invalid("event %d does not follow from the previous ones", e.Seq)
	}
	l.Events = append(l.Events, e)
	return nil
}

// check checks the loop after its last line.
func (l *Loop) check(version int64, has map[string]bool) error {
	if l.State == nil || l.State.Seq != version {
		return invalid("its log does not end with event %d", version)
	}
	for _, src := range l.State.Sources {
		if !has[src.SHA256] {
			return invalid("the text of %s is missing", src.ID)
		}
	}
	return nil
}
