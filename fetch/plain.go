package fetch

import (
	"strings"
)

// extractPlain takes a plain text as it is. Its first line is its title when it stands alone and is short.
func extractPlain(text string) Document {
	text = tidyLines(text)
	d := Document{Text: text}
	first, rest, more := strings.Cut(text, "\n")
	if first = strings.TrimSpace(first); more && first != "" && codePoints(first) <= maxTitleChars && (strings.HasPrefix(rest, "\n") || isUnderline(firstLine(rest))) {
		d.Title = first
	}
	return d
}

// maxTitleChars bounds a line that may be a title. Chosen: titles of papers reach 250, first paragraphs
// begin at some 150, and losing a title costs less than making one up.
const maxTitleChars = 120

// tidyLines ends lines in \n, drops what is not seen, the white space behind lines, and blank lines at the
// start and the end.
func tidyLines(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	text = cleanText(text)
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
