package extract

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// plainText returns a plain text line by line as in its file. A short first line before a blank line is its title.
func plainText(text string) document.Document {
	text = document.TidyLines(text)
	d := document.Document{Text: text}
	first, rest, more := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	if first = strings.TrimSpace(first); more && first != "" && utf8.RuneCountInString(first) <= document.MaxTitleChars && (strings.HasPrefix(rest, "\n") || isUnderline(document.FirstLine(rest))) {
		d.Title = first
	}
	return d
}

// isUnderline reports whether a line consists of = or -, as under titles.
func isUnderline(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}
