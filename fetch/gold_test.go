package fetch

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goldFolder holds pages with their main text, marked by people. They are other people's and lie outside of
// the project; without them this test has nothing to measure.
const goldFolder = "../../shared/data/extraction"

type goldPage struct {
	ID, URL, Type, Text string
	With, Without       []string
}

// TestGold holds extraction to what it has reached. The floors are a little under the measured values, which
// bench/README.md has, beside those of the libraries.
func TestGold(t *testing.T) {
	if slowdown > 1 {
		t.Skip("a measurement, not a test of concurrency: run it without the race detector")
	}
	tests := []struct {
		set            string
		shingle, words float64 // floors; 0 = the set has no whole texts
		segments       float64
	}{
		{set: "aeb", shingle: 0.950, words: 0.950},
		{set: "wcxb", shingle: 0.840, words: 0.848, segments: 0.860},
		{set: "trafseg", segments: 0.879},
	}
	for _, tt := range tests {
		t.Run(tt.set, func(t *testing.T) {
			t.Parallel()
			got := scoreGold(t, tt.set, func(body []byte, u *url.URL) string {
				d, err := Extract("text/html", body, u)
				if err != nil {
					t.Errorf("%s: %v", u, err)
				}
				return d.Text
			})
			t.Logf("%d pages: shingle F1 %.4f, word F1 %.4f, segment F1 %.4f", got.pages, got.shingle, got.words, got.segments)
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
	perPage                  map[string]float64
}

// scoreGold measures as the sets' own evaluations do: F1 of the mean precision and recall of four-word
// shingles, the mean of the word F1 of each page, and F1 over snippets that must and must not be there.
func scoreGold(t *testing.T, set string, text func([]byte, *url.URL) string) goldScore {
	t.Helper()
	var precision, recall, words float64
	var hits, misses, wrong, whole int
	s := goldScore{byType: map[string]float64{}, perPage: map[string]float64{}}
	counts := map[string]int{}
	for g, body := range goldPages(t, set) {
		u, err := url.Parse(g.URL)
		if err != nil {
			t.Fatal(err)
		}
		got := text(body, u)
		s.pages++
		if g.Text != "" {
			whole++
			p, r, _ := overlap(shingles(goldWord.FindAllString(got, -1)), shingles(goldWord.FindAllString(g.Text, -1)))
			precision, recall = precision+p, recall+r
			_, _, f := overlap(goldWord.FindAllString(strings.ToLower(got), -1), goldWord.FindAllString(strings.ToLower(g.Text), -1))
			words += f
			s.byType[g.Type] += f
			s.perPage[g.ID] = f
			counts[g.Type]++
		}
		flat := strings.ToLower(strings.Join(strings.Fields(got), " "))
		holds := func(snippet string) bool {
			return strings.Contains(flat, strings.ToLower(strings.Join(strings.Fields(snippet), " ")))
		}
		for _, snippet := range g.With {
			if holds(snippet) {
				hits++
			} else {
				misses++
			}
		}
		for _, snippet := range g.Without {
			if holds(snippet) {
				wrong++
			}
		}
	}
	for k, n := range counts {
		s.byType[k] /= float64(n)
	}
	if whole > 0 {
		precision, recall = precision/float64(whole), recall/float64(whole)
		s.shingle = 2 * precision * recall / (precision + recall)
		s.words = words / float64(whole)
	}
	if hits > 0 {
		p, r := float64(hits)/float64(hits+wrong), float64(hits)/float64(hits+misses)
		s.segments = 2 * p * r / (p + r)
	}
	return s
}

var goldWord = regexp.MustCompile(`[\p{L}\p{N}_]+`)

func goldPages(t *testing.T, set string) map[*goldPage][]byte {
	t.Helper()
	f, err := os.Open(filepath.Join(goldFolder, set, "gold.jsonl"))
	if err != nil {
		t.Skip("the gold pages are not here: ", goldFolder)
	}
	defer f.Close()
	pages := map[*goldPage][]byte{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		g := new(goldPage)
		if err := json.Unmarshal(lines.Bytes(), g); err != nil {
			t.Fatal(err)
		}
		pages[g] = gunzip(t, filepath.Join(goldFolder, set, "pages", g.ID+".html.gz"))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return pages
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
