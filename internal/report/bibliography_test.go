package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/references"
	"github.com/citeloop/citeloop/loopstate"
)

// citeloop audit reads what a report writes: every source is an entry with its title.
func TestBibliographiesReadBack(t *testing.T) {
	for _, f := range fixtures(t) {
		for as, format := range map[string]string{BibTeX: references.BibTeX, RIS: references.RIS, CSLJSON: references.CSLJSON} {
			entries, problems, _ := references.Parse(format, string(render(t, as, f.doc)))
			if len(entries) != len(f.doc.Sources) || len(problems) > 0 {
				t.Errorf("%s as %s: %d entries of %d sources, %v", f.name, as, len(entries), len(f.doc.Sources), problems)
				continue
			}
			keys := map[string]bool{}
			for i, e := range entries {
				r := references.Record{Title: f.doc.Sources[i].title()}
				if e.Likeness(r) < 1 || keys[e.Key] || !bibKey.MatchString(e.Key) {
					t.Errorf("%s as %s: %s is called %q, want %q", f.name, as, e.Key, e.Title, r.Title)
				}
				keys[e.Key] = true
			}
		}
	}
}

var bibKey = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// A local file is named by its path.
func TestLocalFilesInEveryFormat(t *testing.T) {
	d := english(t)
	d.Sources = d.Sources[:3]
	for i, at := range []string{"papers/halloran 2022.pdf", "tide notes.md", "papers/untitled.pdf"} {
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
		got := string(render(t, BibTeX, Document{Sources: []Source{{Source: tt.source}}}))
		if !strings.Contains(got, "@"+tt.kind+"{s1,") || !strings.Contains(got, "  "+tt.field+" = {"+tt.publisher+"},\n") {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}
