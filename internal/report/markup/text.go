package markup

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// WriteText writes untrusted text as HTML text. Reading the page back gives the same text, except for control
// characters and invalid UTF-8, which become U+FFFD. Characters that change the direction of text get an element of
// their own, which contains their effect. A very long word gets places to break,
// because its layout takes a browser many seconds otherwise.
func WriteText(b *strings.Builder, s string) {
	word := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == ' ' || r == '\n':
			word = -1
		case word >= longWord && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteString("<wbr>")
			word = 0
		}
		word++
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&#34;")
		case r == '\'':
			b.WriteString("&#39;")
		case r == '\r':
			b.WriteString("&#13;")
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			b.WriteRune(utf8.RuneError)
		case sanitize.ChangesDirection(r):
			end := i + size
			for end < len(s) {
				next, n := utf8.DecodeRuneInString(s[end:])
				if !sanitize.ChangesDirection(next) {
					break
				}
				end += n
			}
			fmt.Fprintf(b, `<bdi class="turn" title="U+%04X: changes the direction of text">%s</bdi>`, r, s[i:end])
			size = end - i
		default:
			b.WriteRune(r)
		}
		i += size
	}
}

// longWord is the number of characters without a space after which a word may break: more than any word, and than clauses
// of languages without spaces.
const longWord = 300

// Escaped is WriteText for templates.
func Escaped(s string) template.HTML {
	var b strings.Builder
	WriteText(&b, s)
	return template.HTML(b.String()) //nolint:gosec // WriteText escapes
}

// entity is a character reference of CommonMark.
var entity = regexp.MustCompile(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// Resolved resolves the backslash escapes and character references of Markdown.
func Resolved(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			b.WriteByte(s[i+1])
			i += 2
			continue
		case s[i] == '&':
			if m := entity.FindString(s[i:]); m != "" {
				b.WriteString(html.UnescapeString(m))
				i += len(m)
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func isPunct(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

// Plain returns a sentence without Markdown marks, on one line.
func Plain(s string) string {
	if !strings.ContainsAny(s, "*_`~[<\\&") || len(s) > maxPlainBytes {
		return sanitize.Line(s)
	}
	source := []byte(s)
	var b strings.Builder
	for _, p := range Pieces(Parse(source), source) {
		said := string(source[p.Start:p.Stop])
		if p.Kind == Prose {
			said = Resolved(said)
		}
		b.WriteString(said)
		if p.Stop < len(source) && source[p.Stop] == '\n' {
			b.WriteByte(' ')
		}
	}
	if out := sanitize.Line(b.String()); out != "" {
		return out
	}
	return sanitize.Line(s) // only marks
}

// maxPlainBytes bounds the sentences that are parsed.
const maxPlainBytes = 8000
