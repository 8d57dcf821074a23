package references

import (
	"fmt"
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
				{Key: "garc1a", Line: 3, Title: "The Salt of Łódź: a 5-year study", Others: true, Year: 2019,
					Venue: "Journal of Salt and Water", DOI: "10.1234/abc.5",
					Authors: []Name{{"García Märquez", "Ana"}, {"The Salt Group", ""}, {"van der Berg", "J. H."}}},
				{Key: "k2", Line: 8, Title: "Tides", Year: 2020, ArXiv: "2101.00001"},
			}, 0},
		{"a damaged entry hides no other", BibTeX, "@book{a, title = {Never closed\n@book{b, title = {Sound}}\n}}",
			[]Entry{{Key: "b", Line: 2, Title: "Sound", Book: true}}, 1},
		{"books", BibTeX, `@inbook{a, title={Tides}, isbn={978-0-306-40615-7 (print), 0-8044-2957-X}} @incollection{b, title={Ebb}, ` +
			`booktitle={Tides}, isbn={0-8044-2957-X}} @book{c, title={Flow}, isbn="0306406153"}`,
			[]Entry{
				{Key: "a", Line: 1, Title: "Tides", Book: true, ISBN: "9780306406157"},
				{Key: "b", Line: 1, Title: "Ebb", Venue: "Tides", ISBN: "9780804429573"},
				{Key: "c", Line: 1, Title: "Flow", Book: true},
			}, 0},
		{"an ISSN is no ISBN", RIS, "TY  - CHAP\nTI  - Ebb\nSN  - 0378-5955\nER  - \n", []Entry{{Key: "1", Line: 1, Title: "Ebb"}}, 0},
		{"ris", RIS, "TY  - JOUR\r\nAU  - Weber, Ida\r\nTI  - Mills of the harbour\r\nPY  - 2011/05\r\nJO  - Harbours\r\nDO  - " +
			"10.1000/9\r\nER  - \r\n",
			[]Entry{{Key: "1", Line: 1, Title: "Mills of the harbour", Authors: []Name{{"Weber", "Ida"}}, Year: 2011, Venue: "Harbours",
				DOI: "10.1000/9"}}, 0},
		{"csl-json", CSLJSON, `[{"id":"w","title":"Mills","author":[{"family":"Berg","given":"J.","non-dropping-particle":"van ` +
			`der"},{"literal":"Salt Group"}],"issued":{"date-parts":[["2011",5]]},"container-title":"Harbours"}]`,
			[]Entry{{Key: "w", Line: 1, Title: "Mills", Authors: []Name{{"van der Berg", "J."}, {"Salt Group", ""}}, Year: 2011,
				Venue: "Harbours"}}, 0},
		{"ris without ends, with lines between records", RIS,
			"1. \nTY  - BOOK\nTI  - \nBT  - Gates and\n      weirs\nAU  - Moss, Ann\nSP  -\n\nSearch strategy:\nC1  - x\nTY  - " +
				"JOUR\nTI  - Second gate\n",
			[]Entry{{Key: "1", Line: 2, Title: "Gates and weirs", Authors: []Name{{"Moss", "Ann"}}, Book: true},
				{Key: "2", Line: 11, Title: "Second gate"}}, 0},
		{"csl-json of services", CSLJSON, `{"id": 7, "title": ["Mills"], "author": [{"name": "Salt Group"}], "issued": "2011-05", ` +
			`"container-title": ["Harbours"], "PMID": 123456, "ISBN": ["9780306406157"]}`,
			[]Entry{{Key: "7", Line: 1, Title: "Mills", Authors: []Name{{"Salt Group", ""}}, Year: 2011, Venue: "Harbours", PMID: "123456",
				ISBN: "9780306406157"}}, 0},
		{"shortened lists of authors", BibTeX, `@misc{a, title={A}, author={Moss, Ann and et~al.}} @misc{b, title={B}, ` +
			`author={Moss and {et al}}}`,
			[]Entry{
				{Key: "a", Line: 1, Title: "A", Authors: []Name{{"Moss", "Ann"}}, Others: true},
				{Key: "b", Line: 1, Title: "B", Authors: []Name{{"Moss", ""}}, Others: true},
			}, 0},
		{"a DOI with TeX's escapes", BibTeX, `@misc{a, title={A}, howpublished={\url{https://doi.org/10.1000/a\_9}}} @misc{b, ` +
			`title={B}, url={https://doi.org/10.1000/b{\_}9}}`,
			[]Entry{{Key: "a", Line: 1, Title: "A", DOI: "10.1000/a_9"}, {Key: "b", Line: 1, Title: "B", DOI: "10.1000/b_9"}}, 0},
		{"Greek, comments in an entry, a name missing", BibTeX, "@misc{a, title={$\\alpha$-helix in $\\Lambda$CDM}, % as printed\n" +
			"% author={Other, A.},\nauthor={Moss, Ann and}, year=2001, % the end\n}",
			[]Entry{{Key: "a", Line: 1, Title: "α-helix in ΛCDM", Authors: []Name{{"Moss", "Ann"}}, Year: 2001}}, 0},
		{"identifiers of arXiv", BibTeX, `@misc{a, title={A}, eprint={arXiv:2101.00001v2}} @article{b, title={B}, journal={CoRR}, ` +
			`volume={abs/2101.00002}} @misc{c, title={C}, doi={10.48550/arXiv.2101.00003v1}}`,
			[]Entry{{Key: "a", Line: 1, Title: "A", ArXiv: "2101.00001"}, {Key: "b", Line: 1, Title: "B", Venue: "CoRR",
				ArXiv: "2101.00002"},
				{Key: "c", Line: 1, Title: "C", DOI: "10.48550/arxiv.2101.00003v1", ArXiv: "2101.00003"}}, 0},
		{"text", Text, "# A paper\n\nWords (2001).\n\n## References\n\n[1] A. Weber and B. Stone, “Salt in old harbours,” J. Salt, " +
			"vol. 3, 2011. doi:10.1000/9\n[2] Weber, I. (2012). Mills of the\n    old harbours. *Harbours*, 4.\n\n## Appendix\n\n[3] " +
			"Not a reference of the list, 2000.\n",
			[]Entry{
				{Key: "1", Line: 7, Title: "Salt in old harbours", Year: 2011, DOI: "10.1000/9",
					Text: "A. Weber and B. Stone, “Salt in old harbours,” J. Salt, vol. 3, 2011. doi:10.1000/9"},
				{Key: "2", Line: 8, Title: "Mills of the old harbours", Year: 2012,
					Text: "Weber, I. (2012). Mills of the old harbours. Harbours, 4."},
			}, 0},
		{"labels with escapes, in bold or behind an anchor", Text, "## 7. References\n\n\\[1\\] Weber, I. (2012). Mills of the old " +
			"harbours.\n\n**2.** Stone, B. (2011). Salt in old harbours.\n\n<a id=\"3\"></a>[3] Fell, D. (2010). Old gates of harbours.\n",
			[]Entry{
				{Key: "1", Line: 3, Title: "Mills of the old harbours", Year: 2012, Text: "Weber, I. (2012). Mills of the old harbours."},
				{Key: "2", Line: 5, Title: "Salt in old harbours", Year: 2011, Text: "Stone, B. (2011). Salt in old harbours."},
				{Key: "3", Line: 7, Title: "Old gates of harbours", Year: 2010, Text: "Fell, D. (2010). Old gates of harbours."},
			}, 0},
		{"an entry over two lines, one without a year, one by the same persons", Text, "# References\n\nWeber, I. (2012). Mills of the " +
			"old harbours.\n*Journal of Salt*, *3*(2), 1–4. https://doi.org/10.1000/9\n\nStone, B. (n.d.). Salt. " +
			"Retrieved May 3, 2019, " +
			"from https://a.example/b\n———. 2003. Old gates.\n",
			[]Entry{
				{Key: "1", Line: 3, Title: "Mills of the old harbours", Year: 2012, DOI: "10.1000/9",
					Text: "Weber, I. (2012). Mills of the old harbours. Journal of Salt, 3(2), 1–4. https://doi.org/10.1000/9"},
				{Key: "2", Line: 6, Title: "Salt", Text: "Stone, B. (n.d.). Salt. Retrieved May 3, 2019, from https://a.example/b"},
			}, 0},
		{"identifiers alone", Text, "10.1000/9\n- https://doi.org/10.1000/8\narXiv:2101.00001\nPMID: 123456\nISBN 0-306-40615-2\n",
			[]Entry{
				{Key: "1", Line: 1, DOI: "10.1000/9"},
				{Key: "2", Line: 2, DOI: "10.1000/8"},
				{Key: "3", Line: 3, ArXiv: "2101.00001"}, {Key: "4", Line: 4, PMID: "123456"}, {Key: "5", Line: 5, ISBN: "9780306406157"},
			}, 0},
		{"a line each", Text, "Weber, I. (2012). Mills of the old harbours. Harbours, 4.\nStone, B. (2011). Salt in old harbours. " +
			"Salt, 3.\n",
			[]Entry{
				{Key: "1", Line: 1, Title: "Mills of the old harbours", Year: 2012,
					Text: "Weber, I. (2012). Mills of the old harbours. Harbours, 4."},
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
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || len(problems) != tt.problems {
				t.Errorf("%v (-want +got)\n%s", problems, diff)
			}
		})
	}
}

func TestDamagedBibTeX(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, list, want string }{
		{"an open entry", "\n@book{a,\n  title = {Tides},\n", "line 2: the entry is not closed: add its }"},
		{"an open value before another entry", "@book{a,\n  title = {Tides\n@book{b\n", "line 1: the entry is not closed: add its }"},
		{"no value", "@book{a,\n  title =}", "line 1: expected a value of title in braces or quotation marks"},
		{"no field", "@book{a,\n  title {Tides}\n}", "line 1: expected a field such as title = {…}"},
	} {
		_, _, err := Parse(BibTeX, tt.list)
		if want := "no complete reference found: " + tt.want; err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", tt.name, err, want)
		}
	}
}

// What is no entry of a reference list is not taken for one, because entries are sent to services.
func TestProseIsNoEntry(t *testing.T) {
	t.Parallel()
	const weber = "Weber, I. (2012). Mills of the old harbours. Harbours, 4."
	for _, tt := range []struct {
		name, text string
		entries    int
	}{
		{"prose alone", "Our unreleased product Falcon will ship in May 2025. See https://falcon.example/plan for more.\n", 0},
		{"numbered prose", "1. Open https://falcon.example/plan in a browser.\n2. Our product ships in May 2025, as planned.\n", 0},
		{"a list of tasks", "# Plan\n\n- Falcon ships in 2025, see https://falcon.example\n- Hire two people before June 2025\n", 0},
		{"below the heading", "## References\n\nOur unreleased product Falcon will ship in May 2025.\n\n[1] " + weber +
			"\n\nMoreover, Falcon, our product, was seen in 2024.\n", 1},
		{"below the heading, before a list without labels",
			"**References**\n\nAll of it was read in May 2025 at https://falcon.example.\n\n" + weber + "\n\nFalcon ships in 2025.\n", 1},
		{"after the section", "References\n==========\n\n[1] " + weber + "\n\nNotes\n-----\n\n[2] " + weber + "\n", 1},
		{"footnotes without a heading", "A word.[^1] Another.[^b]\n\n[^1]: https://harbours.example/4 Mills of the harbours\n[^b]: " +
			"Our own plan of 2024 says so.\n", 1},
		{"links with bullets", "## Sources\n\n- [Mills of the old harbours](https://harbours.example/4)\n- Falcon ships in 2025\n", 1},
		{"a list alone, wrapped", "Weber, I.,\nStone, B. (2012). Mills of the\nold harbours. Harbours, 4.\nWorld Lock Council (2011). " +
			"Salt in old harbours.\n", 2},
		{"two entries without labels",
			"## Referências\n\nMOSS, A. Mills. **Harbours**, v. 3, mar. 2014.\n\nMOSS, B. Tides of the north. 2014b.\n", 2},
		{"a title before the list", "What we have read so far\n\n" + weber + "\n", 0},
	} {
		entries, _, err := Parse(Text, tt.text)
		if len(entries) != tt.entries || (err == nil) != (tt.entries > 0) {
			t.Errorf("%s: %d entries, %v: %+v", tt.name, len(entries), err, entries)
		}
		for _, e := range entries {
			if strings.Contains(e.Text, "Falcon") {
				t.Errorf("%s: an entry has prose: %q", tt.name, e.Text)
			}
		}
	}
}

func TestBibTeXIsBounded(t *testing.T) {
	t.Parallel()
	doubling := "@string{a0 = {" + strings.Repeat("x", 64) + "}}\n"
	for i := range 30 {
		doubling += fmt.Sprintf("@string{a%d = a%d # a%d}\n", i+1, i, i)
	}
	many := "@string{s = {" + strings.Repeat("y", maxValue-1) + "}}\n" + strings.Repeat("@misc{a, note = s}\n", 2*maxValues/maxValue)
	for name, tt := range map[string]struct{ list, want string }{
		"doubling":     {doubling + "@misc{k, title = a30}", "the value of a11 is longer than 64 kB"},
		"many":         {many, "the values of the file are longer than 16 MB together"},
		"never closed": {strings.Repeat("@a{b,c={\n", 200_000), "is not closed"},
	} {
		entries, problems, _ := Parse(BibTeX, tt.list)
		if size := len(fmt.Sprint(entries)); len(problems) == 0 || len(problems) > maxProblems ||
			!strings.Contains(problems[0].What, tt.want) || size > maxValues {
			t.Errorf("%s: %d entries of %d bytes, %d problems, %.200s", name, len(entries), size, len(problems), fmt.Sprint(problems))
		}
	}
}

// Whatever the bytes are, parsing ends, entries have lines of the file.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"@a{b, c = {d} # e, f = \"g\"}", "TY  - A\nER  - ", `[{"id":1}]`,
		"References\n1. A. B. Title of it. 2001. doi:10.1000/1", "@x{y,z={\\\"{o}}}", "@0(,0=\"\\"} {
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
	})
}

func TestBibTeXAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"@article{Moss 1974,\n title = {The 3.5\" floppy disk},\n abstract = {A test:\n@test(a)\nruns.}}": "Moss 1974: The 3.5\" " +
			"floppy disk",
		"@book{a,\n title = {M\xfcller und sein Boot},\n note = {M\u00fcller}}":                             "a: M\u00fcller und sein Boot",
		"@book{a,\n title = {Tides}\n@book{b,\n title = {Locks}}\n@book{c,\n title = {Mills of the Arden}}": "c: Mills of the Arden",
	} {
		entries, _, err := Parse(BibTeX, text)
		if err != nil || len(entries) == 0 {
			t.Fatalf("%s: %v", text, err)
		}
		if e := entries[len(entries)-1]; e.Key+": "+e.Title != want {
			t.Errorf("%q, want %q", e.Key+": "+e.Title, want)
		}
	}
}
