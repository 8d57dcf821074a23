package textcheck

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of files of claims and texts (chosen).
const (
	maxFileBytes  = 512 << 20
	maxRowBytes   = 64 << 20 // of a line: a text of 20 MB, escaped
	maxRows       = 100_000
	maxClaimChars = 20_000
	maxClaimIDs   = 1000
)

// RowError is an invalid line of a file.
type RowError struct {
	File    string
	Line    int // from 1
	Problem string
}

func (e *RowError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// claimRow is a claim of a file, with either spelling of its keys.
type claimRow struct {
	ID        json.RawMessage `json:"id"`
	Claim     string          `json:"claim"`
	SourceIDs names           `json:"source_ids"`
	CamelIDs  names           `json:"sourceIds"`
	Quote     string          `json:"quote"`

	line int // 0: the file is one object
}

func (c *claimRow) sources() []string {
	if c.SourceIDs == nil {
		return c.CamelIDs
	}
	return c.SourceIDs
}

// problem describes an invalid claim, or returns "".
func (c *claimRow) problem() string {
	switch {
	case strings.TrimSpace(c.Claim) == "":
		return "claim is missing or empty"
	case len(c.sources()) > maxClaimIDs:
		return fmt.Sprintf("source_ids has %d ids; use at most %d", len(c.sources()), maxClaimIDs)
	case utf8.RuneCountInString(c.Claim) > maxClaimChars:
		return fmt.Sprintf("claim has more than %d characters; check a text as a draft", maxClaimChars)
	}
	return ""
}

func (c *claimRow) unnamed() bool { return len(c.ID) == 0 || string(c.ID) == "null" }

// names is a list of ids, or a single id.
type names []string

func (n *names) UnmarshalJSON(b []byte) error {
	*n = nil
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	if b[0] != '[' {
		b = slices.Concat([]byte("["), b, []byte("]"))
	}
	var list []name
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	for _, one := range list {
		*n = append(*n, string(one))
	}
	return nil
}

// jsonProblem describes an error of encoding/json without Go types.
func jsonProblem(err error) string {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Sprintf("unexpected %s: want a JSON object", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Sprintf("%s has the wrong type: %s", wrong.Field, wrong.Value)
	case errors.As(err, &syntax):
		return fmt.Sprintf("invalid JSON: %v (at byte %d)", err, syntax.Offset)
	}
	return err.Error()
}

// readLines reads a file with one JSON object a line. Blank lines are skipped.
func readLines[T any](r io.Reader, file string, each func(line int, row T) (problem string)) error {
	in := &io.LimitedReader{R: r, N: maxFileBytes + 1}
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, maxRowBytes)
	line := 0
	for scan.Scan() {
		line++
		body := scan.Bytes()
		if line == 1 {
			body = bytes.TrimPrefix(body, []byte("\uFEFF"))
		}
		if body = bytes.TrimSpace(body); len(body) == 0 {
			continue
		}
		var row T
		if err := json.Unmarshal(body, &row); err != nil {
			return &RowError{file, line, jsonProblem(err)}
		}
		if problem := each(line, row); problem != "" {
			return &RowError{file, line, problem}
		}
	}
	switch err := scan.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &RowError{file, line + 1, fmt.Sprintf("the line is longer than %d MiB", maxRowBytes>>20)}
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	case in.N == 0:
		return &RowError{file, line, tooLarge()}
	}
	return nil
}

func tooLarge() string { return fmt.Sprintf("the file is larger than %d MiB", maxFileBytes>>20) }

// readClaims reads a file of claims.
func readClaims(r io.Reader, file string) (claims []claimRow, err error) {
	err = readLines(r, file, func(line int, row claimRow) string {
		if row.line = line; row.unnamed() {
			return "id is missing"
		}
		if claims = append(claims, row); len(claims) > maxRows {
			return fmt.Sprintf("too many claims: at most %d; divide the file", maxRows)
		}
		return row.problem()
	})
	return claims, err
}

// readTexts reads a file of sources.
func readTexts(r io.Reader, file string) (*textSet, error) {
	s := &textSet{file: file, at: map[string]int{}}
	return s, readLines(r, file, func(line int, row sourceRow) string {
		if row.ID == "" {
			return "id is missing or empty"
		}
		return s.put(row, line)
	})
}

// readWhole decodes a file that is one JSON value.
func readWhole(r io.Reader, file string, into any) error {
	b, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(b) > maxFileBytes {
		return &RowError{file, 1, tooLarge()}
	}
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	if err := json.Unmarshal(b, into); err != nil {
		line := 1
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line += bytes.Count(b[:min(int(syntax.Offset), len(b))], []byte("\n"))
		}
		return &RowError{file, line, jsonProblem(err)}
	}
	return nil
}

// contradictionRow is a contradiction of a synthesis.
type contradictionRow struct {
	claimRow
	Topic string `json:"topic"`
}

// readSynthesis reads a synthesis of RSL (research-synthesis-loop): {claims: [{claim, sourceIds, confidence}], contradictions:
// [{topic, resolution, sourceIds}]}. Claims without an id are C1, C2, …
func readSynthesis(r io.Reader, file string) ([]claimRow, []contradictionRow, error) {
	var in struct {
		Claims         []claimRow
		Contradictions []contradictionRow
	}
	if err := readWhole(r, file, &in); err != nil {
		return nil, nil, err
	}
	if in.Claims == nil {
		return nil, nil, &RowError{file, 1, "not a synthesis: it has no claims"}
	}
	for i := range in.Claims {
		row := &in.Claims[i]
		if problem := row.problem(); problem != "" {
			return nil, nil, &RowError{file, 1, fmt.Sprintf("claims[%d]: %s", i, problem)}
		}
		if row.unnamed() {
			row.ID = json.RawMessage(strconv.Quote("C" + strconv.Itoa(i+1)))
		}
	}
	return in.Claims, in.Contradictions, nil
}

// readStore reads the store of a synthesis: a map of {id, url, title, sourceType, text}, as an object, a list of entries [key,
// source], or a list of the sources.
func readStore(r io.Reader, file string) (*textSet, error) {
	s := &textSet{file: file, at: map[string]int{}, strict: true}
	var store json.RawMessage
	if err := readWhole(r, file, &store); err != nil {
		return nil, err
	}
	var byKey map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(store, &byKey) != nil && json.Unmarshal(store, &list) != nil {
		return nil, &RowError{file, 1, "not a store: want an object or a list of sources"}
	}
	put := func(item json.RawMessage, key string) error {
		row, err := storeItem(item, key)
		if err != nil {
			return &RowError{file, 1, jsonProblem(err)}
		}
		if problem := s.put(row, 1); problem != "" {
			return &RowError{file, 1, problem}
		}
		return nil
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
func storeItem(item json.RawMessage, key string) (row sourceRow, err error) {
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
	if row.ID == "" {
		row.ID = name(key)
	}
	if row.ID == "" {
		return row, errors.New("a source has no id")
	}
	return row, nil
}
