package duplicate

import (
	"slices"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// minSnippet is the minimum number of shingles of a snippet: shorter ones are alike by chance or by form.
const minSnippet = 12

// Snippet is the title and the snippet of a hit, read for comparisons.
type Snippet struct {
	text     string
	shingles []uint64
}

// NewSnippet reads a snippet.
func NewSnippet(text string) *Snippet { return &Snippet{text, Shingles(text)} }

// Bytes returns about how much memory it takes.
func (s *Snippet) Bytes() int { return 200 + len(s.text) + 8*len(s.shingles) }

// Comparable reports whether the snippet is long enough to be taken for a copy of another.
func (s *Snippet) Comparable() bool { return len(s.shingles) >= minSnippet }

// Repeats reports whether two snippets share more than a limit of their shingles, and have the same numbers. If not, they are of
// two documents of one form, such as the reports of two quarters.
func (s *Snippet) Repeats(other *Snippet, limit float64) bool {
	return Alike(s.shingles, other.shingles, limit) && slices.Equal(s.figures(), other.figures())
}

var figures = lazyregexp.New(`\d+([.,]\d+)*`)

func (s *Snippet) figures() []string {
	all := figures.FindAllString(s.text, -1)
	slices.Sort(all)
	return slices.Compact(all)
}
