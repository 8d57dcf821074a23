package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	headingScale  = 1.12 // of the body's size; the same nominal size differs less between fonts
	maxSameSize   = 0.06 // largest difference between equal sizes
	maxHeading    = 160  // code points of a heading with all its lines
	maxHeadLines  = 4
	maxHeadLevels = 6
)

// structure recognises headings and tables by their layout. Few files have structure tags, and they are often wrong.
func structure(pages []pageLines, usual usual) {
	var sizes []float64 // of headings
	for _, p := range pages {
		for _, c := range p.columns {
			markTables(c.lines, usual)
			sizes = append(sizes, markHeadings(c.lines, usual.size)...)
		}
	}
	slices.Sort(sizes)
	var levels []float64 // nearly equal sizes are one
	for _, s := range slices.Backward(sizes) {
		if len(levels) == 0 || s < levels[len(levels)-1]*(1-maxSameSize) {
			levels = append(levels, s)
		}
	}
	for line := range linesOf(pages) {
		if line.kind == headingLine {
			at := slices.IndexFunc(levels, func(s float64) bool { return line.size >= s*(1-maxSameSize) })
			line.level = min(at+1, maxHeadLevels)
		}
	}
}

// markHeadings marks consecutive lines that are larger than the text, and returns the sizes of the headings.
func markHeadings(lines []line, body float64) (sizes []float64) {
	for i, end := 0, 0; i < len(lines); i = end {
		if end = i + 1; !mayHead(lines[i], body) {
			continue
		}
		size, text := lines[i].size, lines[i].text
		for end < len(lines) && end-i < maxHeadLines && mayHead(lines[end], body) && math.Abs(lines[end].size-size) < maxSameSize*size &&
			!headingNumber.MatchString(lines[end].text) && lead(lines, end) < 1.9*size {
			text += " " + lines[end].text
			end++
		}
		ended := strings.HasSuffix(text, ".") && !headingNumber.MatchString(text)
		alone := end == len(lines) || lead(lines, end) > 1.05*lines[end].size || lines[end].size < 0.95*size
		if utf8.RuneCountInString(text) > maxHeading || letters(text) < 3 || ended || !alone {
			continue
		}
		for j := range lines[i:end] {
			lines[i+j].kind = headingRest
		}
		lines[i].kind = headingLine
		sizes = append(sizes, size)
	}
	return sizes
}

var headingNumber = lazyregexp.New(`^(?:\d{1,2}(?:\.\d{1,3})*\.?|[A-Z](?:\.\d{1,3})*\.?|[IVX]{1,5}\.|§\s?\d+)\s+\p{L}`)

// mayHead reports whether a line may belong to a heading.
func mayHead(line line, body float64) bool {
	item := listMark.MatchString(line.text) && !headingNumber.MatchString(line.text)
	return line.kind == proseLine && !leaders.MatchString(line.text) && !item && letters(line.text) >= 2 && line.size >= headingScale*body
}

// lead returns the distance of the base lines of line i and of the one above it.
func lead(lines []line, i int) float64 { return lines[i-1].box.y0 - lines[i].box.y0 }
