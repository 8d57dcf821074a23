package textcheck

import "sort"

// places are the offsets of the lines of a text, in code points. They convert an offset to a line and a column.
type places []int

func placesOf(text []rune) places {
	p := places{0}
	for i, r := range text {
		if r == '\n' {
			p = append(p, i+1)
		}
	}
	return p
}

// at returns line and column of a code point, from 1.
func (p places) at(point int) (line, column int) {
	line = sort.Search(len(p), func(i int) bool { return p[i] > point })
	return line, point - p[line-1] + 1
}

// Place is a range in a file. Lines and columns count from 1, columns in code points. The end is exclusive.
type Place struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

func (p places) place(file string, start, end int) Place {
	out := Place{File: file}
	out.Line, out.Column = p.at(start)
	out.EndLine, out.EndColumn = p.at(end)
	return out
}

// line returns the place of a whole line of a text with chars code points.
func (p places) line(file string, line, chars int) Place {
	line = max(1, min(line, len(p)))
	start, end := p[line-1], chars
	if line < len(p) {
		end = p[line] - 1
	}
	return p.place(file, start, end)
}
