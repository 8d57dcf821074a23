package loops

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
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

// archive is an archive during its import. Each pass over its log reads the file again, to keep one event in memory.
type archive struct {
	manifest
	zip    *zip.Reader
	texts  map[string]bool // hashes that the log names
	bodies []string
	last   loopstate.Event   // of the log in the file
	added  []loopstate.Event // after last
	head   loopstate.Head    // of the last added event
	signer loopstate.Imported
}

// openArchive reads the manifest and folds the log, so that a log that cannot be loaded is not imported.
func openArchive(r io.ReaderAt, size int64, allowed AllowedSigners) (*archive, *loopstate.State, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, nil, damaged("not a zip file: %v", err)
	}
	a := &archive{zip: z, texts: map[string]bool{}}
	about, err := readFile(z, manifestName, 1<<20)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case json.Unmarshal(about, &a.manifest) != nil || a.Format == 0:
		return nil, nil, damaged("its manifest is not readable")
	case a.Format > archiveFormat:
		return nil, nil, damaged("a newer citeloop wrote it (format %d); update citeloop", a.Format)
	case !canonicalID(a.StateID):
		return nil, nil, damaged("its loop id is not a UUID in lower case: %q", shorten(a.StateID, 60))
	}
	if a.signer.Signer, a.signer.Known, err = a.checkSigner(about, allowed); err != nil {
		return nil, nil, err
	}
	var state *loopstate.State
	for e, err := range a.file() {
		if err != nil {
			return nil, nil, err
		}
		if state, err = loopstate.Apply(state, e); err != nil {
			return nil, nil, damaged("event %d does not follow from the previous ones", e.Seq)
		}
		if err := checkSizes(e); err != nil {
			return nil, nil, err
		}
		if hash := namedText(e); hash != "" {
			a.texts[hash] = true
		}
		a.last = e
	}
	if state == nil || state.Seq != a.Version {
		return nil, nil, damaged("its log ends before event %d", a.Version)
	}
	for _, src := range state.Sources {
		a.texts[src.SHA256] = true
	}
	if len(a.texts) > maxArchiveTexts {
		return nil, nil, damaged("it names %d texts; the limit is %d", len(a.texts), maxArchiveTexts)
	}
	a.bodies = keptBodies(state.Sources)
	return a, state, nil
}

// checkSizes refuses an event that claims to have stored more than one call can. The sizes add up to that of the loop, which
// a store keeps as a 64-bit number.
func checkSizes(e loopstate.Event) error {
	var sizes map[string]json.RawMessage
	if json.Unmarshal(e.Data, &sizes) != nil {
		return nil // the fold has refused it already, or does not know its kind
	}
	for _, name := range []string{"text_bytes", "draft_bytes", "synthesis_bytes", "synthesis_chars", "draft_chars"} {
		value, ok := sizes[name]
		if !ok {
			continue
		}
		var n int64
		if json.Unmarshal(value, &n) != nil || n < 0 || n > maxArchiveSize {
			return damaged("%s of event %d is %s; the limit is %d", name, e.Seq, shorten(string(value), 30), maxArchiveSize)
		}
	}
	return nil
}

// record adds the event of the import behind the log and the added events. state is that of the log in the file.
func (a *archive) record(now time.Time, state *loopstate.State) error {
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

// canonicalID reports whether an id has the form of [Config.NewID]. Ids are used in addresses and file names.
func canonicalID(id string) bool {
	parsed, err := uuid.Parse(id)
	return err == nil && parsed.String() == id
}

// file yields the events of the log in the file. It ends with an error if the log's hash differs from the manifest's.
func (a *archive) file() iter.Seq2[loopstate.Event, error] {
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
func (a *archive) event(line []byte, n int) (e loopstate.Event, err error) {
	if jsoncount.Count(line) > maxArchiveValues || json.Unmarshal(line, &e) != nil {
		return e, damaged("event %d is not readable", n)
	}
	if e.Op == "" || e.Loop != a.StateID {
		return e, damaged("event %d does not belong to loop %s", n, a.StateID)
	}
	return e, nil
}

// checkEnd checks a log after its last line. left is the number of bytes below the limit.
func (a *archive) checkEnd(err error, left int64, sum hash.Hash) error {
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

// log yields the events after after, those of the file and the added ones. It does not read the file for its last event.
func (a *archive) log(after int64) iter.Seq2[loopstate.Event, error] {
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

// archivedLoop is a store that also has the loop of an archive. It keeps new events of that loop in memory.
type archivedLoop struct {
	loopstate.Store
	archive *archive
}

func (s archivedLoop) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	if loop != s.archive.StateID {
		return s.Store.Load(ctx, loop, after)
	}
	return s.archive.log(after)
}

func (s archivedLoop) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event) error {
	if head.Loop != s.archive.StateID {
		return s.Store.Append(ctx, head, at, events)
	}
	if at != s.archive.Version+int64(len(s.archive.added)) {
		return loopstate.ErrConflict
	}
	s.archive.added, s.archive.head = append(s.archive.added, events...), head
	return nil
}

func (s archivedLoop) Snapshot(ctx context.Context, loop string) (loopstate.Snapshot, error) {
	if loop != s.archive.StateID {
		return s.Store.Snapshot(ctx, loop)
	}
	return loopstate.Snapshot{}, loopstate.ErrNotFound
}

func (s archivedLoop) PutSnapshot(ctx context.Context, snapshot loopstate.Snapshot) error {
	if snapshot.Loop != s.archive.StateID {
		return s.Store.PutSnapshot(ctx, snapshot)
	}
	return nil
}
