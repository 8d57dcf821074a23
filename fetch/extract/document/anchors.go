package document

import "sort"

// Chapter is a part of a book.
type Chapter struct {
	Start int    // offset in the text, in code points
	Title string // its first heading, or empty
}

// PageAt returns the page of a PDF that contains an offset of its text, counted from 1, and the label of the page in the
// file (iv, 12, A-3), or "". offset counts code points of Text. The number is 0 if the document has no pages. A sentence on
// two pages belongs to the first.
func (d *Document) PageAt(offset int) (number int, label string) {
	number = PageNumber(d.Pages, offset)
	if number > 0 && number <= len(d.PageLabels) {
		label = d.PageLabels[number-1]
	}
	return number, label
}

// PageNumber returns the number, from 1, of the page that contains a code point. pages has the start of each page, as
// [Document].Pages. It is 0 without pages. Pages without text start where the next one does; the last of them counts.
func PageNumber(pages []int, offset int) int {
	n := sort.SearchInts(pages, offset+1)
	if n == 0 && len(pages) > 0 {
		return 1
	}
	return n
}

// ChapterAt returns the chapter that holds an offset of a book's text, or the zero Chapter if there are no chapters.
// offset counts code points of Text.
func (d *Document) ChapterAt(offset int) Chapter {
	n := sort.Search(len(d.Chapters), func(i int) bool { return d.Chapters[i].Start > offset })
	if n == 0 {
		return Chapter{}
	}
	return d.Chapters[n-1]
}
