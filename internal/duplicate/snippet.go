package duplicate

import (
	"hash/fnv"
	"slices"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// minSnippet is the minimum number of shingles of a snippet: shorter ones are alike by chance or by form.
const minSnippet = 12

// Snippet is the title and the snippet of a hit, read for comparisons.
type Snippet struct {
	shingles []uint64
	figures  uint64 // hash of its numbers
}

// NewSnippet reads a snippet.
func NewSnippet(text string) Snippet {
	all := figures.FindAllString(text, -1)
	slices.Sort(all)
	h := fnv.New64a()
	for _, figure := range slices.Compact(all) {
		h.Write(append([]byte(figure), 0))
	}
	return Snippet{Shingles(text), h.Sum64()}
}

var figures = lazyregexp.New(`\d+([.,]\d+)*`)

// Comparable reports whether the snippet is long enough to be taken for a copy of another.
func (s Snippet) Comparable() bool { return len(s.shingles) >= minSnippet }

// Repeats reports whether two snippets share more than a limit of their shingles, and have the same numbers. If not, they are of
// two documents of one form, such as the reports of two quarters.
func (s Snippet) Repeats(other Snippet, limit float64) bool {
	return s.figures == other.figures && Alike(s.shingles, other.shingles, limit)
}
