package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// structure recognises headings and tables by their layout. Few files have structure tags, and they are often wrong.
func structure(pages []pageLines) {
	body := bodySize(pages)
	var sizes []float64 // of headings
	for _, p := range pages {
		for _, c := range p.columns {
			markTables(c.lines, body)
			markHeadings(c, body, &sizes)
		}
	}
	levels := headingSizes(sizes)
	for line := range linesOf(pages) {
		if line.kind == headingLine {
			line.level = levelOf(line.size, levels)
		}
	}
}

// bodySize returns the most frequent height of text.
func bodySize(pages []pageLines) float64 {
	chars := map[int]int{} // by quarters of a point
	for line := range linesOf(pages) {
		chars[int(math.Round(4*line.size))] += len(line.text)
	}
	best, size := 0, 0
	for s, n := range chars {
		if n > best || n == best && s < size {
			best, size = n, s
		}
	}
	return float64(size) / 4
}

const (
	maxHeading    = 160 // code points of a heading with all its lines
	maxHeadLines  = 4
	maxHeadLevels = 6
)

// markHeadings marks consecutive lines that are larger than the text.
func markHeadings(c pdfColumn, body float64, sizes *[]float64) {
	lines := c.lines
	for i := 0; i < len(lines); i++ {
		if !mayHead(lines[i], body) {
			continue
		}
		end := i + 1
		for end < len(lines) && end-i < maxHeadLines && mayHead(lines[end], body) &&
			math.Abs(lines[end].size-lines[i].size) < maxSameSize*lines[i].size &&
			!headingNumber.MatchString(lines[end].text) && lines[end-1].box.y0-lines[end].box.y0 < 1.9*lines[i].size {
			end++
		}
		text := ""
		for _, line := range lines[i:end] {
			text += line.text + " "
		}
		ended := strings.HasSuffix(text, ". ") && !headingNumber.MatchString(text)
		alone := end == len(lines) || lines[end-1].box.y0-lines[end].box.y0 > 1.05*lines[end].size || lines[end].size < 0.95*lines[i].size
		if utf8.RuneCountInString(text) <= maxHeading && letters(text) >= 3 && !ended && alone {
			for j := i; j < end; j++ {
				lines[j].kind = headingLine
			}
			*sizes = append(*sizes, lines[i].size)
		}
		i = end - 1
	}
}

// headingSizes returns the sizes of headings, the largest first. Nearly equal sizes are one.
func headingSizes(sizes []float64) []float64 {
	slices.SortFunc(sizes, func(a, b float64) int { return cmp.Compare(b, a) })
	var out []float64
	for _, s := range sizes {
		if len(out) == 0 || s < out[len(out)-1]*(1-maxSameSize) {
			out = append(out, s)
		}
	}
	return out
}

func levelOf(size float64, levels []float64) int {
	for i, s := range levels {
		if size >= s*(1-maxSameSize) {
			return min(i+1, maxHeadLevels)
		}
	}
	return min(max(len(levels), 1), maxHeadLevels)
}
