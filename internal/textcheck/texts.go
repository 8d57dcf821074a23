package textcheck

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// maxHeldBytes bounds the texts in memory. For later texts only the offset in the file is kept, if the file can be read
// again.
const maxHeldBytes = 16 << 20

// textSet holds the texts that claims may cite, by id.
type textSet struct {
	name  string
	again io.ReaderAt // to read the file again; nil if that is impossible
	at    map[string]storedText
	held  int64
	// strict: a source without a text cannot be cited. A data set may have such sources, a store has none.
	strict bool
}

type storedText struct {
	source grounding.Source // without the text if it is not held
	held   bool
	offset int64 // of the line in the file
	length int   // of the line, in bytes
	bytes  int   // of the text
	line   int
	hash   loopstate.Hash
}

// readTexts reads a file of sources and keeps hold bytes of texts. An io.ReaderAt is read again for the others.
func readTexts(r io.Reader, name string, hold int64) (*textSet, error) {
	s := &textSet{name: name, at: map[string]storedText{}}
	s.again, _ = r.(io.ReaderAt)
	lines := newLineReader(r, name)
	for {
		line, err := lines.read()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		var row sourceRow
		if err := lines.decode(line, &row); err != nil {
			return nil, err
		}
		if row.ID == nil || *row.ID == "" {
			return nil, lines.problem("id is missing or empty")
		}
		if err := s.put(row, lines.line); err != nil {
			return nil, err
		}
		have := s.at[string(*row.ID)]
		if s.again != nil && s.held > hold && have.line == lines.line {
			have.held, have.source.Text = false, ""
			have.offset, have.length = lines.offset, int(lines.next-lines.offset)
			s.held -= int64(have.bytes)
			s.at[have.source.ID] = have
		}
	}
}

// put adds a source. The same text may occur twice. Another text under a known id is an error, because verdicts would
// depend on the order.
func (s *textSet) put(row sourceRow, line int) error {
	if s.at == nil {
		s.at = map[string]storedText{}
	}
	id := string(*row.ID)
	hash := loopstate.HashText([]byte(row.Text))
	if have, ok := s.at[id]; ok {
		if have.hash == hash {
			return nil
		}
		return &RowError{s.name, line, fmt.Sprintf("source %q occurs twice with different texts; the first is in line %d", sanitize.Short(id, 60), have.line)}
	}
	s.held += int64(len(row.Text))
	s.at[id] = storedText{source: grounding.Source{ID: id, URL: row.URL, Title: row.Title, SourceType: row.sourceType(), Text: row.Text, Publisher: cmp.Or(row.Publisher, row.Site), Authors: row.Authors},
		held: true, bytes: len(row.Text), line: line, hash: hash}
	return nil
}

// why returns why an id cannot be cited, or "".
func (s *textSet) why(id string) string {
	have, ok := s.at[id]
	switch {
	case !ok:
		return "no such source in " + s.name
	case s.strict && strings.TrimSpace(have.source.Text) == "":
		return "the source is in " + s.name + " without a text"
	}
	return ""
}

// load returns a source with its text.
func (s *textSet) load(id string) (grounding.Source, error) {
	have := s.at[id]
	if have.held {
		return have.source, nil
	}
	line := make([]byte, have.length)
	if _, err := s.again.ReadAt(line, have.offset); err != nil && !errors.Is(err, io.EOF) {
		return grounding.Source{}, fmt.Errorf("%s: reading line %d again: %w", s.name, have.line, err)
	}
	var row sourceRow
	err := json.Unmarshal(line, &row)
	if err != nil || loopstate.HashText([]byte(row.Text)) != have.hash {
		return grounding.Source{}, fmt.Errorf("%s: line %d has changed while it was read", s.name, have.line)
	}
	src := have.source
	src.Text = row.Text
	return src, nil
}
