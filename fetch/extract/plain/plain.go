package plain

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Text takes a plain text as it is. Its first line is its title when it stands alone and is short.
func Text(text string) document.Document {
	text = Tidy(text)
	d := document.Document{Text: text}
	first, rest, more := strings.Cut(text, "\n")
	if first = strings.TrimSpace(first); more && first != "" && utf8.RuneCountInString(first) <= document.MaxTitleChars && (strings.HasPrefix(rest, "\n") || isUnderline(document.FirstLine(rest))) {
		d.Title = first
	}
	return d
}

// Tidy ends lines in \n, drops what is not seen, the white space behind lines, and blank lines at the
// start and the end.
func Tidy(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	text = document.Clean(text)
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight(line, " \t"))
		b.WriteByte('\n')
	}
	return strings.Trim(b.String(), "\n")
}

// isUnderline reports a line of = or - as is written under titles.
func isUnderline(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}
