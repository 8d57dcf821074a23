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
	justPage = lazyregexp.New(`^(?i)(?:(?:page|seite|p\.)\s*)?[-–—|\[(]?\s*(\d{1,5}|[ivxlc]{1,8})\s*[-–—|\])]?` +
		`(?:\s*(?:/|of|von|sur|de)\s*\d{1,5})?$`)
)

// edge is a line near the top or the bottom of a page.
type edge struct {
	line *pdfLine
	page int
	keys []string // its text, and its text with each number that may count the pages
}

// moveFurniture moves repeated headers, footers and page numbers out of the columns.
func moveFurniture(pages []pageLines, sizes []pdfPage) {
	var edges []edge
	pagesOf := map[string][]int{}
	for p := range pages {
		for _, e := range edgesOf(p, pages[p].columns, sizes[p].height, len(pages) == 2) {
			edges = append(edges, e)
			for _, key := range e.keys {
				if have := pagesOf[key]; len(have) == 0 || have[len(have)-1] != p {
					pagesOf[key] = append(have, p)
				}
			}
		}
	}
	// Only pages nearby are compared: a header may name its chapter and be on few pages of a book.
	repeated := func(key string) bool {
		have := pagesOf[key]
		span := have[len(have)-1] - have[0] + 1
		if len(pages) > 2 && have[0] == 1 && len(have) == len(pages)-1 { // a first page has none
			return true
		}
		return len(have) >= min(minFurniturePages, max(len(pages), 2)) && float64(len(have)) >= furnitureShare*float64(span)
	}
	drop := map[*pdfLine]bool{}
	for _, e := range edges {
		drop[e.line] = slices.ContainsFunc(e.keys, repeated)
	}
	for p := range pages {
		pages[p].dropLines(drop)
	}
}

// dropLines moves lines of a page to its furniture.
func (p *pageLines) dropLines(drop map[*pdfLine]bool) {
	for c := range p.columns {
		var kept []pdfLine
		for i := range p.columns[c].lines {
			if line := &p.columns[c].lines[i]; drop[line] {
				p.furniture = append(p.furniture, line.text)
			} else {
				kept = append(kept, *line)
			}
		}
		p.columns[c].lines = kept
	}
	p.columns = slices.DeleteFunc(p.columns, func(c pdfColumn) bool { return len(c.lines) == 0 })
}

// edgesOf returns the first and last lines of a page in its top and bottom zones, or only the first and the last one.
func edgesOf(page int, columns []pdfColumn, height float64, outer bool) (out []edge) {
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
	zone, most := furnitureZone*max(height, whole.height()), furnitureLines
	if outer {
		most = 1
	}
	for i, p := range all {
		top := i < most && p.box.y1 > whole.y1-zone
		bottom := i >= len(all)-most && p.box.y0 < whole.y0+zone
		lines := columns[p.column].lines[p.line:]
		if (top || bottom) && !tableAt(lines, math.Inf(1)).plausible() { // the head of a table repeats, too
			out = append(out, edge{&lines[0], page, keysOf(strings.TrimSpace(lines[0].text), page)})
		}
	}
	return out
}

// keysOf returns the key of a line that has only a page number, or else a line's text, and the text without digits for each of
// its numbers with the difference of that number and the page's index. Rows of a table have equal texts with other numbers,
// which do not count the pages.
func keysOf(text string, page int) []string {
	text = strings.ToLower(text)
	if m := justPage.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil { // a Roman number
			return []string{"#"}
		}
		return []string{"#" + strconv.Itoa(n-page)}
	}
	keys := []string{text}
	for _, number := range digits.FindAllString(text, maxLineNumbers) {
		if n, err := strconv.Atoi(number); err == nil {
			keys = append(keys, digits.ReplaceAllString(text, "#")+"\n"+strconv.Itoa(n-page))
		}
	}
	return keys
}

const (
	minNumbered   = 5 // lines that count on
	firstYear     = 1000
	numberedShare = 0.7 // of the lines of a column: heads of pages have no number
)

// dropLineNumbers moves the numbers of lines, which count on at the left of the text, to the furniture.
func (p *pageLines) dropLineNumbers() {
	for c := range p.columns {
		numbered := numberedLines(p.columns[c].lines)
		var numbers []string
		for _, line := range numbered {
			number := line.pieces[0].text
			numbers = append(numbers, number)
			line.text, line.pieces = strings.TrimLeft(strings.TrimPrefix(line.text, number), " "), line.pieces[1:]
			if line.pieces[0].gap > 1.5*line.size {
				line.cells = max(1, line.cells-1)
			}
			line.pieces[0].space, line.pieces[0].gap = false, 0
			line.box.x0 = line.pieces[0].box.x0
		}
		if len(numbers) > 0 {
			p.furniture = append(p.furniture, strings.Join(numbers, " "))
			p.columns[c].box.x0 = slices.MinFunc(numbered, func(a, b *pdfLine) int { return cmp.Compare(a.box.x0, b.box.x0) }).box.x0
		}
	}
}

// numberedLines returns the lines with a number, if most have one, each number follows the one above it, and all stand left of the text.
func numberedLines(lines []pdfLine) (all []*pdfLine) {
	last, edge, right := 0, math.Inf(1), math.Inf(-1)
	for i := range lines {
		line := &lines[i]
		n, err := strconv.Atoi(line.pieces[0].text)
		if err != nil || len(line.pieces) < 2 {
			continue
		}
		if last > 0 && n != last+1 || n >= firstYear || line.cells > 2 { // years and ranks of a table
			return nil
		}
		all, last = append(all, line), n
		edge, right = min(edge, line.pieces[1].box.x0-0.5*line.size), max(right, line.pieces[0].box.x1)
	}
	if len(all) < minNumbered || float64(len(all)) < numberedShare*float64(len(lines)) || right > edge {
		return nil
	}
	return all
}
