package pdf

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Furniture is what repeats at the top and the bottom of pages: headers, footers, page numbers. It would interrupt
// sentences that continue on the next page.
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
	number             int      // the page number, if the line has nothing else
	offset             int      // the difference of that number and the page's index
}

// repeats reports whether the other page of two has the same first or last line, or the next number, at the same place.
func (e edge) repeats(o edge) bool {
	counts := e.number > 0 && o.number > 0 && e.offset == o.offset
	same := e.outer && o.outer && len(e.keys) > 0 && len(o.keys) > 0 && e.keys[0] == o.keys[0]
	return e.page != o.page && math.Abs(e.y-o.y) < 1 && (counts || same)
}

// dropFurniture removes repeated headers, footers and page numbers from the pages.
func dropFurniture(pages [][]pdfColumn, sizes []pdfPage) {
	var edges []edge
	pagesOf := map[string]map[int]bool{}
	offsets := map[int]map[int]bool{}
	for p, columns := range pages {
		for _, e := range edgesOf(p, columns, sizes[p].height) {
			edges = append(edges, e)
			for _, key := range e.keys {
				if pagesOf[key] == nil {
					pagesOf[key] = map[int]bool{}
				}
				pagesOf[key][p] = true
			}
			if e.number > 0 {
				if offsets[e.offset] == nil {
					offsets[e.offset] = map[int]bool{}
				}
				offsets[e.offset][p] = true
			}
		}
	}
	// Only pages nearby are compared: a header may name its chapter and be on few pages of a book.
	need := func(have map[int]bool) bool {
		if len(have) < minFurniturePages {
			return false
		}
		low, high := len(pages), 0
		for p := range have {
			low, high = min(low, p), max(high, p)
		}
		return float64(len(have)) >= furnitureShare*float64(high-low+1)
	}
	drop := map[[3]int]bool{}
	for _, e := range edges {
		repeated := slices.ContainsFunc(e.keys, func(key string) bool { return need(pagesOf[key]) })
		if repeated || len(pages) == 2 && slices.ContainsFunc(edges, e.repeats) || e.number > 0 && need(offsets[e.offset]) {
			drop[[3]int{e.page, e.column, e.line}] = true
		}
	}
	if len(drop) == 0 {
		return
	}
	for p, columns := range pages {
		if mostlyFurniture(p, columns, drop) { // a form or a slide consists of repeated lines
			continue
		}
		for c := range columns {
			kept := columns[c].lines[:0]
			for i, line := range columns[c].lines {
				if !drop[[3]int{p, c, i}] {
					kept = append(kept, line)
				}
			}
			columns[c].lines = kept
		}
		pages[p] = slices.DeleteFunc(columns, func(c pdfColumn) bool { return len(c.lines) == 0 })
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
func edgesOf(page int, columns []pdfColumn, height float64) []edge {
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
	var out []edge
	add := func(p place, outer bool) {
		text := strings.TrimSpace(columns[p.column].lines[p.line].text)
		e := edge{page: page, column: p.column, line: p.line, y: p.box.y0, outer: outer, keys: keysOf(text, page)}
		if m := justPage.FindStringSubmatch(text); m != nil {
			if e.number = pageNumber(m[1]); e.number > 0 {
				e.offset = e.number - page
				e.keys = nil
				if m[1][0] > '9' {
					e.offset -= 1 << 20 // Roman numbers are counted separately
				}
			}
		}
		out = append(out, e)
	}
	for i, p := range all {
		top := i < furnitureLines && p.box.y1 > whole.y1-zone
		bottom := i >= len(all)-furnitureLines && p.box.y0 < whole.y0+zone
		if (top || bottom) && !tableAt(columns[p.column].lines[p.line:], math.Inf(1)).plausible() { // the head of a table repeats, too
			add(p, i == 0 || i == len(all)-1)
		}
	}
	return out
}

// keysOf returns a line's text, and the text without digits for each of its numbers with the difference of that number and
// the page's index. Rows of a table have equal texts with other numbers, which do not count the pages.
func keysOf(text string, page int) []string {
	text = strings.ToLower(text)
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
