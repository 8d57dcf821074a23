package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

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
		if !ok || !ok2 || !slices.Contains([]string{"article", "inproceedings", "book", "online", "misc"}, kind) || !bibKey.MatchString(key) || entries[key] != nil {
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

func TestTeXEscape(t *testing.T) {
	got := texEscape(`50% of $x_1 & #2 {a}~b^c\d`)
	want := `50\% of \$x\_1 \& \#2 \textbraceleft{}a\textbraceright{}\textasciitilde{}b\textasciicircum{}c\textbackslash{}d`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPeople(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want person
	}{
		{"Jane Doe", person{family: "Doe", given: "Jane"}},
		{"C. A. R. Hoare", person{family: "Hoare", given: "C. A. R."}},
		{"Doe, Jane Q.", person{family: "Doe", given: "Jane Q."}},
		{"Ludwig van Beethoven", person{family: "van Beethoven", given: "Ludwig"}},
		{"Álvaro Núñez-O’Neill", person{family: "Núñez-O’Neill", given: "Álvaro"}},
		{"World Health Organization", person{literal: "World Health Organization"}},
		{"The Go Authors", person{literal: "The Go Authors"}},
		{"Reuters", person{literal: "Reuters"}},
		{"王小明", person{literal: "王小明"}},
		{"University of Oxford, Department of Physics", person{literal: "University of Oxford, Department of Physics"}},
		{"Jane Doe123", person{literal: "Jane Doe123"}},
	} {
		if got, _ := personOf(tc.in); got != tc.want {
			t.Errorf("personOf(%q) = %+v, want %+v", tc.in, got, tc.want)
		}
	}
}

func TestCiteKeys(t *testing.T) {
	of := func(id, author, year, title string) Source {
		return Source{Source: loopstate.Source{ID: id, Authors: []string{author}, PublishedAt: year, Title: title}}
	}
	sources := []Source{
		of("S1", "Jane Müller", "2024-05", "On the nature of things"), of("S2", "Müller, Jane", "2024", "Nature itself"), of("S3", "Jane Müller", "2024", "Nature again"),
		of("S4", "王小明", "2020", "标题"), of("S5", "", "2023", "The Tarnholm gauge"), of("S6", "World Health Organization", "2021", "On it"), of("S7", "Søren Großmann-Łaś", "", "x"), of("", "", "", ""),
		of("S8", "Kate Halloran", "2022", "A"), of("S9", "Mary Muller", "2024", "B"),
	}
	want := []string{"muller2024", "muller2024a", "muller2024b", "source2020", "tarnholm2023", "world2021", "grossmannlas", "source", "halloran2022", "muller2024c"}
	if diff := cmp.Diff(want, citeKeys(sources)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	slices.Reverse(sources) // another order of first citation
	slices.Reverse(want)
	if diff := cmp.Diff(want, citeKeys(sources)); diff != "" {
		t.Errorf("in another order (-want +got):\n%s", diff)
	}
}

// A source of the user's Zotero library has its item's address in every format.
func TestZoteroItem(t *testing.T) {
	const item = "zotero://select/library/items/TIDE2345"
	d := english(t)
	d.Sources = d.Sources[:2]
	d.Sources[0].URL = item
	entries, err := readBibTeX(string(render(t, BibTeX, d)))
	if err != nil {
		t.Fatal(err)
	}
	var named int
	for _, fields := range entries {
		if fields["zotero"] == item {
			named++
		}
	}
	var items []cslItem
	if err := json.Unmarshal(render(t, CSLJSON, d), &items); err != nil {
		t.Fatal(err)
	}
	var notes int
	for _, i := range items {
		if strings.HasSuffix("\n"+i.Note, "\nzotero: "+item) {
			notes++
		}
	}
	if ris := string(render(t, RIS, d)); named != 1 || notes != 1 || strings.Count(ris, "N1  - zotero: "+item+"\r\n") != 1 {
		t.Errorf("%d entries, %d items, RIS:\n%s", named, notes, ris)
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
	for _, format := range Formats() {
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
		{"a DOI and a site", "misc", "organization", "Tides Online", loopstate.Source{Publisher: "Tides Online", DOI: "10.1234/t", URL: "https://tides.example/a"}},
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
