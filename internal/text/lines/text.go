package lines

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Text is a text with numbered lines. It is safe for concurrent use.
type Text struct {
	lines  []string
	starts []int // of each line, in code points; and the end of the text
	blocks []Block
}

// New numbers the lines of a text.
func New(text string) *Text { return NewPage(text, nil) }

// NewPage numbers the lines of a text of which some are furniture: neither headings nor parts of a paragraph.
func NewPage(text string, furniture Ranges) *Text {
	t := &Text{lines: strings.Split(text, "\n")}
	t.starts = make([]int, len(t.lines)+1)
	for i, line := range t.lines {
		t.starts[i+1] = t.starts[i] + utf8.RuneCountInString(line) + 1
	}
	t.starts[len(t.lines)]-- // the last line has no break
	r := reader{lines: t.lines, marked: strings.Contains(text, "\n\n## "), furniture: furniture}
	r.read()
	t.blocks = r.blocks
	return t
}

// Len returns the number of lines. A line break at the end does not open another line.
func (t *Text) Len() int {
	if n := len(t.lines); t.lines[n-1] == "" {
		return n - 1
	}
	return len(t.lines)
}

// Has reports whether all lines of the ranges exist.
func (t *Text) Has(r Ranges) bool { return len(r) == 0 || r[len(r)-1].Last <= t.Len() }

// At returns the line of a code point offset.
func (t *Text) At(offset int) int {
	return max(1, sort.SearchInts(t.starts[:len(t.lines)], offset+1))
}

// Lines returns the lines of a stretch [start, end) in code points.
func (t *Text) Lines(start, end int) Range { return Range{t.At(start), t.At(max(start, end-1))} }

// Span returns the lines of a range as [start, end) in code points, without the last line break, and their text. Lines
// beyond the text are left out.
func (t *Text) Span(r Range) (start, end int, text string) {
	first, last := min(max(r.First, 1), len(t.lines)), min(max(r.Last, 1), len(t.lines))
	end = t.starts[last] - 1
	if last == len(t.lines) {
		end = t.starts[last]
	}
	return t.starts[first-1], end, strings.Join(t.lines[first-1:last], "\n")
}

// Blocks returns the blocks that the lines of the ranges are in, in order, or all blocks for no ranges.
func (t *Text) Blocks(r Ranges) []Block {
	if len(r) == 0 {
		return t.blocks
	}
	var out []Block
	for _, x := range r {
		at, _ := slices.BinarySearchFunc(t.blocks, x.First, func(b Block, line int) int { return b.Last - line })
		for ; at < len(t.blocks) && t.blocks[at].First <= x.Last; at++ {
			if len(out) == 0 || out[len(out)-1].First < t.blocks[at].First {
				out = append(out, t.blocks[at])
			}
		}
	}
	return out
}

// maxContextChars bounds each part of a context, in code points (chosen): the introduction of a list can be a page.
const maxContextChars = 300

// Context returns what a block needs to be understood and stands above it: the path of headings, joined by " > ", and the
// introduction of its list or the header of its table.
func (t *Text) Context(b Block) (headings, lead string) {
	var path []string
	for at := b.parent; at >= 0; at = t.blocks[at].parent {
		path = append(path, clip(strings.TrimSpace(strings.TrimLeft(t.textOf(t.blocks[at]), "# "))))
	}
	slices.Reverse(path)
	if b.lead >= 0 {
		lead = clip(t.textOf(t.blocks[b.lead]))
	}
	return strings.Join(path, " > "), lead
}

func (t *Text) textOf(b Block) string {
	return strings.TrimSpace(strings.Join(t.lines[b.First-1:b.Last], "\n"))
}

func clip(s string) string {
	if first := words.First(s, maxContextChars); first != s {
		return first + "…"
	}
	return s
}

// OutlineEntry is a heading at a line.
type OutlineEntry struct {
	Line, Level int
	Heading     string
}

// Outline lists the headings of the text in order. Level is 1 to 6, and 7 for a heading without a mark.
func (t *Text) Outline() []OutlineEntry {
	var out []OutlineEntry
	for _, b := range t.blocks {
		if b.Kind == Heading {
			out = append(out, OutlineEntry{b.First, b.level, strings.TrimSpace(strings.TrimLeft(t.textOf(b), "# "))})
		}
	}
	return out
}
