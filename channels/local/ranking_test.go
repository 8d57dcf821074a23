package local

import (
	"bufio"
	"compress/gzip"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/text/passage"
)

// asking is a line of testdata/questions.tsv.
type asking struct {
	half, folder, text string
	pages, words       []string
}

func questions(t *testing.T) []asking {
	t.Helper()
	raw, err := os.ReadFile("testdata/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []asking
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		out = append(out, asking{f[0], f[1], f[2], strings.Split(f[3], "|"), strings.Split(f[4], "|")})
	}
	return out
}

// Questions in a user's words find the best page and, among the pages read, the passage with the answer.
func TestDebianQuestions(t *testing.T) {
	docs := os.Getenv("CITELOOP_TEST_DEBIAN_DOCS")
	if docs == "" || testing.Short() {
		t.Skip("reads thousands of files below CITELOOP_TEST_DEBIAN_DOCS, such as /usr/share/doc; without -short")
	}
	corpora, pages := map[string]*Corpus{}, map[string]*passage.Index{}
	found, decided := map[string]int{}, map[string]int{}
	for _, q := range questions(t) {
		c := corpora[q.folder]
		if c == nil {
			root, err := filepath.EvalSymlinks(filepath.Join(docs, q.folder))
			if err != nil {
				t.Skipf("%s is not installed", q.folder)
			}
			var reader *fetch.Reader
			c, reader = indexed(t, root)
			corpora[q.folder], pages[q.folder] = c, pagesOf(t, reader, root, q.folder)
		}
		hits, _, err := c.Search(t.Context(), q.text, 3)
		if err != nil {
			t.Fatal(err)
		}
		page := slices.ContainsFunc(hits, func(h Hit) bool {
			name := strings.TrimSuffix(strings.TrimSuffix(h.Path, ".txt"), ".html") + ".html"
			return slices.ContainsFunc(q.pages, func(page string) bool { return strings.HasSuffix(filepath.ToSlash(name), "/"+page) })
		})
		if page {
			found[q.half]++
		} else if strings.HasSuffix(q.half, "dev") {
			t.Log("not found: ", q.text)
		}
		if slices.ContainsFunc(pages[q.folder].Search(q.text, 3, nil), func(h passage.Hit) bool {
			text := strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(h.Passage.Text, "’", "'")), " "))
			return slices.ContainsFunc(q.words, func(w string) bool { return strings.Contains(text, w) })
		}) {
			decided[q.half]++
		}
	}
	t.Logf("of 20, best page among the first three: %v, deciding passage: %v", found, decided)
	for _, least := range []struct {
		dev, held       string
		pages, passages int
	}{{"dev", "held", 31, 21}, {"more-dev", "more-held", 32, 18}} {
		if n := found[least.dev] + found[least.held]; n < least.pages {
			t.Errorf("%s: %d pages of 40, %d before", least.dev, n, least.pages)
		}
		if n := decided[least.dev] + decided[least.held]; n < least.passages {
			t.Errorf("%s: %d passages of 40, %d before", least.dev, n, least.passages)
		}
	}
}

// pagesOf reads the best pages of all questions about a folder.
func pagesOf(t *testing.T, reader *fetch.Reader, root, folder string) *passage.Index {
	pages := passage.NewIndex()
	for _, q := range questions(t) {
		for _, page := range q.pages {
			name := filepath.Join(root, filepath.FromSlash(page))
			if folder == "postgresql-doc-15" {
				name = filepath.Join(root, "html", page)
			}
			if q.folder != folder {
				continue
			}
			p := reader.Read(t.Context(), fetch.FileAddress(name))
			if p.Status != fetch.StatusRead {
				t.Fatalf("%s: %s %s", name, p.Status, p.Reason)
			}
			pages.Add(name, passage.Split(p.Text, 0))
		}
	}
	return pages
}

// Cranfield's 225 queries over 1,400 abstracts (CITELOOP_TEST_CRANFIELD is their folder).
func TestCranfield(t *testing.T) {
	folder := os.Getenv("CITELOOP_TEST_CRANFIELD")
	if folder == "" {
		t.Skip("CITELOOP_TEST_CRANFIELD does not name the folder of Cranfield")
	}
	dir := t.TempDir()
	var documents struct {
		Docs []struct {
			Number string `xml:"docno"`
			Title  string `xml:"title"`
			Text   string `xml:"text"`
		} `xml:"doc"`
	}
	packed, err := os.Open(filepath.Join(folder, "cran.all.1400.xml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	decode(t, io.MultiReader(strings.NewReader("<all>"), unpacked, strings.NewReader("</all>")), &documents)
	for _, d := range documents.Docs {
		text := "# " + strings.Join(strings.Fields(d.Title), " ") + "\n\n" + d.Text + "\n"
		write(t, dir, strings.TrimSpace(d.Number)+".md", text)
	}
	var queries struct {
		Tops []struct {
			Title string `xml:"title"`
		} `xml:"top"`
	}
	asked, err := os.Open(filepath.Join(folder, "cran.qry.xml"))
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	decode(t, asked, &queries)
	relevant := map[int]map[string]bool{} // by the query's place in the file, from 1
	judged, err := os.Open(filepath.Join(folder, "cranqrel.trec.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer judged.Close()
	for lines := bufio.NewScanner(judged); lines.Scan(); {
		var query, zero, grade int
		var doc string
		if n, _ := fmt.Sscan(lines.Text(), &query, &zero, &doc, &grade); n == 4 && grade > 0 {
			if relevant[query] == nil {
				relevant[query] = map[string]bool{}
			}
			relevant[query][doc] = true
		}
	}
	c, _ := indexed(t, dir)
	var sums [2]float64
	var counts [2]int
	for i, q := range queries.Tops {
		hits, _, err := c.Search(t.Context(), strings.Join(strings.Fields(q.Title), " "), 10)
		if err != nil {
			t.Fatal(err)
		}
		gain, ideal := 0.0, 0.0
		for rank, h := range hits {
			if relevant[i+1][strings.TrimSuffix(filepath.Base(h.Path), ".md")] {
				gain += 1 / math.Log2(float64(rank+2))
			}
		}
		for rank := range min(10, len(relevant[i+1])) {
			ideal += 1 / math.Log2(float64(rank+2))
		}
		if ideal > 0 {
			sums[i%2] += gain / ideal
		}
		counts[i%2]++
	}
	t.Logf("nDCG@10: development half %.4f, other half %.4f", sums[0]/float64(counts[0]), sums[1]/float64(counts[1]))
	if all := (sums[0] + sums[1]) / float64(counts[0]+counts[1]); all < 0.40 { // it is .4094
		t.Errorf("nDCG@10 is %.4f, .4094 before", all)
	}
}

func decode(t *testing.T, in io.Reader, into any) {
	t.Helper()
	d := xml.NewDecoder(in)
	d.Strict = false
	if err := d.Decode(into); err != nil {
		t.Fatal(err)
	}
}
