package report

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// mdEscape escapes one line of untrusted text for Markdown (CommonMark, with GitHub's tables, strikethrough and
// mathematics).
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

// mdLines escapes untrusted text of several lines and adds a prefix to each. It trims lines and joins blank lines.
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

// mdAddress writes an address as a link, or as text if it is not allowed.
func mdAddress(raw string) string {
	if link := sanitize.Link(raw); link != "" && !strings.ContainsFunc(link, func(r rune) bool { return r == '<' || r == '>' || unicode.IsSpace(r) }) {
		return "<" + link + ">"
	}
	return mdEscape(raw)
}

// mdLink writes a link with trusted words.
func mdLink(words, address string) string { return "[" + words + "](" + mdTarget(address) + ")" }

// mdTarget writes the address of a link: a result of sanitize.Link, which cannot end the link early. "&" would begin a
// character reference.
func mdTarget(address string) string { return "<" + strings.ReplaceAll(address, "&", "&amp;") + ">" }

// undirected replaces characters that change the text direction, which plain text cannot isolate.
func undirected(s string) string {
	return strings.Map(func(r rune) rune {
		if sanitize.ChangesDirection(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
