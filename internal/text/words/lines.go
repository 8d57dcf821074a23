package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Text is wrapped by hand or by mail programs at 60 to 80 columns, by PDF columns from about 40. Longer lines are paragraphs.
const minWrapChars, maxWrapChars = 40, 120

// paragraphs returns the lines of a text, those of one wrapped paragraph together. Blank lines are left out.
func paragraphs(text string) (out []stretch) {
	var block []stretch // lines without a blank one between
	at, width := 0, 0   // width is that of the block
	for line := range strings.Lines(text + "\n\n") {
		if s := strings.TrimSpace(line); s != "" {
			start := at + strings.Index(line, s)
			block = append(block, stretch{start, start + len(s)})
			width = max(width, utf8.RuneCountInString(s))
		} else {
			for i, l := range block {
				if i > 0 && continues(text[block[i-1].start:block[i-1].end], text[l.start:l.end], width) {
					out[len(out)-1].end = l.end
				} else {
					out = append(out, l)
				}
			}
			block, width = nil, 0
		}
		at += len(line)
	}
	return out
}

// continues reports whether line b continues the paragraph of line a: b begins in the middle of a sentence, or a was so full
// that the first word of b did not fit. width is that of their block.
func continues(a, b string, width int) bool {
	if a[0] == '#' || b[0] == '#' || OpensItem(b) {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(b); unicode.IsLower(first) {
		return true
	}
	if width < minWrapChars || width > maxWrapChars || a[0] == '|' {
		return false
	}
	word := strings.IndexFunc(b, func(r rune) bool { return unicode.IsSpace(r) || unspaced(r) })
	if word < 0 {
		word = len(b)
	}
	const slack = 3 // justified and proportional type wraps a little early
	return utf8.RuneCountInString(a)+1+utf8.RuneCountInString(b[:word]) > width-slack
}

// item matches the beginning of a list item, a quotation, a table row or a footnote: "•", "- ", "[2]", "(iv)", "b) ", "12. ".
var item = lazyregexp.New(`^(?:[•◦▪●‣·|>]|[-*+–—][ ` +
	`\t]|[(\[（【](?:[^\])）】]{0,5}[0-9][^\])）】]{0,5}|[A-Za-z]|[ivx]{1,4})[\])）】]|(?:[A-Za-z]|` +
	`[ivx]{1,4})\) |[0-9]{1,4}(?:\. |\) |、|．))`)

// OpensItem reports whether a line begins a list item, a quotation, a table row or a footnote.
func OpensItem(line string) bool { return item.MatchString(line[:min(len(line), 24)]) }
