package textcheck

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// sourceRow is a source of a file, with either spelling of its keys.
type sourceRow struct {
	ID        name   `json:"id"`
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

// name is an id: a string, or a number as it is written.
type name string

func (n *name) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		return nil
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(n))
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*n = name(b)
		return nil
	}
	return errors.New("invalid id: use a string or a number")
}

// textSet holds the texts that claims may cite, by id.
type textSet struct {
	file    string
	at      map[string]int
	records []loopstate.Source
	texts   []string
	lines   []int
	strict  bool // a source without a text cannot be cited. A data set may have such sources, a store has none.
}

// put adds a source. The same text may occur twice. Another text under a known id is an error, because the results would
// depend on the order.
func (s *textSet) put(row sourceRow, line int) (problem string) {
	id, hash := string(row.ID), loopstate.HashText([]byte(row.Text)).String()
	if have, ok := s.at[id]; ok {
		if s.records[have].SHA256 == hash {
			return ""
		}
		return fmt.Sprintf("source %q occurs twice with different texts; the first is in line %d", sanitize.Short(id, 60), s.lines[have])
	}
	s.at[id] = len(s.records)
	s.texts, s.lines = append(s.texts, row.Text), append(s.lines, line)
	s.records = append(s.records, loopstate.Source{ID: id, Key: docid.CanonicalKey(row.URL, ""), URL: row.URL, FinalURL: row.URL, Title: row.Title,
		SourceType: cmp.Or(row.Type, row.CamelType), Publisher: cmp.Or(row.Publisher, row.Site), Authors: row.Authors, PublishedAt: row.PublishedAt, SHA256: hash})
	return ""
}

// why returns why an id cannot be cited, or "".
func (s *textSet) why(id string) string {
	at, ok := s.at[id]
	switch {
	case !ok:
		return "no such source in " + s.file
	case s.strict && strings.TrimSpace(s.texts[at]) == "":
		return "the source is in " + s.file + " without a text"
	}
	return ""
}

// ids returns the ids of a row; those that no source has may be written as in a text.
func (s *textSet) ids(written []string) (out []string) {
	for _, id := range written {
		if s.cite(id).Problem == "" {
			out = append(out, id)
		} else {
			out = append(out, draft.IDs(id)...)
		}
	}
	return out
}

// cite returns the citation of an id, which may have colons itself.
func (s *textSet) cite(id string) verify.Citation {
	cite := verify.Citation{SourceID: id}
	if at := strings.LastIndexByte(id, ':'); at >= 0 && s.why(id) != "" {
		if named, ok := lines.ParseRanges(id[at+1:]); ok && s.why(id[:at]) == "" {
			cite.SourceID, cite.Lines = id[:at], named
		}
	}
	cite.Raw, cite.Problem = id, s.why(cite.SourceID)
	return cite
}

// source returns a text with its record.
func (s *textSet) source(id string, origins map[string]string) verify.Source {
	at := s.at[id]
	return verify.Source{Source: s.records[at], Origin: origins[id], Text: verify.NewPage(s.texts[at], s.records[at].Furniture)}
}
