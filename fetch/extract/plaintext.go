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
	if base != nil && strings.EqualFold(path.Ext(base.Path), ".rst") {
		rest = withoutMarks(rest)
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

// withoutMarks returns a text in reStructuredText from the first line on that is no mark: targets, comments and directives begin
// with two dots and go on as long as lines are indented. The line above a title goes too, and one mark below it is as good as another.
func withoutMarks(text string) string {
	text = strings.TrimLeft(text, "\n")
	for strings.HasPrefix(text, ".. ") || strings.HasPrefix(text, "..\n") {
		_, text, _ = strings.Cut(text, "\n")
		for text != "" && strings.ContainsAny(text[:1], " \t\n") {
			_, text, _ = strings.Cut(text, "\n")
		}
	}
	title, rest, _ := strings.Cut(text, "\n")
	if isOverline(strings.TrimSpace(title)) {
		title, rest, _ = strings.Cut(rest, "\n")
	}
	if below, rest, _ := strings.Cut(rest, "\n"); isOverline(strings.TrimSpace(below)) {
		return title + "\n===\n" + rest
	}
	return text
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
