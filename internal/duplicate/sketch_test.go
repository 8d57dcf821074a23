package duplicate

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// numbered is a text of n different words from the ith on.
func numbered(from, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("word%d", from+i)
	}
	return strings.Join(words, " ")
}

func sketched(t *testing.T, text string) Sketch {
	t.Helper()
	s, ok := SketchOf(Shingles(text))
	if !ok {
		t.Fatalf("%.40q has no sketch", text)
	}
	return s
}

func TestSketchEstimatesJaccard(t *testing.T) {
	base := numbered(0, 1000)
	for _, shared := range []int{0, 100, 500, 800, 900, 950, 1000} {
		other := numbered(1000-shared, 1000)
		exact := Jaccard(Shingles(base), Shingles(other))
		got := sketched(t, base).Resemblance(sketched(t, other))
		if math.Abs(got-exact) > 0.13 { // four standard errors at 0.5
			t.Errorf("with %d words in common the index is %.3f, the estimate %.3f", shared, exact, got)
		}
	}
}

func TestSketchBandsFindNearDuplicates(t *testing.T) {
	missed, found := 0, 0
	for i := range 200 {
		text := numbered(i*5000, 400)
		near := strings.Replace(text, fmt.Sprintf("word%d ", i*5000+200), "other ", 1) // Jaccard about 0.975
		bands := map[uint64]bool{}
		for _, b := range sketched(t, text).Bands() {
			bands[b] = true
		}
		shares := func(other string) bool {
			for _, b := range sketched(t, other).Bands() {
				if bands[b] {
					return true
				}
			}
			return false
		}
		if !shares(near) {
			missed++
		}
		if shares(numbered(i*5000+1000, 400)) {
			found++
		}
	}
	if missed > 0 || found > 2 {
		t.Errorf("of 200 near-duplicates %d share no band, of 200 other texts %d do", missed, found)
	}
}

func TestSketchIsWrittenAndRead(t *testing.T) {
	s := sketched(t, numbered(0, 50))
	got, ok := ParseSketch(s.String())
	if !ok || got != s || len(s.String()) != 172 {
		t.Errorf("%s comes back as %s, %v", s, got, ok)
	}
	for _, bad := range []string{"", "abc", s.String() + "AAAA", strings.Repeat("!", 172)} {
		if _, ok := ParseSketch(bad); ok {
			t.Errorf("%.20q is taken for a sketch", bad)
		}
	}
	if _, ok := SketchOf(Shingles(" … ")); ok {
		t.Errorf("a text without words has a sketch")
	}
}

func BenchmarkSketch(b *testing.B) {
	text := numbered(0, 5000) // about 30 kB of prose
	for b.Loop() {
		SketchOf(Shingles(text))
	}
}
