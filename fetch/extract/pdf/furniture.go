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
	furnitureZone     = 0.12 // of the height of the page's text, from either end
	minFurniturePages = 3    // a line on only two pages of many may be text
	maxLineNumbers    = 8    // of a line
	furnitureShare    = 0.3  // of the pages: headers of even and odd pages differ, and first pages have none
)

var (
	digits    = lazyregexp.New(`\d+`)
	romanPage = lazyregexp.New(`^[-–—|\[( ]*[ivxlc]{1,8}[-–—|\]) ]*$`)
)

// moveFurniture moves repeated headers, footers and page numbers out of the columns. Only pages nearby are compared: a header may name
// its chapter and be on few pages of a book.
func moveFurniture(pages []pageLines) {
	keys := map[*line][]string{} // of the lines at the edges of pages
	pagesOf := map[string][]int{}
	for i, p := range pages {
		for _, line := range p.edges(min(furnitureLines, 2*len(pages)-3)) { // two pages have more in common
			keys[line] = keysOf(line.text, i)
			for _, key := range keys[line] {
				if have := pagesOf[key]; len(have) == 0 || have[len(have)-1] != i {
					pagesOf[key] = append(have, i)
				}
			}
		}
	}
	repeated := func(key string) bool {
		have := pagesOf[key]
		span := have[len(have)-1] - have[0] + 1
		least := max(2, min(minFurniturePages, len(pages)-min(have[0], 1))) // a first page has none
		return len(have) >= least && float64(len(have)) >= furnitureShare*float64(span)
	}
	for i := range pages {
		for j := range pages[i].columns {
			c := &pages[i].columns[j]
			var kept []line
			for k := range c.lines {
				if line := &c.lines[k]; slices.ContainsFunc(keys[line], repeated) {
					pages[i].furniture = append(pages[i].furniture, line.text)
				} else {
					kept = append(kept, *line)
				}
			}
			c.lines = kept
		}
	}
}

// edges returns the first and last lines of a page in its top and bottom zones.
func (p pageLines) edges(most int) (edges []*line) {
	all := slices.Collect(linesOf([]pageLines{p}))
	whole := around(all)
	slices.SortStableFunc(all, func(a, b *line) int { return cmp.Compare(b.box.y1, a.box.y1) })
	zone := furnitureZone * whole.height()
	for i, line := range all {
		top := i < most && line.box.y1 > whole.y1-zone
		bottom := i >= len(all)-most && line.box.y0 < whole.y0+zone
		if top || bottom {
			edges = append(edges, line)
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
	minNumbered   = 5    // lines that count on
	firstYear     = 1000 // no line has such a number
	numberedShare = 0.7  // of the lines of a column: heads of pages have no number
)

// dropLineNumbers moves the numbers of lines, which count on at the left of the text of most lines, to the furniture.
func (p *pageLines) dropLineNumbers() {
	for _, c := range p.columns {
		var numbered []*line
		var numbers []string
		edge, right := math.Inf(1), math.Inf(-1)
		last, counts := 0, true
		for i := range c.lines {
			line := &c.lines[i]
			n, err := strconv.Atoi(line.words[0].text)
			if err != nil || len(line.words) < 2 {
				continue
			}
			table := line.parts > 2 || leaders.MatchString(line.text) // or contents
			counts = counts && !table && n < firstYear && (last == 0 || n == last+1)
			last, numbered, numbers = n, append(numbered, line), append(numbers, line.words[0].text)
			edge, right = min(edge, line.words[1].box.x0-0.5*line.size), max(right, line.words[0].box.x1)
		}
		if !counts || len(numbered) < minNumbered || float64(len(numbered)) < numberedShare*float64(len(c.lines)) || right > edge {
			continue
		}
		for _, line := range numbered {
			line.words = line.words[1:]
			line.words[0].gap, line.box.x0 = 0, line.words[0].box.x0
			line.finish()
		}
		p.furniture = append(p.furniture, strings.Join(numbers, " "))
	}
}
