package report

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// mdEscape makes one line of foreign text plain text in Markdown (CommonMark, with GitHub's tables,
// strikethrough and mathematics).
func mdEscape(s string) string {
	s = sanitize.Line(s)
	var b strings.Builder
	for i, r := range s {
		switch {
		case strings.ContainsRune("\\`*_{}[]<>|~&$", r), r == '!' && strings.HasPrefix(s[i+1:], "["):
			b.WriteByte('\\')
		case i == 0 && strings.ContainsRune("#+-=:", r): // would begin a block
			b.WriteByte('\\')
		case (r == '.' || r == ')') && i > 0 && i < 10 && strings.Trim(s[:i], "0123456789") == "": // would begin a list
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n")

// mdLines makes foreign text of several lines plain text, each line behind prefix. White space at the ends
// of lines is dropped and blank lines become one; the rest is kept.
func mdLines(s, prefix string) string {
	var b strings.Builder
	blank := true
	for line := range strings.Lines(lineEnds.Replace(s)) {
		line = mdEscape(line)
		if line != "" {
			b.WriteString(prefix + line + "\n")
		} else if !blank {
			b.WriteString(strings.TrimRight(prefix, " ") + "\n")
		}
		blank = line == ""
	}
	return b.String()
}

// mdAddress writes an address as a link that shows itself, or as text where it is no link.
func mdAddress(raw string) string {
	if link := sourceLink(raw); link != "" && !strings.ContainsFunc(link, func(r rune) bool { return r == '<' || r == '>' || unicode.IsSpace(r) }) {
		return "<" + link + ">"
	}
	return mdEscape(raw)
}

// mdLink writes a link with words of our own; address went through sanitize.Link, which leaves nothing in it that
// could end the link early. "&" would begin a character reference.
func mdLink(words, address string) string {
	return "[" + words + "](<" + strings.ReplaceAll(address, "&", "&amp;") + ">)"
}

// undirected replaces the characters that turn the direction of text, which plain text cannot shut in.
func undirected(s string) string {
	return strings.Map(func(r rune) rune {
		if sanitize.ChangesDirection(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
