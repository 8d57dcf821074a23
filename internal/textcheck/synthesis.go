package textcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
	Review        *Review // who reads the claims; nil = nobody
}

// LostContradiction is a contradiction that cites unknown ids.
type LostContradiction struct {
	Topic   string   `json:"topic"`
	Unknown []string `json:"unknown"`
}

// Synthesis checks the claims of a synthesis against the texts of its store, as [Claims] does, and the ids of its
// contradictions. Claims without an id are C1, C2, … An invalid file is a *RowError.
func Synthesis(ctx context.Context, files SynthesisFiles, emit func(Row) error) (RowTally, []LostContradiction, error) {
	var synthesis struct {
		Claims         []claimRow
		Contradictions []struct {
			claimRow
			Topic string `json:"topic"`
		}
	}
	if err := readWhole(files.Synthesis, files.SynthesisName, &synthesis); err != nil {
		return RowTally{}, nil, err
	}
	if synthesis.Claims == nil {
		return RowTally{}, nil, &RowError{files.SynthesisName, 1, "not a synthesis: it has no claims"}
	}
	texts, err := readStore(files.Store, files.StoreName)
	if err != nil {
		return RowTally{}, nil, err
	}
	e := examiner{claims: files.SynthesisName, texts: texts, emit: emit, by: files.Review}
	for i, row := range synthesis.Claims {
		if problem := row.problem(); problem != "" {
			return e.tally, nil, &RowError{files.SynthesisName, 1, fmt.Sprintf("claims[%d]: %s", i, problem)}
		}
		if len(row.ID) == 0 || string(row.ID) == "null" {
			row.ID = json.RawMessage(strconv.Quote("C" + strconv.Itoa(i+1)))
		}
		if err := e.ask(ctx, row, 0); err != nil {
			return e.tally, nil, err
		}
	}
	if err := e.flush(ctx); err != nil {
		return e.tally, nil, err
	}
	var lost []LostContradiction
	for _, x := range synthesis.Contradictions {
		if ids := slices.DeleteFunc(slices.Clone(x.sources()), func(id string) bool { return e.cite(id).Problem == "" }); len(ids) > 0 {
			lost = append(lost, LostContradiction{x.Topic, ids})
			e.tally.found(Hallucinated, len(ids))
		}
	}
	return e.tally, lost, nil
}

// readWhole decodes a file that is one JSON value.
func readWhole(r io.Reader, name string, into any) error {
	b, err := io.ReadAll(io.LimitReader(r, maxSynthesisBytes+1))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(b) > maxSynthesisBytes {
		return &RowError{name, 1, fmt.Sprintf("the file is larger than %d MiB", maxSynthesisBytes>>20)}
	}
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	if err := json.Unmarshal(b, into); err != nil {
		line := 1
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line += bytes.Count(b[:min(int(syntax.Offset), len(b))], []byte("\n"))
		}
		return &RowError{name, line, jsonProblem(err)}
	}
	return nil
}

// readStore reads a store: an object, a list of entries [key, source], or a list of sources.
func readStore(r io.Reader, name string) (*textSet, error) {
	s := &textSet{name: name, at: map[string]storedText{}, strict: true}
	var store json.RawMessage
	if err := readWhole(r, name, &store); err != nil {
		return nil, err
	}
	fail := func(problem string) error { return &RowError{name, 1, problem} }
	put := func(item json.RawMessage, key string) error {
		row, err := storeItem(item, key)
		if err != nil {
			return fail(jsonProblem(err))
		}
		if s.put(row, 1) != nil {
			return fail(fmt.Sprintf("source %q occurs twice with different texts", sanitize.Short(string(*row.ID), 60)))
		}
		return nil
	}
	var byKey map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(store, &byKey) != nil && json.Unmarshal(store, &list) != nil {
		return nil, fail("not a store: want an object or a list of sources")
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		if err := put(byKey[key], key); err != nil {
			return nil, err
		}
	}
	for _, item := range list {
		if err := put(item, ""); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// storeItem reads a source: as an object, or as an entry [key, source] of a list.
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
