package extract

import (
	"cmp"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// plainText returns a plain text line by line as in its file. Its title is that of its head, or else, unless the name is that
// of data or source code, a short first line before a blank line.
func plainText(text string, base *url.URL) document.Document {
	text = document.TidyLines(text)
	d := document.Document{Text: text}
	head, rest := lines.Head(text)
	readHead(head, rest, &d)
	if isRestructured(rest, base) {
		before := strings.TrimSuffix(text, rest)
		s := statementsOf(docInfo(rest))
		rest, d.References = restructured(rest, base)
		d.Text = before + rest
		d.Title = cmp.Or(d.Title, firstHeading(rest))
		title := d.Title
		s.set(&d)
		d.Title = cmp.Or(title, d.Title)
	}
	if base == nil || base.Scheme != "file" || hasProse(base.Path) {
		d.Title = cmp.Or(d.Title, firstLineTitle(rest))
		belowTitle(rest, &d)
	}
	return d
}

// hasProse reports whether a file of this name begins with a title: it is no data and no source code.
func hasProse(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case "", ".txt", ".text", ".rst", ".adoc", ".asciidoc", ".asc", ".tex", ".latex":
		return true
	}
	return TypeByName(name) != ""
}

var texTitle = lazyregexp.New(`\\title(?:\[[^\]]*\])?\{([^{}]+)\}`)

func firstLineTitle(text string) string {
	if m := texTitle.FindStringSubmatch(text[:min(len(text), 4_096)]); m != nil {
		return document.Title(m[1])
	}
	first, rest, more := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	first = strings.TrimSpace(first)
	if asciiDoc, ok := strings.CutPrefix(first, "= "); ok && more {
		return document.Title(asciiDoc)
	}
	if more && first != "" && utf8.RuneCountInString(first) <= document.MaxTitleChars && (strings.HasPrefix(rest, "\n") || isUnderline(document.FirstLine(rest))) {
		return first
	}
	return ""
}

// docInfo returns the list of fields below the title of a text in reStructuredText.
func docInfo(text string) string {
	for paragraph := range strings.SplitSeq(text[:min(len(text), 4_096)], "\n\n") {
		paragraph = strings.Trim(paragraph, "\n")
		if rstField.MatchString(document.FirstLine(paragraph)) {
			return paragraph
		}
	}
	return ""
}

// isOverline reports whether a line consists of one mark of those that reStructuredText sets above titles.
func isOverline(line string) bool {
	return len(line) >= 3 && strings.ContainsAny(line[:1], `=-~*^#"+`) && strings.Trim(line, line[:1]) == ""
}

// isUnderline reports whether a line consists of = or -, as under titles.
func isUnderline(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

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
