package loopstate

import "slices"

// Pages are the starts of a text's pages in code points, in order; an empty page starts where the next one does. It is nil
// for a text without pages. Numbers count the file's pages from 1; printed numbers may differ.
type Pages []int

// At is the page on which the code point stands, or 0 when the text has no pages.
func (p Pages) At(offset int) int {
	// The last page that begins at the offset or before: an empty page holds nothing.
	n, _ := slices.BinarySearchFunc(p, offset, func(start, offset int) int {
		if start <= offset {
			return -1
		}
		return 1
	})
	if n == 0 && len(p) > 0 { // what stands before the first page's text
		return 1
	}
	return n
}

// Span are the pages of the first and the last code point from start up to end, or 0, 0.
func (p Pages) Span(start, end int) (first, last int) {
	return p.At(start), p.At(max(start, end-1))
}
