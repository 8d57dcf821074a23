package passage

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// leastContents lines that are entries make a table of contents (chosen).
const leastContents = 3

// entry matches a line that is only links within the site (a list of other links may be an answer), or a title with dots and the
// number of a page.
var entry = lazyregexp.New(`^[^\pL\pN\[]*(?:\d+[.)]?\s+)*(?:\[[^\]]*\]\([^):\s]*\)[^\pL\pN\[]*)+$|` +
	`^\S.*(?:(?:\. ?){4,}|…{2,})\s*(?:\d{1,4}|[ivxlc]{1,7})$`)

// withoutContents drops the blocks that list headings of the text, links or pages: they have the words of every query about the
// text, and say nothing. A text that has no other is kept, such as bookmarks.
func withoutContents(blocks []words.Span) []words.Span {
	headings := map[string]bool{}
	for _, b := range blocks {
		headings[headingOf(b.Text)] = true
	}
	kept := slices.DeleteFunc(slices.Clone(blocks), func(b words.Span) bool {
		entries, others := 0, 0
		for line := range strings.Lines(b.Text) {
			title := strings.TrimSpace(strings.TrimLeft(line, "#-*•+ \t0123456789."))
			switch {
			case title == "" || strings.HasSuffix(title, ":"):
			case headings[title] || entry.MatchString(strings.TrimSpace(line)):
				entries++
			default:
				others++
			}
		}
		return entries >= leastContents && entries > 2*others
	})
	if len(kept) == 0 {
		return blocks
	}
	return kept
}
