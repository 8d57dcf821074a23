package references

import (
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var risLine = lazyregexp.New(`^\s*([A-Z][A-Z0-9])\s{1,2}-(?:\s+(.*))?$`)

// parseRIS reads the tagged lines of RIS. An entry begins with TY and ends with ER, the next TY or the file. A line without a
// tag continues the value above it; lines between entries are ignored.
func parseRIS(text string) (entries []Entry) {
	var e *Entry
	var values map[string][]string
	finish := func() {
		if e != nil {
			e.fillRIS(values)
			entries = append(entries, *e)
		}
		e = nil
	}
	n, tag := 0, ""
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		m := risLine.FindStringSubmatch(line)
		switch {
		case m != nil && m[1] == "TY":
			finish()
			if len(entries) > maxEntries {
				return entries
			}
			e, values, tag = &Entry{Line: n, Book: isBook(m[2])}, map[string][]string{}, ""
		case m != nil && m[1] == "ER":
			finish()
		case e == nil:
		case m != nil:
			if tag = m[1]; m[2] != "" {
				values[tag] = append(values[tag], m[2])
			}
		case line == "":
			tag = ""
		case tag != "" && len(values[tag]) == 0:
			values[tag] = []string{line}
		case tag != "":
			values[tag][len(values[tag])-1] += " " + line
		}
	}
	finish()
	return entries
}

func (e *Entry) fillRIS(values map[string][]string) {
	first := func(tags ...string) string {
		for _, tag := range tags {
			if len(values[tag]) > 0 {
				return values[tag][0]
			}
		}
		return ""
	}
	e.Key, e.Title, e.Venue = first("ID", "AN"), first("TI", "T1", "CT"), first("JO", "JF", "T2", "BT", "JA", "J2")
	if e.Title == "" { // the title of a book
		e.Title, e.Venue = first("BT", "T2"), ""
	}
	for _, name := range append(values["AU"], values["A1"]...) {
		e.Authors = append(e.Authors, NameOf(name))
	}
	e.Year, _ = strconv.Atoi(yearIn.FindString(first("PY", "Y1", "DA")))
	e.DOI, e.ISBN = docid.NormalizeDOI(first("DO")), isbnOf(first("SN"))
	e.identify(first("UR", "L1"))
}
