package loops

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/citeloop/citeloop/loopstate"
)

// An archive is one loop in one file: a zip with manifest.json, events.jsonl (the log, one event a line),
// texts/SHA256.txt for every text that the log names, and bodies/SHA256 for what those were taken from, as far as
// it is kept. Any zip tool opens it; the hashes say whether it is whole and untouched.
const (
	archiveFormat   = 1
	manifestName    = "manifest.json"
	eventsName      = "events.jsonl"
	textsFolder     = "texts/"
	bodiesFolder    = "bodies/"
	maxArchiveEvent = 64 << 20  // bytes of one event; the largest call is 10 MiB
	maxArchiveText  = 64 << 20  // bytes of one text
	maxArchiveLog   = 1 << 30   // bytes of a whole log
	maxArchiveTexts = 1_000_000 // texts of one loop
)

// manifest says what an archive holds.
type manifest struct {
	Format    int    `json:"format"`
	StateID   string `json:"state_id"`
	Query     string `json:"query"`
	Version   int64  `json:"version"` // the number of the last event
	Events    string `json:"events_sha256"`
	Texts     int    `json:"texts"`
	Bodies    int    `json:"bodies,omitempty"` // how many there are; an archive from before they were kept has none
	Generator string `json:"generator"`
}

// ArchiveError says why a file is not taken as an archive.
type ArchiveError struct{ Problem string }

func (e *ArchiveError) Error() string { return "the archive is not taken: " + e.Problem }

func damaged(problem string, args ...any) error {
	return &ArchiveError{fmt.Sprintf(problem, args...)}
}

// Export writes a loop and its texts to w.
func (s *Service) Export(ctx context.Context, loop string, w io.Writer) error {
	m := manifest{Format: archiveFormat, StateID: loop, Generator: s.Generator}
	hashes := map[string]bool{}
	var bodies []string
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		m.Query, m.Version = st.Query, st.Seq
		for _, src := range st.Sources {
			hashes[src.SHA256] = true
		}
		bodies = keptBodies(st.Sources)
		return nil
	})
	if err != nil {
		return err
	}
	var log bytes.Buffer
	for e, err := range s.Store.Load(ctx, loop, 0) {
		if err != nil {
			return err
		}
		if e.Seq > m.Version {
			break
		}
		if p, ok := decoded[loopstate.Closed](e); ok && p.Synthesis != "" {
			hashes[p.Synthesis] = true
		}
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("loops: exporting event %d: %w", e.Seq, err)
		}
		log.Write(append(line, '\n'))
	}
	m.Events, m.Texts = loopstate.HashText(log.Bytes()).String(), len(hashes)

	z := zip.NewWriter(w)
	if err := addFile(z, eventsName, log.Bytes()); err != nil {
		return err
	}
	sorted := make([]string, 0, len(hashes))
	for h := range hashes {
		sorted = append(sorted, h)
	}
	sort.Strings(sorted) // the same loop gives the same archive
	for _, name := range sorted {
		h, err := loopstate.ParseHash(name)
		if err != nil {
			return err
		}
		text, err := s.Store.Blob(ctx, h)
		if err != nil {
			return fmt.Errorf("loops: exporting text %s: %w", name, err)
		}
		if err := addFile(z, textsFolder+name+".txt", text); err != nil {
			return err
		}
	}
	if m.Bodies, err = s.exportBodies(ctx, z, bodies); err != nil {
		return err
	}
	about, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := addFile(z, manifestName, about); err != nil {
		return err
	}
	return z.Close()
}

func decoded[P any](e loopstate.Event) (*P, bool) {
	p, err := loopstate.Decode(e)
	if err != nil {
		return nil, false
	}
	got, ok := p.(*P)
	return got, ok
}

func addFile(z *zip.Writer, name string, body []byte) error {
	f, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	return err
}

// Imported is the answer to Import.
type Imported struct {
	StateID string
	Query   string
	Events  int64
	Texts   int
}

// Import reads an archive, checks every hash and replays the log, and only then writes the loop. A loop that
// is there already is left alone. The loop keeps its id and belongs to the caller's owner only if it did
// before: a log is not rewritten.
func (s *Service) Import(ctx context.Context, r io.ReaderAt, size int64) (Imported, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return Imported{}, damaged("it is no zip file (%v)", err)
	}
	var m manifest
	about, err := readFile(z, manifestName, 1<<20)
	if err != nil {
		return Imported{}, err
	}
	if json.Unmarshal(about, &m) != nil || m.Format == 0 {
		return Imported{}, damaged("its manifest cannot be read")
	}
	if m.Format > archiveFormat {
		return Imported{}, damaged("it was written by a newer citeloop (format %d); update this one", m.Format)
	}
	log, err := readFile(z, eventsName, maxArchiveLog)
	if err != nil {
		return Imported{}, err
	}
	if got := loopstate.HashText(log).String(); got != m.Events {
		return Imported{}, damaged("its log has been changed (sha256 %s, the manifest says %s)", got, m.Events)
	}
	events, state, err := replay(log, m)
	if err != nil {
		return Imported{}, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return Imported{}, err
	}
	if state.Owner != owner {
		return Imported{}, damaged("the loop belongs to another owner")
	}
	var exists bool
	for _, err := range s.Store.Load(ctx, m.StateID, 0) {
		if err != nil {
			return Imported{}, err
		}
		exists = true
		break
	}
	if exists {
		return Imported{}, damaged("loop %s is here already", m.StateID)
	}
	texts, err := s.importTexts(ctx, z, state, events)
	if err != nil {
		return Imported{}, err
	}
	bodies := keptBodies(state.Sources)
	if err := s.importBodies(ctx, z, bodies, m.Bodies); err != nil {
		return Imported{}, err
	}
	state = nil
	for _, e := range events {
		if state, err = loopstate.Apply(state, e); err != nil {
			return Imported{}, err
		}
		if err := s.Store.Append(ctx, state.Head(), e.Seq-1, []loopstate.Event{e}); err != nil {
			return Imported{}, fmt.Errorf("loops: importing event %d: %w", e.Seq, err)
		}
	}
	if _, err := s.importTexts(ctx, z, state, events); err != nil { // see putAgain
		return Imported{}, err
	}
	if err := s.importBodies(ctx, z, bodies, m.Bodies); err != nil {
		return Imported{}, err
	}
	return Imported{StateID: m.StateID, Query: state.Query, Events: state.Seq, Texts: texts}, nil
}

// replay reads and folds a log, so that nothing is written that could not be loaded again.
func replay(log []byte, m manifest) ([]loopstate.Event, *loopstate.State, error) {
	var events []loopstate.Event
	var state *loopstate.State
	lines := bufio.NewScanner(bytes.NewReader(log))
	lines.Buffer(nil, maxArchiveEvent)
	for lines.Scan() {
		var e loopstate.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, nil, damaged("event %d cannot be read", len(events)+1)
		}
		if e.Op == "" || e.Loop != m.StateID {
			return nil, nil, damaged("event %d does not belong to loop %s", len(events)+1, m.StateID)
		}
		var err error
		if state, err = loopstate.Apply(state, e); err != nil {
			return nil, nil, damaged("event %d does not follow from the ones before", len(events)+1)
		}
		events = append(events, e)
	}
	if err := lines.Err(); err != nil {
		return nil, nil, damaged("its log cannot be read: %v", err)
	}
	if state == nil || state.Seq != m.Version {
		return nil, nil, damaged("its log ends before event %d", m.Version)
	}
	return events, state, nil
}

// importTexts checks and keeps every text that the log names.
func (s *Service) importTexts(ctx context.Context, z *zip.Reader, state *loopstate.State, events []loopstate.Event) (int, error) {
	wanted := map[string]bool{}
	for _, src := range state.Sources {
		wanted[src.SHA256] = true
	}
	for _, e := range events {
		if p, ok := decoded[loopstate.Closed](e); ok && p.Synthesis != "" {
			wanted[p.Synthesis] = true
		}
	}
	if len(wanted) > maxArchiveTexts {
		return 0, damaged("it names %d texts, at most %d are taken", len(wanted), maxArchiveTexts)
	}
	for name := range wanted {
		text, err := readFile(z, textsFolder+name+".txt", maxArchiveText)
		if err != nil {
			return 0, err
		}
		if loopstate.HashText(text).String() != name {
			return 0, damaged("text %s has been changed", name)
		}
		if _, err := s.Store.PutBlob(ctx, text); err != nil {
			return 0, err
		}
	}
	return len(wanted), nil
}

func readFile(z *zip.Reader, name string, limit int64) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, damaged("%s is missing", name)
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, damaged("%s is damaged", name)
	case err != nil:
		return nil, damaged("%s cannot be read: %v", name, err)
	case int64(len(body)) > limit:
		return nil, damaged("%s is larger than %d bytes", name, limit)
	}
	return body, nil
}
