package duplicate

import (
	"hash/fnv"
	"slices"

	"github.com/citeloop/citeloop/internal/text/words"
)

// maxShingles bounds the memory of one text. One with more is known by its smallest hashes, which estimates the Jaccard index
// within about 1 % (1/√8192).
const maxShingles = 8192

// Shingles returns the hashes of all runs of five terms (of Chinese, six characters), the smallest first; a shorter text is one.
func Shingles(text string) []uint64 {
	var joined []byte // the terms, with a zero after each
	starts := []int{0}
	words.NewAnalyzer("und").Tokens(text, func(t words.Token) { // stems cost more than they find
		joined = append(append(joined, t.Term...), 0)
		starts = append(starts, len(joined))
	})
	var set []uint64
	width := max(1, min(5, len(starts)-1)) // five are usual for near-duplicates of web pages
	for i := width; i < len(starts); i++ {
		h := fnv.New64a()
		h.Write(joined[starts[i-width]:starts[i]])
		set = append(set, h.Sum64())
	}
	slices.Sort(set)
	set = slices.Compact(set)
	return set[:min(len(set), maxShingles)]
}

// Alike reports whether two texts have more than a share of their shingles in common (the Jaccard index, 0 to 1); two empty texts
// share nothing.
func Alike(a, b []uint64, limit float64) bool {
	return jaccard(a, b, int((1-limit)*float64(len(a)+len(b)))) > limit
}

// jaccard returns the share of shingles that two texts have in common, or 0 once more than a number of them are found to be in
// one text only. If a text has too many, it is an estimate from those up to the greatest hash that was kept.
func jaccard(a, b []uint64, most int) float64 {
	both, all := 0, 0
	cutA, cutB := len(a) == maxShingles, len(b) == maxShingles
	for (len(a) > 0 || !cutA) && (len(b) > 0 || !cutB) && len(a)+len(b) > 0 {
		all++
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			b = b[1:]
		default:
			both++
			a, b = a[1:], b[1:]
		}
		if all-both > most {
			return 0
		}
	}
	return float64(both) / float64(max(1, all))
}
