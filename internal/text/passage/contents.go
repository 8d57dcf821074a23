package passage

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// visible returns what is between the comments of a text, which are for editors. One that does not end is text.
func visible(text string) (out []block) {
	const opening, closing = "<!--", "-->"
	b := block{}
	for b.byteEnd < len(text) {
		rest := text[b.byteEnd:]
		end, comment := strings.Index(rest, opening), len(rest)
		if end >= 0 {
			comment = strings.Index(rest[end:], closing)
		}
		if end < 0 || comment < 0 {
			end, comment = len(rest), 0
		} else {
			comment += len(closing)
		}
		b = block{start: b.end, byteStart: b.byteEnd}
		b.end, b.byteEnd = b.start+utf8.RuneCountInString(rest[:end]), b.byteStart+end
		out = append(out, b)
		b.end, b.byteEnd = b.end+utf8.RuneCountInString(rest[end:end+comment]), b.byteEnd+comment
	}
	return out
}

// leastContents lines that are entries make a table of contents (chosen).
const leastContents = 3

// entry matches a line that is only links within the site (a list of other links may be an answer), or a title with dots and the
// number of a page.
var entry = lazyregexp.New(`^[^\pL\pN\[]*(?:\d+[.)]?\s+)*(?:\[[^\]]*\]\([^):\s]*\)[^\pL\pN\[]*)+$|` +
	`^\S.*(?:(?:\. ?){4,}|…{2,})\s*(?:\d{1,4}|[ivxlc]{1,7})$`)

// withoutContents drops the blocks that list headings of the text, links or pages: they have the words of every query about the
// text, and say nothing.
func withoutContents(text string, blocks []block) []block {
	headings := map[string]bool{}
	for _, b := range blocks {
		headings[headingOf(b.of(text))] = true
	}
	return slices.DeleteFunc(blocks, func(b block) bool {
		entries, others := 0, 0
		for line := range strings.Lines(b.of(text)) {
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
}
