package reader

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/loopstate"
)

// Passage is a window of a source as a reader sees it, with its text.
type Passage = loopstate.ReviewWindow

// QuoteFound reports whether a quote of two characters at least is in a passage or its heading, but for typography and omissions.
func QuoteFound(said string, in []Passage) bool {
	return utf8.RuneCountInString(strings.TrimSpace(said)) > 1 && slices.ContainsFunc(in, func(p Passage) bool {
		grade, _ := quote.Find(said, p.Heading+"\n"+p.Text)
		return grade == quote.Exact || grade == quote.Normalised
	})
}

// NearestWords returns the words of the passages that are nearest to a quote that is not in them, so that a reader can
// correct it; "" where no passage has anything like it.
func NearestWords(said string, in []Passage) string {
	at, _ := quote.Nearest(said, textOf(in), 400)
	return at.Text
}

// textOf is all that a reader sees of passages.
func textOf(in []Passage) string {
	var out []string
	for _, p := range in {
		out = append(out, p.Heading, p.Text)
	}
	return strings.Join(out, "\n")
}
