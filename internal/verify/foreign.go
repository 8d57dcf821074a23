package verify

import (
	"fmt"
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Drafts, titles, addresses and passages were written by others. They reach terminals, annotations and pages
// through this file and package foreign.

// shorten is one line, cut to some code points.
func shorten(s string, chars int) string {
	s = sanitize.Line(s)
	if utf8.RuneCountInString(s) <= chars {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:chars])) + "…"
}

// foreignHTML writes text of others as HTML text; nothing of it is lost but control characters, which HTML cannot
// carry. Characters that would turn the direction of what follows are shut into an element where they turn nothing.
func foreignHTML(s string) template.HTML {
	var b strings.Builder
	plain := 0
	flush := func(to int) { b.WriteString(template.HTMLEscapeString(s[plain:to])) }
	for i, r := range s {
		switch {
		case sanitize.ChangesDirection(r):
			flush(i)
			fmt.Fprintf(&b, `<bdi class="turn" title="U+%04X: changes the direction of text">%c</bdi>`, r, r)
			plain = i + utf8.RuneLen(r)
		case unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r':
			flush(i)
			b.WriteRune(utf8.RuneError)
			plain = i + utf8.RuneLen(r)
		}
	}
	flush(len(s))
	return template.HTML(b.String()) //nolint:gosec // escaped above
}
