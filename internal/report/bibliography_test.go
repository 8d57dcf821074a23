package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

// cslItem has what the tests read of an item of CSL-JSON.
type cslItem struct {
	Type, Title, DOI, URL, Note string
	Author                      []struct{ Family, Given, Literal string }
	Issued                      *struct {
		DateParts [][]int `json:"date-parts"`
	}
}

var bibKey = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// readBibTeX parses a database as BibTeX does: text outside of entries is a comment, values have balanced braces. It returns
// the entries by key.
func readBibTeX(s string) (map[string]map[string]string, error) {
	entries := make(map[string]map[string]string)
	for {
		at := strings.IndexByte(s, '@')
		if at < 0 {
			return entries, nil
		}
		kind, rest, ok := strings.Cut(s[at+1:], "{")
		key, rest, ok2 := strings.Cut(rest, ",")
		if !ok || !ok2 || !slices.Contains([]string{"article", "inproceedings", "book", "online", "misc"}, kind) ||
			!bibKey.MatchString(key) || entries[key] != nil {
			return nil, fmt.Errorf("invalid or repeated entry: @%s{%s", kind, key)
		}
		fields := map[string]string{"": kind}
		for s = strings.TrimSpace(rest); !strings.HasPrefix(s, "}"); s = strings.TrimSpace(s) {
			name, rest, ok := strings.Cut(s, " = {")
			if !ok || !regexp.MustCompile(`^[a-z]+$`).MatchString(name) {
				return nil, fmt.Errorf("invalid field: %.60q", s)
			}
			depth, end := 1, 0
			for ; depth > 0; end++ {
				if end == len(rest) {
					return nil, fmt.Errorf("unbalanced braces in %s", key)
				}
				depth += map[byte]int{'{': 1, '}': -1}[rest[end]]
			}
			fields[name] = rest[:end-1]
			if s, ok = strings.CutPrefix(rest[end:], ","); !ok {
				return nil, fmt.Errorf("missing comma after %s of %s", name, key)
			}
		}
		entries[key], s = fields, s[1:]
	}
}

func TestBibTeXReadBack(t *testing.T) {
	for _, f := range fixtures(t) {
		entries, err := readBibTeX(string(render(t, BibTeX, f.doc)))
		if err != nil || len(entries) != len(f.doc.Sources) {
			t.Errorf("%s: %d entries of %d sources, %v", f.name, len(entries), len(f.doc.Sources), err)
		}
		for key, fields := range entries {
			if fields["title"] == "" || strings.ContainsAny(strings.ReplaceAll(fields["url"], "%", ""), "{} \"<>") {
				t.Errorf("%s: %s has the title %q and the url %q", f.name, key, fields["title"], fields["url"])
			}
		}
	}
}

// A local file is named by its path below the user's folders, and never by the folders above.
func TestLocalFilesInEveryFormat(t *testing.T) {
	d := english(t)
	d.Sources = d.Sources[:3]
	for i, at := range []string{"papers/halloran 2022.pdf", "file:///home/ada/private/tide%20notes.md", "papers/untitled.pdf"} {
		s := &d.Sources[i]
		s.URL, s.FinalURL, s.Key, s.DOI = at, at, "", ""
	}
	d.Sources[2].Title = ""
	for i := range d.Sentences {
		for j := range d.Sentences[i].Receipts {
			d.Sentences[i].Receipts[j].URL = ""
		}
	}
	for _, format := range textFormats() {
		out := string(render(t, format, d))
		if format == JSON { // as it was given
			continue
		}
		for _, want := range []string{"halloran 2022.pdf", "tide notes.md", "untitled.pdf"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s lacks %s", format, want)
			}
		}
		if strings.Contains(out, "/home/ada") {
			t.Errorf("%s has the folders of the user", format)
		}
	}
}

// The kind of a work is what is known of it: a DOI alone is no journal.
func TestKindOfWork(t *testing.T) {
	tests := []struct {
		name, kind, field, publisher string
		source                       loopstate.Source
	}{
		{"a journal", "article", "journal", "J. Tides", loopstate.Source{Publisher: "J. Tides", Container: "journal", DOI: "10.1234/t"}},
		{"proceedings", "inproceedings", "booktitle", "Proc. Tides", loopstate.Source{Publisher: "Proc. Tides", Container: "proceedings"}},
		{"a DOI and a site", "misc", "organization", "Tides Online", loopstate.Source{Publisher: "Tides Online", DOI: "10.1234/t",
			URL: "https://tides.example/a"}},
		{"a page", "online", "organization", "Tides Online", loopstate.Source{Publisher: "Tides Online", URL: "https://tides.example/a"}},
		{"a book", "book", "publisher", "Harbour Press", loopstate.Source{Publisher: "Harbour Press", ContentType: "application/epub+zip"}},
		{"a file", "misc", "organization", "Harbour Board", loopstate.Source{Publisher: "Harbour Board", URL: "papers/a.pdf"}},
	}
	for _, tt := range tests {
		tt.source.ID, tt.source.Title, tt.source.PublishedAt = "S1", "Tides", "2022"
		entries, err := readBibTeX(string(render(t, BibTeX, Document{Sources: []Source{{Source: tt.source}}})))
		if e := entries["tides2022"]; err != nil || e[""] != tt.kind || e[tt.field] != tt.publisher {
			t.Errorf("%s: %v, %v", tt.name, e, err)
		}
	}
}

var risLine = regexp.MustCompile(`^([A-Z][A-Z0-9])  - (.*)$`)

// readRIS parses records: lines of a tag and a value, from TY to ER.
func readRIS(s string) (records []map[string][]string, err error) {
	var open map[string][]string
	for _, line := range strings.Split(s, "\r\n") {
		if line == "" {
			continue
		}
		m := risLine.FindStringSubmatch(line)
		if m == nil || strings.ContainsAny(line, "\r\n") {
			return nil, fmt.Errorf("invalid field: %q", line)
		}
		if (open == nil) != (m[1] == "TY") {
			return nil, fmt.Errorf("%s at the wrong place", m[1])
		}
		switch m[1] {
		case "TY":
			open = map[string][]string{"TY": {m[2]}}
		case "ER":
			records, open = append(records, open), nil
		default:
			open[m[1]] = append(open[m[1]], m[2])
		}
	}
	if open != nil {
		return nil, fmt.Errorf("a record without an end")
	}
	return records, nil
}

func TestRISReadBack(t *testing.T) {
	for _, f := range fixtures(t) {
		records, err := readRIS(string(render(t, RIS, f.doc)))
		if err != nil || len(records) != len(f.doc.Sources) {
			t.Errorf("%s: %d records of %d sources, %v", f.name, len(records), len(f.doc.Sources), err)
			continue
		}
		for i, r := range records {
			if diff := cmp.Diff([]string{f.doc.Sources[i].title()}, r["TI"]); diff != "" {
				t.Errorf("%s: the title of record %d (-want +got):\n%s", f.name, i+1, diff)
			}
		}
	}
}
