package html

import (
	"compress/gzip"
	"encoding/json"
	"flag"
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
var goldFolder = flag.String("gold", "../../../../shared/data/extraction", "folder of the marked pages")

type goldPage struct {
	ID, URL, Type, Text string
	With, Without       []string
}

// TestGold checks that extraction does not get worse. The forest is trained on these pages, so the floors only
// detect a regression. TestForest measures what to expect of unseen pages, on folds that are left out of training:
// shingle F1 .968 on AEB, word F1 .877 on WCXB, segment F1 .925 on trafilatura's set.
func TestGold(t *testing.T) {
	if slowdown > 1 {
		t.Skip("a measurement, not a test of concurrency: run it without the race detector")
	}
	tests := []struct {
		set            string
		shingle, words float64 // floors; 0 = the set has no whole texts
		segments       float64
	}{
		{set: "aeb", shingle: 0.984, words: 0.986},
		{set: "wcxb", shingle: 0.892, words: 0.909, segments: 0.909},
		{set: "trafseg", segments: 0.941},
	}
	for _, tt := range tests {
		t.Run(tt.set, func(t *testing.T) {
			t.Parallel()
			got := scoreGold(t, tt.set, func(body []byte, u *url.URL) string {
				d, err := Read(t.Context(), charset.Decode(body, "text/html", document.TypeHTML), u)
				if err != nil {
					t.Errorf("%s: %v", u, err)
				}
				return d.Text
			})
			t.Logf("%d pages: shingle F1 %.4f, word F1 %.4f, segment F1 %.4f, by type %v", got.pages, got.shingle, got.words, got.segments, got.byType)
			if got.shingle < tt.shingle || got.words < tt.words || got.segments < tt.segments {
				t.Errorf("below the floors: shingle F1 %.3f, word F1 %.3f, segment F1 %.3f", tt.shingle, tt.words, tt.segments)
			}
		})
	}
}

type goldScore struct {
	pages                    int
	shingle, words, segments float64
	byType                   map[string]float64
}

// scoreGold measures as the sets' own evaluations do: F1 of the mean precision and recall of four-word
// shingles, the mean of the word F1 of each page, and F1 over snippets that must and must not be there.
func scoreGold(t *testing.T, set string, text func([]byte, *url.URL) string) goldScore {
	t.Helper()
	var tally goldTally
	for g, body := range goldPages(t, set) {
		u, err := url.Parse(g.URL)
		if err != nil {
			t.Fatal(err)
		}
		tally.add(g, text(body, u))
	}
	return tally.score()
}

// goldTally adds up what pages reach.
type goldTally struct {
	precision, recall, words float64
	hits, misses, wrong      int
	pages, whole             int
	byType, counts           map[string]float64
}

func (s *goldTally) add(g *goldPage, got string) {
	if s.byType == nil {
		s.byType, s.counts = map[string]float64{}, map[string]float64{}
	}
	s.pages++
	if g.Text != "" {
		s.whole++
		p, r, _ := overlap(shingles(goldWord.FindAllString(got, -1)), shingles(goldWord.FindAllString(g.Text, -1)))
		s.precision, s.recall = s.precision+p, s.recall+r
		_, _, f := overlap(goldWord.FindAllString(strings.ToLower(got), -1), goldWord.FindAllString(strings.ToLower(g.Text), -1))
		s.words += f
		s.byType[g.Type] += f
		s.counts[g.Type]++
	}
	flat := strings.ToLower(strings.Join(strings.Fields(got), " "))
	holds := func(snippet string) bool {
		return strings.Contains(flat, strings.ToLower(strings.Join(strings.Fields(snippet), " ")))
	}
	for _, snippet := range g.With {
		if holds(snippet) {
			s.hits++
		} else {
			s.misses++
		}
	}
	for _, snippet := range g.Without {
		if holds(snippet) {
			s.wrong++
		}
	}
}

func (s *goldTally) score() goldScore {
	out := goldScore{pages: s.pages, byType: map[string]float64{}}
	for k, n := range s.counts {
		out.byType[k] = s.byType[k] / n
	}
	if s.whole > 0 {
		precision, recall := s.precision/float64(s.whole), s.recall/float64(s.whole)
		out.shingle = 2 * precision * recall / (precision + recall)
		out.words = s.words / float64(s.whole)
	}
	if s.hits > 0 {
		p, r := float64(s.hits)/float64(s.hits+s.wrong), float64(s.hits)/float64(s.hits+s.misses)
		out.segments = 2 * p * r / (p + r)
	}
	return out
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
		t.Skip("the gold pages are not here: ", folder)
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

func shingles(words []string) []string {
	const n = 4
	if len(words) == 0 {
		return nil
	}
	if len(words) < n {
		return []string{strings.Join(words, " ")}
	}
	var out []string
	for i := range len(words) - n + 1 {
		out = append(out, strings.Join(words[i:i+n], " "))
	}
	return out
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
