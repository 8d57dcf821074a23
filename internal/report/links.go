package report

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// sourceLink is sanitize.Link that also allows file addresses of this machine. It rejects file addresses with a host,
// because some systems would log in there.
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

// Limits of a text fragment. A longer passage is identified by its first and last words.
const (
	fragmentChars = 120
	fragmentWords = 6
	fragmentRunes = 14 // where words are not separated by spaces
)

// passageLink returns the address of the source with a text fragment, with which a browser scrolls to the passage. It is ""
// without a link or a passage.
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

// fragmentEscape escapes all but letters, digits, "_", "." and "~": in a text fragment "-", "," and "&" have a meaning.
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

// languageOf returns the language tag of a source if it is well formed, or "".
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
