package textcheck

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// maxHeldBytes bounds the texts in memory. For later texts only the offset in the file is kept, if the file can be read
// again.
const maxHeldBytes = 16 << 20

// textSet holds the texts that claims may cite, by id.
type textSet struct {
	name    string
	again   io.ReaderAt // to read the file again; nil if that is impossible
	at      map[string]storedText
	records []loopstate.Source
	origins map[string]string // of all records; made when the first text is loaded
	held    int64
	// strict: a source without a text cannot be cited. A data set may have such sources, a store has none.
	strict bool
}

type storedText struct {
	record int
	text   string // if it is held
	held   bool
	blank  bool
	offset int64 // of the line in the file
	length int   // of the line, in bytes
	line   int
}

// readTexts reads a file of sources and keeps hold bytes of texts. An io.ReaderAt is read again for the others.
func readTexts(r io.Reader, name string, hold int64) (*textSet, error) {
	s := &textSet{name: name, at: map[string]storedText{}}
	s.again, _ = r.(io.ReaderAt)
	in := newLineReader(r, name)
	for {
		line, err := in.read()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		var row sourceRow
		if err := in.decode(line, &row); err != nil {
			return nil, err
		}
		if row.ID == nil || *row.ID == "" {
			return nil, in.problem("id is missing or empty")
		}
		if err := s.put(row, in.line); err != nil {
			return nil, err
		}
		id := string(*row.ID)
		if have := s.at[id]; s.again != nil && s.held > hold && have.line == in.line {
			s.held -= int64(len(have.text))
			have.held, have.text = false, ""
			have.offset, have.length = in.offset, int(in.next-in.offset)
			s.at[id] = have
		}
	}
}

// put adds a source. The same text may occur twice. Another text under a known id is an error, because the results would
// depend on the order.
func (s *textSet) put(row sourceRow, line int) error {
	id, hash := string(*row.ID), loopstate.HashText([]byte(row.Text)).String()
	if have, ok := s.at[id]; ok {
		if s.records[have.record].SHA256 == hash {
			return nil
		}
		return &RowError{s.name, line, fmt.Sprintf("source %q occurs twice with different texts; the first is in line %d", sanitize.Short(id, 60), have.line)}
	}
	s.held += int64(len(row.Text))
	s.at[id] = storedText{record: len(s.records), text: row.Text, held: true, blank: strings.TrimSpace(row.Text) == "", line: line}
	s.records = append(s.records, loopstate.Source{ID: id, Key: docid.CanonicalKey(row.URL, ""), URL: row.URL, FinalURL: row.URL, Title: row.Title,
		SourceType: cmp.Or(row.Type, row.CamelType), Publisher: cmp.Or(row.Publisher, row.Site), Authors: row.Authors, PublishedAt: row.PublishedAt, SHA256: hash})
	return nil
}

// why returns why an id cannot be cited, or "".
func (s *textSet) why(id string) string {
	have, ok := s.at[id]
	switch {
	case !ok:
		return "no such source in " + s.name
	case s.strict && have.blank:
		return "the source is in " + s.name + " without a text"
	}
	return ""
}

// load returns a source with its text.
func (s *textSet) load(id string) (verify.Source, error) {
	if s.origins == nil {
		s.origins = loopstate.OriginsOf(s.records)
	}
	have := s.at[id]
	src := verify.Source{Source: s.records[have.record], Origin: s.origins[id]}
	if have.held {
		src.Text = verify.NewText(have.text)
		return src, nil
	}
	line := make([]byte, have.length)
	if _, err := s.again.ReadAt(line, have.offset); err != nil && !errors.Is(err, io.EOF) {
		return src, fmt.Errorf("%s: reading line %d again: %w", s.name, have.line, err)
	}
	var row sourceRow
	err := json.Unmarshal(line, &row)
	if err != nil || loopstate.HashText([]byte(row.Text)).String() != src.SHA256 {
		return src, fmt.Errorf("%s: line %d has changed while it was read", s.name, have.line)
	}
	src.Text = verify.NewText(row.Text)
	return src, nil
}
