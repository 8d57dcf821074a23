package document

import "sort"

// Chapter is a part of a book.
type Chapter struct {
	Start int    // the code point of the text at which it begins
	Title string // its first heading; empty when it has none
}

// PageAt is the page of a PDF on which a place of its text lies, from 1, with the name that the file gives to
// the page (iv, 12, A-3), or "" when it gives none. offset counts code points of Text. The number is 0 when
// the document has no pages. A sentence that runs over to another page belongs to the one where it begins.
func (d *Document) PageAt(offset int) (number int, label string) {
	number = PageNumber(d.Pages, offset)
	if number > 0 && number <= len(d.PageLabels) {
		label = d.PageLabels[number-1]
	}
	return number, label
}

// PageNumber is the number, from 1, of the page on which a code point lies; pages holds where each of them
// begins, as [Document].Pages. It is 0 when there are no pages. Of pages without text, which begin where the
// next one does, the place belongs to the last.
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
