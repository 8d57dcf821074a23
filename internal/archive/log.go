package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/jsoncount"
	"github.com/citeloop/citeloop/loopstate"
)

// Archive is an archive during its import. Each pass over its log reads the file again, to keep one event in memory.
type Archive struct {
	manifest
	zip    *zip.Reader
	texts  map[string]bool // hashes that the log names
	bodies []string
	last   loopstate.Event   // of the log in the file
	added  []loopstate.Event // after last
	head   loopstate.Head    // of the last added event
	signer loopstate.Imported
}

// Loop returns the id of the loop, Head its summary behind the last event, Texts the number of its texts, and Signer who
// signed it.
func (a *Archive) Loop() string               { return a.StateID }
func (a *Archive) Head() loopstate.Head       { return a.head }
func (a *Archive) Texts() int                 { return len(a.texts) }
func (a *Archive) Signer() loopstate.Imported { return a.signer }

// Record adds the event of the import behind the log and the added events. state is that of the log in the file.
func (a *Archive) Record(now time.Time, state *loopstate.State) error {
	for _, e := range a.added {
		var err error
		if state, err = loopstate.Apply(state, e); err != nil {
			return err
		}
	}
	e, err := loopstate.NewEvent(a.StateID, state.Seq+1, now, uuid.NewString(), a.signer)
	if err != nil {
		return err
	}
	if state, err = loopstate.Apply(state, e); err != nil {
		return err
	}
	a.added, a.head = append(a.added, e), state.Head()
	return nil
}

// canonicalID reports whether an id is a UUID as citeloop writes it. Ids are used in addresses and file names.
func canonicalID(id string) bool {
	parsed, err := uuid.Parse(id)
	return err == nil && parsed.String() == id
}

// file yields the events of the log in the file. It ends with an error if the log's hash differs from the manifest's.
func (a *Archive) file() iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		f, err := a.zip.Open(eventsName)
		if err != nil {
			yield(loopstate.Event{}, damaged("%s is missing", eventsName))
			return
		}
		defer f.Close()
		sum := sha256.New()
		limited := &io.LimitedReader{R: f, N: maxArchiveLog + 1}
		lines := bufio.NewScanner(io.TeeReader(limited, sum))
		lines.Buffer(nil, maxArchiveEvent)
		lines.Split(scanLines())
		for n := 1; lines.Scan(); n++ {
			e, err := a.event(lines.Bytes(), n)
			if !yield(e, err) || err != nil {
				return
			}
		}
		if err := a.checkEnd(lines.Err(), limited.N, sum); err != nil {
			yield(loopstate.Event{}, err)
		}
	}
}

// scanLines is bufio.ScanLines, except that it searches each byte of a long line once.
func scanLines() bufio.SplitFunc {
	searched := 0 // bytes of data without a line feed
	return func(data []byte, atEOF bool) (int, []byte, error) {
		if !atEOF && bytes.IndexByte(data[searched:], '\n') < 0 {
			searched = len(data)
			return 0, nil, nil
		}
		searched = 0
		return bufio.ScanLines(data, atEOF)
	}
}

// event decodes line n of the log.
func (a *Archive) event(line []byte, n int) (e loopstate.Event, err error) {
	if jsoncount.Count(line) > maxArchiveValues || json.Unmarshal(line, &e) != nil {
		return e, damaged("event %d is not readable", n)
	}
	if e.Op == "" || e.Loop != a.StateID {
		return e, damaged("event %d does not belong to loop %s", n, a.StateID)
	}
	return e, nil
}

// checkEnd checks a log after its last line. left is the number of bytes below the limit.
func (a *Archive) checkEnd(err error, left int64, sum hash.Hash) error {
	switch got := hex.EncodeToString(sum.Sum(nil)); {
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF):
		return damaged("%s is damaged", eventsName)
	case err != nil:
		return damaged("its log is not readable: %v", err)
	case left <= 0:
		return damaged("%s is larger than %d bytes", eventsName, maxArchiveLog)
	case got != a.Events:
		return damaged("its log was changed: sha256 %s, the manifest says %s", got, a.Events)
	}
	return nil
}

// Log yields the events after after, those of the file and the added ones. It does not read the file for its last event.
func (a *Archive) Log(after int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		if after < a.Version-1 {
			for e, err := range a.file() {
				if (err != nil || e.Seq > after) && !yield(e, err) {
					return
				}
			}
		} else if after < a.Version && !yield(a.last, nil) {
			return
		}
		for _, e := range a.added {
			if e.Seq > after && !yield(e, nil) {
				return
			}
		}
	}
}
