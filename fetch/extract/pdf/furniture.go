package pdf

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Furniture is what repeats at the top and the bottom of pages: headers, footers, page numbers.
const (
	furnitureLines    = 3    // candidates from the top and from the bottom of a page
	furnitureZone     = 0.12 // of the page's height, from either end
	minFurniturePages = 3    // a line on only two pages of many may be text
	maxLineNumbers    = 8    // of a line
	furnitureShare    = 0.3  // of the pages: headers of even and odd pages differ, and first pages have none
)

var (
	digits   = lazyregexp.New(`\d+`)
	justPage = lazyregexp.New(`^(?i)(?:(?:page|seite|p\.)\s*)?[-–—|\[(]?\s*(\d{1,5}|[ivxlc]{1,8})\s*[-–—|\])]?(?:\s*(?:/|of|von|sur|de)\s*\d{1,5})?$`)
)

// edge is a line near the top or the bottom of a page.
type edge struct {
	page, column, line int
	y                  float64  // its lower edge
	outer              bool     // it is the first or the last line of its page
	keys               []string // its text, and its text with each number that may count the pages
}

// repeats reports whether two pages have the same first or last line, or the next number, at the same place.
func (e edge) repeats(o edge) bool {
	same := slices.ContainsFunc(e.keys, func(key string) bool {
		return slices.Contains(o.keys, key) && (e.outer && o.outer ||
			strings.HasPrefix(key, "#"))
	})
	return e.page != o.page && math.Abs(e.y-o.y) < 1 && same
}

// moveFurniture moves repeated headers, footers and page numbers out of the columns.
func moveFurniture(pages []pageLines, sizes []pdfPage) {
	var edges []edge
	pagesOf := map[string]map[int]bool{}
	for p := range pages {
		for _, e := range edgesOf(p, pages[p].columns, sizes[p].height) {
			edges = append(edges, e)
			for _, key := range e.keys {
				if pagesOf[key] == nil {
					pagesOf[key] = map[int]bool{}
				}
				pagesOf[key][p] = true
			}
		}
	}
	// Only pages nearby are compared: a header may name its chapter and be on few pages of a book.
	repeated := func(key string) bool {
		have, low, high := pagesOf[key], len(pages), 0
		for p := range have {
			low, high = min(low, p), max(high, p)
		}
		return len(have) >= minFurniturePages && float64(len(have)) >= furnitureShare*float64(high-low+1)
	}
	drop := map[[3]int]bool{}
	for _, e := range edges {
		if slices.ContainsFunc(e.keys, repeated) || len(pages) == 2 && slices.ContainsFunc(edges, e.repeats) {
			drop[[3]int{e.page, e.column, e.line}] = true
		}
	}
	for p := range pages {
		columns := pages[p].columns
		if mostlyFurniture(p, columns, drop) { // a form or a slide consists of repeated lines
			continue
		}
		for c := range columns {
			kept := columns[c].lines[:0]
			for i, line := range columns[c].lines {
				if drop[[3]int{p, c, i}] {
					pages[p].furniture = append(pages[p].furniture, line.text)
				} else {
					kept = append(kept, line)
				}
			}
			columns[c].lines = kept
		}
		pages[p].columns = slices.DeleteFunc(columns, func(c pdfColumn) bool { return len(c.lines) == 0 })
	}
}

func mostlyFurniture(page int, columns []pdfColumn, drop map[[3]int]bool) bool {
	all, furniture := 0, 0
	for c, column := range columns {
		for i, line := range column.lines {
			all += len(line.text)
			if drop[[3]int{page, c, i}] {
				furniture += len(line.text)
			}
		}
	}
	return 2*furniture > all
}

// edgesOf returns the first and last lines of a page in its top and bottom zones.
func edgesOf(page int, columns []pdfColumn, height float64) (out []edge) {
	type place struct {
		column, line int
		box          box
	}
	var all []place
	var whole box
	for c, column := range columns {
		for i, line := range column.lines {
			whole = whole.union(line.box)
			all = append(all, place{c, i, line.box})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(b.box.y1, a.box.y1) })
	zone := furnitureZone * max(height, whole.height())
	for i, p := range all {
		top := i < furnitureLines && p.box.y1 > whole.y1-zone
		bottom := i >= len(all)-furnitureLines && p.box.y0 < whole.y0+zone
		if !top && !bottom || tableAt(columns[p.column].lines[p.line:], math.Inf(1)).plausible() { // the head of a table repeats, too
			continue
		}
		text := strings.TrimSpace(columns[p.column].lines[p.line].text)
		out = append(out, edge{page, p.column, p.line, p.box.y0, i == 0 || i == len(all)-1, keysOf(text, page)})
	}
	return out
}

// keysOf returns the key of a line that has only a page number, or else a line's text, and the text without digits for each of
// its numbers with the difference of that number and the page's index. Rows of a table have equal texts with other numbers,
// which do not count the pages.
func keysOf(text string, page int) []string {
	text = strings.ToLower(text)
	if m := justPage.FindStringSubmatch(text); m != nil {
		if n := pageNumber(m[1]); n > 0 {
			return []string{"#" + strconv.FormatBool(m[1][0] > '9') + strconv.Itoa(n-page)} // Roman numbers are counted separately
		}
	}
	keys := []string{text}
	for _, number := range digits.FindAllString(text, maxLineNumbers) {
		if n, err := strconv.Atoi(number); err == nil {
			keys = append(keys, digits.ReplaceAllString(text, "#")+"\n"+strconv.Itoa(n-page))
		}
	}
	return keys
}

// pageNumber parses an Arabic or Roman number, or returns 0.
func pageNumber(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	values := map[rune]int{'i': 1, 'v': 5, 'x': 10, 'l': 50, 'c': 100}
	n, before := 0, 0
	for _, r := range strings.ToLower(s) {
		v := values[r]
		if v > before && before > 0 {
			n -= 2 * before
		}
		n += v
		before = v
	}
	return n
}
