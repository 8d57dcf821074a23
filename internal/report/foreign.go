package report

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Text of others reaches the formats through package foreign and this file, which has what only a report needs:
// links into a page, and the languages of texts.

// sourceLink is sanitize.Link, and for sources also a file of this machine. A file address with a host is none:
// some systems would log in there.
func sourceLink(raw string) string {
	if link := sanitize.Link(raw); link != "" {
		return link
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Scheme != "file" || u.Host != "" || u.Opaque != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") || strings.Contains(u.Path, `\`) {
		return ""
	}
	return u.String()
}

// Limits of a text fragment (chosen): a longer passage is named by its first and last words.
const (
	fragmentChars = 120
	fragmentWords = 6
	fragmentRunes = 14 // where words are not separated by spaces
)

// passageLink is the address of the source with the text fragment that makes a browser scroll to the
// passage, or "" where there is no link or nothing to name.
func passageLink(address, passage string) string {
	link := sanitize.Link(address)
	if link == "" {
		return ""
	}
	words := strings.Fields(passage)
	if len(words) == 0 {
		return ""
	}
	whole := strings.Join(words, " ")
	var text string
	switch {
	case utf8.RuneCountInString(whole) <= fragmentChars && !strings.ContainsAny(strings.TrimSpace(passage), "\n\r"):
		text = fragmentEscape(whole)
	case len(words) > 2*fragmentWords:
		text = fragmentEscape(strings.Join(words[:fragmentWords], " ")) + "," + fragmentEscape(strings.Join(words[len(words)-fragmentWords:], " "))
	default:
		r := []rune(whole)
		if len(r) <= 2*fragmentRunes {
			text = fragmentEscape(whole)
			break
		}
		text = fragmentEscape(string(r[:fragmentRunes])) + "," + fragmentEscape(string(r[len(r)-fragmentRunes:]))
	}
	if strings.Contains(link, "#") {
		return link + ":~:text=" + text
	}
	return link + "#:~:text=" + text
}

// fragmentEscape escapes all that is not a letter, a digit, "_", "." or "~": in a text fragment "-", ","
// and "&" have a meaning.
func fragmentEscape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '~':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// languageOf is the language tag of a source when it looks like one, else "".
func languageOf(tag string) string {
	if len(tag) < 2 || len(tag) > 35 {
		return ""
	}
	for i, part := range strings.Split(tag, "-") {
		if part == "" || len(part) > 8 || i == 0 && (len(part) < 2 || len(part) > 3) {
			return ""
		}
		for _, c := range part {
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
				return ""
			}
		}
	}
	return tag
}

// languageByScript guesses the language of a text from its letters, for the choice of fonts and voices: "" for Latin and
// Cyrillic, which many languages share.
func languageByScript(s string) string {
	if lang := loopstate.WrittenIn(s); lang != "ru" {
		return lang
	}
	return ""
}
