package textcheck

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxRowBytes bounds one line of a file of rows: a text of 20 MB, escaped.
const maxRowBytes = 64 << 20

// RowError is an invalid line of a file.
type RowError struct {
	File    string
	Line    int // from 1
	Problem string
}

func (e *RowError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// lineReader reads a file with one JSON object per line. It skips blank lines.
type lineReader struct {
	name   string
	r      *bufio.Reader
	line   int   // the number of the last line read
	offset int64 // where it begins
	next   int64
	buf    []byte
}

func newLineReader(r io.Reader, name string) *lineReader {
	return &lineReader{name: name, r: bufio.NewReaderSize(r, 1<<16)}
}

// read returns the next line without its end, valid until the next call, or io.EOF.
func (l *lineReader) read() ([]byte, error) {
	for {
		l.buf = l.buf[:0]
		l.offset = l.next
		for {
			part, err := l.r.ReadSlice('\n')
			l.buf = append(l.buf, part...)
			l.next += int64(len(part))
			if len(l.buf) > maxRowBytes {
				l.line++
				return nil, l.problem("the line is longer than %d MiB", maxRowBytes>>20)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("%s: %w", l.name, err)
			}
			if err != nil && len(l.buf) == 0 {
				return nil, io.EOF
			}
			break
		}
		l.line++
		line := l.buf
		if l.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

func (l *lineReader) problem(format string, args ...any) error {
	return &RowError{l.name, l.line, fmt.Sprintf(format, args...)}
}

// decode reads one line into row.
func (l *lineReader) decode(line []byte, row any) error {
	if err := json.Unmarshal(line, row); err != nil {
		return l.problem("%s", jsonProblem(err))
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

// names is a list of ids, strings or numbers, or a single id.
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

// name is an id: a string, or a number as it is written.
type name string

func (n *name) UnmarshalJSON(b []byte) error {
	switch {
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(n))
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*n = name(b)
		return nil
	}
	return errors.New("invalid id: use a string or a number")
}

// claimRow is a claim of a file, with either spelling of its keys.
type claimRow struct {
	ID        json.RawMessage `json:"id"`
	Claim     string          `json:"claim"`
	SourceIDs names           `json:"source_ids"`
	CamelIDs  names           `json:"sourceIds"`
	Quote     string          `json:"quote"`
}

func (c *claimRow) sources() []string {
	if c.SourceIDs == nil {
		return c.CamelIDs
	}
	return c.SourceIDs
}

// Limits of one claim (chosen).
const (
	maxClaimChars = 20_000
	maxClaimIDs   = 1000
)

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

// sourceRow is a source of a file, with either spelling of its keys.
type sourceRow struct {
	ID        *name  `json:"id"`
	URL       string `json:"url"`
	Title     string `json:"title"`
	Type      string `json:"source_type"`
	CamelType string `json:"sourceType"`
	Text      string `json:"text"`

	Publisher string   `json:"publisher"`
	Site      string   `json:"site"`
	Authors   []string `json:"authors"`

	PublishedAt string `json:"published_at"`
}
