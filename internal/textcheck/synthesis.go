package textcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxSynthesisBytes bounds each of the two files: a synthesis and its store are read whole.
const maxSynthesisBytes = 512 << 20

// SynthesisFiles are the files of RSL (research-synthesis-loop): a synthesis {claims: [{claim, sourceIds, confidence}],
// contradictions: [{topic, resolution, sourceIds}]} and its store, a map of {id, url, title, sourceType, text}, as an
// object, a list of entries, or a list of the sources.
type SynthesisFiles struct {
	Synthesis     io.Reader
	SynthesisName string
	Store         io.Reader
	StoreName     string
	Review        *Review // reads claims that wording does not decide; nil = no review
}

// LostContradiction is a contradiction that cites unknown ids.
type LostContradiction struct {
	Topic   string   `json:"topic"`
	Unknown []string `json:"unknown"`
	Line    int      `json:"line"`
	Column  int      `json:"column"`
}

// Synthesis checks the claims of a synthesis against the texts of its store, as [Claims] does, and the ids of its
// contradictions. Claims without an id are C1, C2, … An invalid file is a *RowError.
func Synthesis(ctx context.Context, files SynthesisFiles, emit func(Row) error) (Tally, []LostContradiction, error) {
	body, err := readWhole(files.Synthesis, files.SynthesisName)
	if err != nil {
		return Tally{}, nil, err
	}
	r := synthesisReader{data: body, name: files.SynthesisName, dec: json.NewDecoder(bytes.NewReader(body))}
	if err := r.read(); err != nil {
		return Tally{}, nil, err
	}
	store, err := readWhole(files.Store, files.StoreName)
	if err != nil {
		return Tally{}, nil, err
	}
	texts, err := readStore(store, files.StoreName)
	if err != nil {
		return Tally{}, nil, err
	}
	e := examiner{claims: files.SynthesisName, texts: texts, emit: emit, by: files.Review}
	for i, c := range r.claims {
		if len(c.row.ID) == 0 || string(c.row.ID) == "null" {
			c.row.ID = json.RawMessage(strconv.Quote("C" + strconv.Itoa(i+1)))
		}
		if err := e.ask(ctx, c.row, c.line, c.column); err != nil {
			return e.tally, nil, err
		}
	}
	if err := e.flush(ctx); err != nil {
		return e.tally, nil, err
	}
	var lost []LostContradiction
	for _, x := range r.contradictions {
		ids := x.row.sources()
		ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return texts.why(id) == "" })
		if len(ids) > 0 {
			lost = append(lost, LostContradiction{x.row.Topic, ids, x.line, x.column})
			e.tally.Hallucinated += len(ids)
		}
	}
	return e.tally, lost, nil
}

func readWhole(r io.Reader, name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxSynthesisBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(b) > maxSynthesisBytes {
		return nil, &RowError{name, 1, fmt.Sprintf("the file is larger than %d MiB", maxSynthesisBytes>>20)}
	}
	return bytes.TrimPrefix(b, []byte("\uFEFF")), nil
}

// contradictionRow is a contradiction.
type contradictionRow struct {
	claimRow
	Topic string `json:"topic"`
}

type placed[R any] struct {
	row          R
	line, column int
}

// synthesisReader reads a synthesis with the places of its items.
type synthesisReader struct {
	data           []byte
	name           string
	dec            *json.Decoder
	claims         []placed[claimRow]
	contradictions []placed[contradictionRow]
	found          bool
	counted        struct{ offset, line, start int } // position of the line count
}

func (r *synthesisReader) read() error {
	if t, err := r.dec.Token(); err != nil || t != json.Delim('{') {
		return r.fail(0, "not a JSON object with claims")
	}
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return r.fail(int(r.dec.InputOffset()), jsonProblem(err))
		}
		switch key {
		case "claims":
			r.found = true
			err = items(r, func(line, column int, row claimRow) string {
				r.claims = append(r.claims, placed[claimRow]{row, line, column})
				return row.problem()
			})
		case "contradictions":
			err = items(r, func(line, column int, row contradictionRow) string {
				r.contradictions = append(r.contradictions, placed[contradictionRow]{row, line, column})
				return ""
			})
		default:
			var other json.RawMessage
			if err = r.dec.Decode(&other); err != nil {
				err = r.fail(int(r.dec.InputOffset()), jsonProblem(err))
			}
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return r.fail(len(r.data), "unexpected end of file")
	}
	if !r.found {
		return r.fail(0, "not a synthesis: it has no claims")
	}
	return nil
}

// items reads a list of objects.
func items[R any](r *synthesisReader, take func(line, column int, row R) string) error {
	at := int(r.dec.InputOffset())
	if t, err := r.dec.Token(); err != nil || t != json.Delim('[') {
		return r.fail(at, "not a list")
	}
	for r.dec.More() {
		at := int(r.dec.InputOffset())
		for at < len(r.data) && (r.data[at] == ',' || r.data[at] == ' ' || r.data[at] == '\n' || r.data[at] == '\r' || r.data[at] == '\t') {
			at++
		}
		var row R
		if err := r.dec.Decode(&row); err != nil {
			return r.fail(at, jsonProblem(err))
		}
		line, column := r.place(at)
		if problem := take(line, column, row); problem != "" {
			return r.fail(at, problem)
		}
	}
	_, err := r.dec.Token()
	if err != nil {
		return r.fail(int(r.dec.InputOffset()), jsonProblem(err))
	}
	return nil
}

// place counts the lines up to a byte. Offsets must ascend.
func (r *synthesisReader) place(offset int) (line, column int) {
	c := &r.counted
	for ; c.offset < min(offset, len(r.data)); c.offset++ {
		if r.data[c.offset] == '\n' {
			c.line++
			c.start = c.offset + 1
		}
	}
	return c.line + 1, len(bytes.Runes(r.data[c.start:max(c.start, min(offset, len(r.data)))])) + 1
}

func (r *synthesisReader) fail(offset int, problem string) error {
	line, _ := r.place(offset)
	return &RowError{r.name, line, problem}
}

// readStore reads the texts of a store.
func readStore(data []byte, name string) (*textSet, error) {
	s := &textSet{name: name, at: map[string]storedText{}, strict: true}
	dec := json.NewDecoder(bytes.NewReader(data))
	line := func() int { return 1 + bytes.Count(data[:min(int(dec.InputOffset()), len(data))], []byte{'\n'}) }
	fail := func(problem string) error { return &RowError{name, line(), problem} }
	open, err := dec.Token()
	if err != nil || open != json.Delim('{') && open != json.Delim('[') {
		return nil, fail("not a store: want an object or a list of sources")
	}
	for dec.More() {
		key := ""
		if open == json.Delim('{') {
			t, err := dec.Token()
			if err != nil {
				return nil, fail(jsonProblem(err))
			}
			key, _ = t.(string)
		}
		var item json.RawMessage
		if err := dec.Decode(&item); err != nil {
			return nil, fail(jsonProblem(err))
		}
		row, err := storeItem(item, key)
		if err != nil {
			return nil, fail(jsonProblem(err))
		}
		if err := s.put(row, 0); err != nil {
			return nil, fail(fmt.Sprintf("source %q occurs twice with different texts", sanitize.Short(string(*row.ID), 60)))
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, fail("unexpected end of file")
	}
	return s, nil
}

// storeItem reads a source: as an object, or as an entry [key, source] of a map.
func storeItem(item json.RawMessage, key string) (sourceRow, error) {
	var row sourceRow
	if item[0] == '[' {
		var entry []json.RawMessage
		if err := json.Unmarshal(item, &entry); err != nil {
			return row, err
		}
		if len(entry) != 2 || json.Unmarshal(entry[0], &key) != nil {
			return row, errors.New("an entry of the list is neither a source nor [key, source]")
		}
		item = entry[1]
	}
	if err := json.Unmarshal(item, &row); err != nil {
		return row, err
	}
	if row.ID == nil || *row.ID == "" {
		if key == "" {
			return row, errors.New("a source has no id")
		}
		id := name(key)
		row.ID = &id
	}
	return row, nil
}
