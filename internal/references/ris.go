package references

import (
	"cmp"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var risLine = lazyregexp.New(`^\s*([A-Z][A-Z0-9])\s{1,2}-(?:\s+(.*))?$`)

// risTags are the tags of each field, the best first. A book may have its title where a chapter has that of the book.
var risTags = map[string][]string{"key": {"ID", "AN"}, "title": {"TI", "T1", "CT"}, "journal": {"JO", "JF", "T2", "BT", "JA", "J2"},
	"booktitle": {"BT", "T2"}, "year": {"PY", "Y1", "DA"}, "doi": {"DO"}, "isbn": {"SN"}, "url": {"UR", "L1"}}

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
			tag = m[1]
			values[tag] = append(values[tag], m[2])
		case line == "":
			tag = ""
		case tag != "":
			values[tag][len(values[tag])-1] += " " + line
		}
	}
	finish()
	return entries
}

func (e *Entry) fillRIS(tagged map[string][]string) {
	values := map[string]string{}
	for name, tags := range risTags {
		for _, tag := range tags {
			for _, value := range tagged[tag] {
				values[name] = cmp.Or(values[name], strings.TrimSpace(value))
			}
		}
	}
	if values["title"] == "" {
		values["title"], values["journal"], values["booktitle"] = values["booktitle"], "", ""
	}
	e.Key = values["key"]
	e.fill(values, append(tagged["AU"], tagged["A1"]...))
}
