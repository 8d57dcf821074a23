package verify

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Drafts, titles, addresses and passages were written by others. They reach terminals, annotations and pages
// through this file; the rules are those of package report.

// turns reports whether r changes the direction of the text after it (embeddings, overrides, isolates).
func turns(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// oneLine is text for a place that has one line: white space becomes single spaces; control characters and those
// that turn the direction are dropped.
func oneLine(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case turns(r) || unicode.IsControl(r) || r == 0xFEFF:
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// shorten is oneLine, cut to some code points.
func shorten(s string, chars int) string {
	s = oneLine(s)
	if utf8.RuneCountInString(s) <= chars {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:chars])) + "…"
}

// webLink is an address that a page may link to: http or https, with a host; else "".
func webLink(raw string) string {
	raw = strings.TrimSpace(raw)
	if strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsControl(r) || turns(r) }) || !utf8.ValidString(raw) {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || strings.ContainsAny(u.Hostname(), "<>()\"'`{}|\\^%$&+,;=*! \t") {
		return ""
	}
	u.User = nil
	return u.String()
}

// foreignHTML writes text of others as HTML text; nothing of it is lost but control characters, which HTML cannot
// carry. Characters that would turn the direction of what follows are shut into an element where they turn nothing.
func foreignHTML(s string) template.HTML {
	var b strings.Builder
	plain := 0
	flush := func(to int) { b.WriteString(template.HTMLEscapeString(s[plain:to])) }
	for i, r := range s {
		switch {
		case turns(r):
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
