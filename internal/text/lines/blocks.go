package lines

import "strings"

// Block is what a line belongs to: lines First to Last, from 1.
type Block struct {
	First, Last int
	Kind        Kind
	level       int // of a heading
	parent      int // block above it in the outline: the nearest heading; -1 for none
	lead        int // introduction of its list, or header of its table; -1 for none
}

// plainLevel is the level of a heading without a mark: below all Markdown headings, so that it closes none of them.
const plainLevel = 7

// reader makes blocks of lines.
type reader struct {
	lines     []string
	blocks    []Block
	marked    bool   // it has subheadings in Markdown: no line is one by its look, unless it is bold
	furniture Ranges // not read yet, in order
}

func (r *reader) read() {
	first, at := 0, 0
	if len(r.furniture) == 0 { // only pages have any, and they have no front matter
		first, at = front(r.lines)
	}
	r.add(Front, first, at)
	for at < len(r.lines) {
		line := r.lines[at]
		if len(r.furniture) > 0 && at+1 >= r.furniture[0].First {
			for end := min(r.furniture[0].Last, len(r.lines)); at < end; at++ {
				if strings.TrimSpace(r.lines[at]) != "" {
					r.add(Furniture, at, at+1)
				}
			}
			r.furniture = r.furniture[1:]
			continue
		}
		switch mark := fence(line); {
		case mark == "```" || mark != "" && (at == 0 || kindOf(r.lines[at-1]) == blank): // tildes also underline headings
			at = r.code(at, mark)
		case strings.HasPrefix(strings.TrimSpace(line), "<!--"):
			at = r.comment(at)
		default:
			at = r.block(at)
		}
	}
	r.outline()
}

// add adds the lines from first up to, not including, end, counted from 0, and returns end.
func (r *reader) add(kind Kind, first, end int) int {
	if end > first {
		r.blocks = append(r.blocks, Block{First: first + 1, Last: end, Kind: kind, parent: -1, lead: -1})
	}
	return end
}

// code reads a fence and the code in it; lines without a blank line between them are a block.
func (r *reader) code(at int, mark string) int {
	first := at + 1
	for i := first; i < len(r.lines); i++ {
		switch {
		case fence(r.lines[i]) == mark:
			r.add(Code, first, i)
			return i + 1
		case strings.TrimSpace(r.lines[i]) == "":
			r.add(Code, first, i)
			first = i + 1
		}
	}
	return r.add(Code, first, len(r.lines))
}

func (r *reader) comment(at int) int {
	for i := at; i < len(r.lines); i++ {
		if strings.Contains(r.lines[i], "-->") {
			return r.add(Comment, at, i+1)
		}
	}
	return r.block(at) // it is not closed: text
}

// block reads one block outside code and comments.
func (r *reader) block(at int) int {
	kind := kindOf(r.lines[at])
	switch kind {
	case blank, rule:
		return at + 1
	case Heading, Row:
		return r.add(kind, at, at+1)
	}
	if kind == Paragraph && r.alone(at) && plainHeading(r.lines[at]) && (!r.marked || strings.HasPrefix(r.lines[at], "**")) {
		r.add(Heading, at, at+1)
		r.blocks[len(r.blocks)-1].level = plainLevel
		return at + 1
	}
	end := at + 1
	for end < len(r.lines) && len(r.lines[end-1]) <= maxWrapChars && len(r.lines[end]) <= maxWrapChars &&
		kindOf(r.lines[end]) == Paragraph && fence(r.lines[end]) == "" {
		end++
	}
	return r.add(kind, at, end)
}

// alone reports whether a line stands between blank lines, or before a rule that underlines it, with text after it.
func (r *reader) alone(at int) bool {
	before := at == 0 || kindOf(r.lines[at-1]) >= blank || len(r.blocks) > 0 && r.blocks[len(r.blocks)-1].Last == at &&
		r.blocks[len(r.blocks)-1].Kind == Front
	if !before || at+1 >= len(r.lines) {
		return false
	}
	if next := kindOf(r.lines[at+1]); next != blank && next != rule {
		return false
	}
	for _, line := range r.lines[at+1:] { // blank lines and rules, up to the text that it heads
		if kind := kindOf(line); kind != blank && kind != rule {
			return true
		}
	}
	return false
}

// outline sets the heading above each block, the introduction of each list item and the header of each row.
func (r *reader) outline() {
	var path []int // open headings, by position
	lead := -1     // of the list or table that is being read
	for i := range r.blocks {
		b := &r.blocks[i]
		if b.Kind == Heading {
			if b.level == 0 {
				b.level = headingLevel(strings.TrimSpace(r.lines[b.First-1]))
			}
			for len(path) > 0 && r.blocks[path[len(path)-1]].level >= b.level {
				path = path[:len(path)-1]
			}
		}
		if len(path) > 0 {
			b.parent = path[len(path)-1]
		}
		if b.Kind == Heading {
			path = append(path, i)
		}
		switch continues := i > 0 && r.blocks[i-1].Kind == b.Kind; {
		case b.Kind == Item && !continues:
			if lead = -1; i > 0 && r.introduces(r.blocks[i-1]) {
				lead = i - 1
			}
		case b.Kind == Row && (!continues || r.apart(r.blocks[i-1], *b)):
			lead = i
		}
		if (b.Kind == Item || b.Kind == Row) && lead != i {
			b.lead = lead
		}
	}
}

// introduces reports whether a block introduces the list after it: it ends with a colon.
func (r *reader) introduces(b Block) bool {
	last := strings.TrimRight(r.lines[b.Last-1], " \t\r*_")
	return b.Kind == Paragraph && (strings.HasSuffix(last, ":") || strings.HasSuffix(last, "："))
}

// apart reports whether a blank line parts two rows, which belong to two tables then.
func (r *reader) apart(a, b Block) bool {
	for _, line := range r.lines[a.Last : b.First-1] {
		if kindOf(line) == blank {
			return true
		}
	}
	return false
}
