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
	digits    = lazyregexp.New(`\d+`)
	romanPage = lazyregexp.New(`^[-–—|\[( ]*[ivxlc]{1,8}[-–—|\]) ]*$`)
)

// moveFurniture moves repeated headers, footers and page numbers out of the columns.
func moveFurniture(pages []pageLines) {
	keys := map[*line][]string{} // of the lines at the edges of pages
	pagesOf := map[string][]int{}
	most := furnitureLines
	if len(pages) == 2 { // which have more in common
		most = 1
	}
	for p := range pages {
		for _, line := range edgesOf(pages[p], most) {
			keys[line] = keysOf(line.text, p)
			for _, key := range keys[line] {
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
	for p := range pages {
		pages[p].dropLines(func(line *line) bool { return slices.ContainsFunc(keys[line], repeated) })
	}
}

// dropLines moves lines of a page to its furniture.
func (p *pageLines) dropLines(drop func(*line) bool) {
	for c := range p.columns {
		var kept []line
		for i := range p.columns[c].lines {
			if line := &p.columns[c].lines[i]; drop(line) {
				p.furniture = append(p.furniture, line.text)
			} else {
				kept = append(kept, *line)
			}
		}
		p.columns[c].lines = kept
	}
	p.columns = slices.DeleteFunc(p.columns, func(c column) bool { return len(c.lines) == 0 })
}

// edgesOf returns the first and last lines of a page in its top and bottom zones.
func edgesOf(p pageLines, most int) (edges []*line) {
	var all [][]line // each line, with those below it in its column
	var whole box
	for _, c := range p.columns {
		for i, line := range c.lines {
			whole = whole.union(line.box)
			all = append(all, c.lines[i:])
		}
	}
	slices.SortStableFunc(all, func(a, b []line) int { return cmp.Compare(b[0].box.y1, a[0].box.y1) })
	zone := furnitureZone * max(p.height, whole.height())
	for i, lines := range all {
		top := i < most && lines[0].box.y1 > whole.y1-zone
		bottom := i >= len(all)-most && lines[0].box.y0 < whole.y0+zone
		if (top || bottom) && !tableAt(lines, math.Inf(1)).plausible() { // the head of a table repeats, too
			edges = append(edges, &lines[0])
		}
	}
	return edges
}

// keysOf returns the text of a line, unless it is a number, and the text without digits for each of its numbers with the difference of
// that number and the page's index. Rows of a table have equal texts with other numbers, which do not count the pages.
func keysOf(text string, page int) (keys []string) {
	text = strings.ToLower(strings.TrimSpace(text))
	if romanPage.MatchString(text) {
		return []string{"#"}
	}
	if strings.Trim(text, "0123456789-–—|[]() ") != "" {
		keys = append(keys, text)
	}
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
		if len(numbered) == 0 {
			continue
		}
		var numbers []string
		left := math.Inf(1)
		for _, line := range numbered {
			numbers = append(numbers, line.words[0].text)
			line.words = line.words[1:]
			if line.words[0].gap > 1.5*line.size {
				line.cells = max(1, line.cells-1)
			}
			line.words[0].gap = 0
			line.box.x0 = line.words[0].box.x0
			line.finish()
			left = min(left, line.box.x0)
		}
		p.furniture = append(p.furniture, strings.Join(numbers, " "))
		p.columns[c].box.x0 = left
	}
}

// numberedLines returns the lines with a number, if most have one, each number follows the one above it, and all stand left of the text.
func numberedLines(lines []line) (all []*line) {
	last, edge, right := 0, math.Inf(1), math.Inf(-1)
	for i := range lines {
		line := &lines[i]
		n, err := strconv.Atoi(line.words[0].text)
		if err != nil || len(line.words) < 2 {
			continue
		}
		if last > 0 && n != last+1 || n >= firstYear || line.cells > 2 { // years and ranks of a table
			return nil
		}
		all, last = append(all, line), n
		edge, right = min(edge, line.words[1].box.x0-0.5*line.size), max(right, line.words[0].box.x1)
	}
	if len(all) < minNumbered || float64(len(all)) < numberedShare*float64(len(lines)) || right > edge {
		return nil
	}
	return all
}
