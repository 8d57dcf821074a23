package pdf

import (
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/markdown"
)

// writeLine writes the words of a line, with Markdown for links, inline code, cells and note marks.
func (f *pdfFlow) writeLine(line pdfLine) {
	t := &f.out
	if line.kind == codeLine {
		t.Both(line.text)
		return
	}
	column := 0
	if line.kind >= rowLine {
		t.Row = true
		column = line.pieces[0].column
		t.MarkdownOnly("| " + strings.Repeat("| ", column))
	}
	link, code := "", false
	for i, p := range line.pieces {
		mono := isInlineCode(line, i)
		cell := line.kind >= rowLine && p.column != column
		if link != "" && (p.link != link || cell) {
			t.MarkdownOnly("](" + markdown.Address(link) + ")")
			link = ""
		}
		if code && (!mono || cell) {
			t.MarkdownOnly("`")
			code = false
		}
		switch {
		case cell:
			t.TextOnly(" ")
			t.MarkdownOnly(" | " + strings.Repeat("| ", max(0, p.column-column-1)))
			column = p.column
		case p.space:
			t.Both(" ")
		}
		if label := f.notes.label(f.page, p); label != "" {
			t.TextOnly(p.text)
			t.MarkdownOnly("[^" + label + "]")
			continue
		}
		if p.link != "" && link == "" && line.kind != headingLine {
			t.MarkdownOnly("[")
			link = p.link
		}
		if mono && !code {
			t.MarkdownOnly("`")
			code = true
		}
		if code {
			// The font of a word is that of its first letter, so punctuation after code belongs to the sentence.
			rest := strings.TrimRight(p.text, ".,;:")
			if i+1 < len(line.pieces) && isInlineCode(line, i+1) || rest == "" {
				rest = p.text
			}
			t.Both(rest)
			if t.Begun = true; rest != p.text {
				t.MarkdownOnly("`")
				t.Both(p.text[len(rest):])
				code = false
			}
		} else {
			t.Word(p.text)
		}
	}
	if link != "" {
		t.MarkdownOnly("](" + markdown.Address(link) + ")")
	}
	if code {
		t.MarkdownOnly("`")
	}
	if line.kind >= rowLine {
		t.MarkdownOnly(strings.Repeat(" |", line.cells-column))
	}
	if line.kind == firstRow {
		t.MarkdownOnly("\n|" + strings.Repeat(" --- |", max(line.cells, 1)))
	}
}

// isInlineCode reports whether a word is code in a line of prose.
func isInlineCode(line pdfLine, i int) bool {
	p := &line.pieces[i]
	return p.font != nil && p.font.mono && line.kind == proseLine && p.link == "" && !strings.Contains(p.text, "`")
}
