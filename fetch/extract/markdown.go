package extract

import (
	"cmp"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// markdownText uses the Markdown source as text, line by line, which is what readers see and cite. Its head stays in it and
// becomes metadata as well; the first heading is the title if there is no other.
func markdownText(text string) document.Document {
	text = document.TidyLines(text)
	d := document.Document{Text: text}
	head, rest := lines.Head(text)
	readHead(head, rest, &d)
	d.Title = cmp.Or(d.Title, firstHeading(rest))
	belowTitle(rest, &d)
	return d
}

// belowTitle sets the authors and the date that a text prints below its title and its head does not state.
func belowTitle(rest string, d *document.Document) {
	p := document.TitlePage{Title: d.Title, Text: rest}
	for line := range strings.SplitSeq(rest, "\n") {
		if line = strings.TrimSpace(line); line != "" && !isOverline(line) {
			p.Lines = append(p.Lines, line)
		}
		if len(p.Lines) == 2*document.TitleLines {
			break
		}
	}
	authors, date := p.Block()
	if len(d.Authors) == 0 {
		d.Authors = authors
	}
	d.PublishedAt = cmp.Or(d.PublishedAt, date)
}

// firstHeading returns the first heading outside of code, in either syntax.
func firstHeading(text string) string {
	fence, before := "", ""
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		switch {
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case before != "" && isUnderline(line):
			return document.Title(before)
		case strings.HasPrefix(trimmed, "#"):
			if hashes := len(trimmed) - len(strings.TrimLeft(trimmed, "#")); hashes <= 6 && strings.HasPrefix(trimmed[hashes:], " ") {
				return document.Title(strings.TrimRight(strings.Trim(trimmed[hashes:], " "), "# "))
			}
		}
		before = ""
		if !strings.HasPrefix(line, "    ") {
			before = trimmed
		}
	}
	return ""
}
