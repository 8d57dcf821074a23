package references

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, format, text string
		want               []Entry
		problems           int
	}{
		{"bibtex", BibTeX, `A comment with an address a@b.example.
@string{jos = {Journal of Salt}}
@article{garc1a,
  author = "Garc{\'\i}a M{\"a}rquez, Ana and {The Salt Group} and van der Berg, J. H. and others",
  title = {The {S}alt of {\L}{\'o}d{\'z}: a $5$-year study},
  journal = jos # { and Water}, year = 2019, doi = {https://doi.org/10.1234/ABC.5},
}
@inproceedings(k2, title={Tides}, year="2020", archivePrefix={arXiv}, eprint={2101.00001})`,
			[]Entry{
				{Key: "garc1a", Line: 3, Title: "The Salt of Łódź: a 5-year study", Others: true, Year: 2019, Venue: "Journal of Salt and Water", DOI: "10.1234/abc.5",
					Authors: []Name{{"García Märquez", "Ana"}, {"The Salt Group", ""}, {"van der Berg", "J. H."}}},
				{Key: "k2", Line: 8, Title: "Tides", Year: 2020, ArXiv: "2101.00001"},
			}, 0},
		{"a damaged entry hides no other", BibTeX, "@book{a, title = {Never closed\n@book{b, title = {Sound}}\n", []Entry{{Key: "b", Line: 2, Title: "Sound", Type: Book}}, 1},
		{"books", BibTeX, `@inbook{a, title={Tides}, isbn={978-0-306-40615-7 (print), 0-8044-2957-X}} @incollection{b, title={Ebb}, booktitle={Tides}, isbn={0-8044-2957-X}} @book{c, title={Flow}, isbn="0306406153"}`,
			[]Entry{
				{Key: "a", Line: 1, Title: "Tides", Type: Book, ISBN: "9780306406157"},
				{Key: "b", Line: 1, Title: "Ebb", Type: Chapter, Venue: "Tides", ISBN: "9780804429573"},
				{Key: "c", Line: 1, Title: "Flow", Type: Book, BadISBN: "0306406153"},
			}, 0},
		{"an ISSN is no ISBN", RIS, "TY  - CHAP\nTI  - Ebb\nSN  - 0378-5955\nER  - \n", []Entry{{Key: "1", Line: 1, Title: "Ebb", Type: Chapter}}, 0},
		{"ris", RIS, "TY  - JOUR\r\nAU  - Weber, Ida\r\nTI  - Mills of the harbour\r\nPY  - 2011/05\r\nJO  - Harbours\r\nDO  - 10.1000/9\r\nER  - \r\n",
			[]Entry{{Key: "1", Line: 1, Title: "Mills of the harbour", Authors: []Name{{"Weber", "Ida"}}, Year: 2011, Venue: "Harbours", DOI: "10.1000/9"}}, 0},
		{"csl-json", CSLJSON, `[{"id":"w","title":"Mills","author":[{"family":"Berg","given":"J.","non-dropping-particle":"van der"},{"literal":"Salt Group"}],"issued":{"date-parts":[["2011",5]]},"container-title":"Harbours"}]`,
			[]Entry{{Key: "w", Line: 1, Title: "Mills", Authors: []Name{{"van der Berg", "J."}, {"Salt Group", ""}}, Year: 2011, Venue: "Harbours"}}, 0},
		{"text", Text, "# A paper\n\nWords (2001).\n\n## References\n\n[1] A. Weber and B. Stone, “Salt in old harbours,” J. Salt, vol. 3, 2011. doi:10.1000/9\n[2] Weber, I. (2012). Mills of the\n    old harbours. *Harbours*, 4.\n\n## Appendix\n\n[3] Not a reference of the list, 2000.\n",
			[]Entry{
				{Key: "1", Line: 7, Title: "Salt in old harbours", Year: 2011, DOI: "10.1000/9", Text: "A. Weber and B. Stone, “Salt in old harbours,” J. Salt, vol. 3, 2011. doi:10.1000/9"},
				{Key: "2", Line: 8, Title: "Mills of the old harbours", Year: 2012, Text: "Weber, I. (2012). Mills of the old harbours. Harbours, 4."},
			}, 0},
		{"identifiers alone", Text, "10.1000/9\n- https://doi.org/10.1000/8\narXiv:2101.00001\nPMID: 123456\nISBN 0-306-40615-2\n",
			[]Entry{
				{Key: "1", Line: 1, DOI: "10.1000/9"},
				{Key: "2", Line: 2, DOI: "10.1000/8", URL: "https://doi.org/10.1000/8"},
				{Key: "3", Line: 3, ArXiv: "2101.00001"}, {Key: "4", Line: 4, PMID: "123456"}, {Key: "5", Line: 5, ISBN: "9780306406157"},
			}, 0},
		{"a line each", Text, "Weber, I. (2012). Mills of the old harbours. Harbours, 4.\nStone, B. (2011). Salt in old harbours. Salt, 3.\n",
			[]Entry{
				{Key: "1", Line: 1, Title: "Mills of the old harbours", Year: 2012, Text: "Weber, I. (2012). Mills of the old harbours. Harbours, 4."},
				{Key: "2", Line: 2, Title: "Salt in old harbours", Year: 2011, Text: "Stone, B. (2011). Salt in old harbours. Salt, 3."},
			}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if format := FormatIn(tt.text); format != tt.format {
				t.Errorf("taken for %s", format)
			}
			got, problems, err := Parse(tt.format, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Entry{})); diff != "" || len(problems) != tt.problems {
				t.Errorf("%v (-want +got)\n%s", problems, diff)
			}
		})
	}
}

func TestDamagedBibTeX(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, list, want string }{
		{"an open entry", "\n@book{a,\n  title = {Tides},\n", "line 2: the entry is not closed: add its }"},
		{"an open entry before another", "@book{a,\n  title = {Tides}\n@book{b\n", "line 1: the entry is not closed: add its }"},
		{"an open value", "@book{a,\n  title = {Tides,\n  year = 2001\n", "line 2: the value of title is not closed: add its }"},
		{"no value", "@book{a,\n  title =", "line 2: the file ends where title should have a value"},
		{"no field", "@book{a,\n  title {Tides}\n}", "line 2: expected a field such as title = {…}"},
	} {
		_, _, err := Parse(BibTeX, tt.list)
		if want := "no complete reference found: " + tt.want; err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", tt.name, err, want)
		}
	}
}

func TestRepair(t *testing.T) {
	t.Parallel()
	list := "@article{a, title = {Old}, year = 2001}\n\n@book{b,\n  title = {Kept}\n}\n"
	entries, _, err := Parse(BibTeX, list)
	if err != nil {
		t.Fatal(err)
	}
	got := Repair(list, entries, map[int]map[string]string{0: {"title": "New & {better}", "doi": "10.1000/x"}, 1: {"year": "2003"}})
	again, problems, err := Parse(BibTeX, got)
	if err != nil || problems != nil {
		t.Fatal(err, problems, got)
	}
	if again[0].Title != "New & better" || again[0].Year != 2001 || again[0].DOI != "10.1000/x" || again[1].Year != 2003 || again[1].Title != "Kept" {
		t.Errorf("%s", got)
	}
}

// Whatever the bytes are, parsing ends, entries have lines of the file, and a repair can be read again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"@a{b, c = {d} # e, f = \"g\"}", "TY  - A\nER  - ", `[{"id":1}]`, "References\n1. A. B. Title of it. 2001. doi:10.1000/1", "@x{y,z={\\\"{o}}}", "@0(,0=\"\\"} {
		for _, format := range []string{BibTeX, RIS, CSLJSON, Text} {
			f.Add(format, seed)
		}
	}
	f.Fuzz(func(t *testing.T, format, text string) {
		entries, _, err := Parse(format, text)
		if err != nil {
			return
		}
		for _, e := range entries {
			if e.Line < 1 || e.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("line %d", e.Line)
			}
			_ = Compare(e, []Record{{Title: e.Title, Authors: []string{text}, Venue: text}})
		}
		if format == BibTeX && len(entries) > 0 {
			again, _, _ := Parse(BibTeX, Repair(strings.ToValidUTF8(strings.TrimPrefix(text, "\uFEFF"), "\ufffd"), entries, map[int]map[string]string{0: {"year": "2003"}}))
			if len(again) != len(entries) || again[0].Year != 2003 {
				t.Fatalf("%d entries, then %d: %+v", len(entries), len(again), again)
			}
		}
	})
}
