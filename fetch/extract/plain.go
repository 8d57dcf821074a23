package extract

import (
	"cmp"
	"html"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// plainText reads Markdown, plain text and reStructuredText. Its one block is the text line by line, which is what readers see and
// cite: line 120 of the text is line 120 of the file. Its head stays in it and becomes metadata as well. Unless the name is that
// of data or source code, its first heading, or a short first line before a blank line, is the title if there is no other.
func plainText(kind, source string, base *url.URL) document.Document {
	text := document.TidyLines(asShown(source))
	var d document.Document
	head, rest := lines.Head(text)
	readHead(head, rest, &d)
	switch {
	case kind == document.TypeMarkdown:
		d.Title = cmp.Or(d.Title, document.Title(unmarked(firstHeading(rest))))
	case isRestructured(rest, base):
		before, fields := strings.TrimSuffix(text, rest), Statements(docInfo(rest))
		rest = restructured(rest)
		text = before + rest
		d.Title = cmp.Or(d.Title, firstHeading(rest))
		setHead(fields, &d)
	}
	if kind != document.TypeMarkdown && (base == nil || base.Scheme != "file" || hasProse(base.Path)) {
		d.Title = cmp.Or(d.Title, firstLineTitle(rest))
	}
	d.Blocks = []document.Block{{Kind: document.Verbatim, Text: text}}
	d.Invisible = sanitize.CountInvisible(source)
	return d
}

// titleMarks are the marks of Markdown and HTML in a title, and what is shown of them.
var titleMarks = []struct {
	mark  *lazyregexp.Regexp
	shown string
}{
	{lazyregexp.New(`!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])`), ""}, // a picture
	{lazyregexp.New(`\[\[(?:[^\]|]*\|)?([^\]]*)\]\]`), "$1"},
	{lazyregexp.New(`\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`), "$1"},
	{lazyregexp.New("`+([^`]*)`+"), "$1"},
	{lazyregexp.New(`\*\*?([^*\s](?:[^*]*[^*\s\\])?)\*\*?`), "$1"},
	{lazyregexp.New(`(^|\s)__?([^_\s](?:[^_]*[^_\s\\])?)__?($|\s)`), "$1$2$3"},
	{lazyregexp.New(`\s*\{[#.][^}]*\}\s*$`), ""},
	{lazyregexp.New(`</?[a-zA-Z][^<>]*>`), " "},
	{lazyregexp.New(`\\([!-/:-@\[-` + "`" + `{-~])`), "$1"},
}

// unmarked is a title as its reader sees it.
func unmarked(title string) string {
	for _, m := range titleMarks {
		title = m.mark.ReplaceAllString(title, m.shown)
	}
	return html.UnescapeString(title)
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
	alone := strings.HasPrefix(rest, "\n") || isUnderline(document.FirstLine(rest))
	if more && first != "" && utf8.RuneCountInString(first) <= document.MaxTitleChars && alone {
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

// isUnderline reports whether a line consists of = or -, as under titles.
func isUnderline(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

var htmlHeading = lazyregexp.New(`(?is)<h1\b[^>]*>(.*?)</h1>`)

// firstHeading returns the first heading of Markdown outside of code, in either syntax, or in HTML.
func firstHeading(text string) string {
	fence, before := "", ""
	if at := htmlHeading.FindStringSubmatchIndex(text[:min(len(text), 8_192)]); at != nil {
		if first := firstHeading(text[:at[0]]); first != "" {
			return first
		}
		if inner := document.Title(unmarked(text[at[2]:at[3]])); inner != "" && strings.Count(text[:at[0]], "```")%2 == 0 {
			return inner
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		hashes := len(trimmed) - len(strings.TrimLeft(trimmed, "#"))
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case before != "" && isUnderline(line):
			return document.Title(before)
		case hashes > 0 && hashes <= 6 && strings.HasPrefix(trimmed[hashes:], " "):
			return document.Title(strings.TrimRight(strings.Trim(trimmed[hashes:], " "), "# "))
		}
		if before = trimmed; strings.HasPrefix(line, "    ") {
			before = ""
		}
	}
	return ""
}
