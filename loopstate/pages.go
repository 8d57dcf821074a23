package loopstate

import "slices"

// Pages holds the start of each page of a text, in code points and ascending; an empty page starts where the next one
// does. It is nil for a text without pages. Pages are numbered from 1 by their order in the file; printed numbers may
// differ.
type Pages []int

// At returns the page of a code point, or 0 if the text has no pages.
func (p Pages) At(offset int) int {
	// The last page that begins at or before the offset, which skips empty pages.
	n, _ := slices.BinarySearchFunc(p, offset, func(start, offset int) int {
		if start <= offset {
			return -1
		}
		return 1
	})
	if n == 0 && len(p) > 0 { // before the first page's text
		return 1
	}
	return n
}

// Span returns the pages of the first and the last code point of [start, end), or 0, 0 if the text has no pages.
func (p Pages) Span(start, end int) (first, last int) {
	return p.At(start), p.At(max(start, end-1))
}
