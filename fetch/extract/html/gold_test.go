package html

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// goldFolder holds public evaluation sets: pages whose main text people have marked, in the folders aeb, wcxb and
// trafseg. They are not part of the repository; without them the tests that need them are skipped.
var goldFolder = flag.String("gold", "", "folder of the marked pages")

type goldPage struct {
	ID, URL, Type, Text string
	With, Without       []string
}

// TestGold checks that extraction does not get worse: all of a page's text is stored, and what is not furniture is its content.
func TestGold(t *testing.T) {
	tests := []struct {
		set                     string
		recall, words, segments float64 // floors; 0 = the set has no whole texts
	}{
		{set: "aeb", recall: 0.985, words: 0.955},
		{set: "wcxb", recall: 0.985, words: 0.84},
		{set: "trafseg", recall: 0.985, segments: 0.90},
	}
	for _, tt := range tests {
		t.Run(tt.set, func(t *testing.T) {
			t.Parallel()
			var got goldTally
			for g, body := range goldPages(t, tt.set) {
				u, err := url.Parse(g.URL)
				if err != nil {
					t.Fatal(err)
				}
				d, err := written(t.Context(), charset.Decode(body, "text/html", document.TypeHTML), u)
				if err != nil {
					t.Fatalf("%s: %v", u, err)
				}
				got.add(g, d.Content(), d.Text)
			}
			recall, words, segments, byType := got.score()
			t.Logf("%s: recall of the stored text %.4f (under .8 on %d pages); content: word F1 %.4f (precision %.4f, recall %.4f), "+
				"segment F1 %.4f, by type %v", tt.set, recall, got.poor, words, got.precision/float64(max(1, got.whole)),
				got.contentRecall/float64(max(1, got.whole)), segments, byType)
			if recall < tt.recall || words < tt.words || segments < tt.segments {
				t.Errorf("below the floors: recall %.3f, word F1 %.3f, segment F1 %.3f", tt.recall, tt.words, tt.segments)
			}
		})
	}
}

// goldTally adds up what pages reach.
type goldTally struct {
	recall, words, precision, contentRecall float64
	hits, misses, wrong, stored             int
	whole, poor                             int
	byType, counts                          map[string]float64
}

func (s *goldTally) add(g *goldPage, content, all string) {
	if s.byType == nil {
		s.byType, s.counts = map[string]float64{}, map[string]float64{}
	}
	if g.Text != "" {
		s.whole++
		want := goldWord.FindAllString(strings.ToLower(g.Text), -1)
		p, cr, f := overlap(goldWord.FindAllString(strings.ToLower(content), -1), want)
		_, r, _ := overlap(goldWord.FindAllString(strings.ToLower(all), -1), want)
		s.words, s.recall, s.precision, s.contentRecall = s.words+f, s.recall+r, s.precision+p, s.contentRecall+cr
		if r < 0.8 {
			s.poor++
		}
		s.byType[g.Type] += f
		s.counts[g.Type]++
	}
	holds := func(text, snippet string) bool {
		flat := strings.ToLower(strings.Join(strings.Fields(text), " "))
		return strings.Contains(flat, strings.ToLower(strings.Join(strings.Fields(snippet), " ")))
	}
	count := func(to *int, when bool) {
		if when {
			*to++
		}
	}
	for _, snippet := range g.With {
		in := holds(content, snippet)
		count(&s.hits, in)
		count(&s.misses, !in)
		count(&s.stored, holds(all, snippet))
	}
	for _, snippet := range g.Without {
		count(&s.wrong, holds(content, snippet))
	}
}

func (s *goldTally) score() (recall, words, segments float64, byType map[string]string) {
	byType = map[string]string{}
	for k, n := range s.counts {
		byType[k] = fmt.Sprintf("%.3f", s.byType[k]/n)
	}
	if s.whole > 0 {
		recall, words = s.recall/float64(s.whole), s.words/float64(s.whole)
	} else {
		recall = float64(s.stored) / float64(s.hits+s.misses)
	}
	if s.hits > 0 {
		p, r := float64(s.hits)/float64(s.hits+s.wrong), float64(s.hits)/float64(s.hits+s.misses)
		segments = 2 * p * r / (p + r)
	}
	return recall, words, segments, byType
}

var goldWord = regexp.MustCompile(`[\p{L}\p{N}_]+`)

func goldPages(t *testing.T, set string) map[*goldPage][]byte {
	t.Helper()
	pages := map[*goldPage][]byte{}
	for g := range goldLines[goldPage](t, filepath.Join(*goldFolder, set)) {
		pages[g] = gunzip(t, filepath.Join(*goldFolder, set, "pages", g.ID+".html.gz"))
	}
	return pages
}

// goldLines reads the gold.jsonl of a folder, without which the test is skipped.
func goldLines[T any](t *testing.T, folder string) iter.Seq[*T] {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "gold.jsonl"))
	if err != nil {
		t.Skip("a measurement of some minutes: give the folder of the pages with -gold or -dates")
	}
	return func(yield func(*T) bool) {
		defer f.Close()
		for lines := json.NewDecoder(f); ; {
			g := new(T)
			err := lines.Decode(g)
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !yield(g) {
				return
			}
		}
	}
}

func gunzip(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// overlap is the precision, recall and F1 of two bags.
func overlap(got, want []string) (precision, recall, f1 float64) {
	if len(got) == 0 || len(want) == 0 {
		if len(got) == len(want) {
			return 1, 1, 1
		}
		return 0, 0, 0
	}
	bag := map[string]int{}
	for _, w := range want {
		bag[w]++
	}
	both := 0
	for _, w := range got {
		if bag[w] > 0 {
			bag[w]--
			both++
		}
	}
	precision, recall = float64(both)/float64(len(got)), float64(both)/float64(len(want))
	if both > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}
