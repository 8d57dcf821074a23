package sanitize

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for _, row := range []struct{ name, in, want string }{
		{"white space", "  a\n\t b\u00a0c  ", "a b c"},
		{"controls", "a\x00b\x1b[31mc\u0085d", "ab[31mc d"},
		{"turned", "a\u202Egnp.\u2066exe\u2069", "agnp.exe"},
		{"no UTF-8", "a\xff\xfeb", "a\uFFFD\uFFFDb"},
		{"nothing", " \n", ""},
	} {
		if got := Line(row.in); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, row := range []struct {
		name, in string
		chars    int
		want     string
	}{
		{"it fits", "five!", 5, "five!"},
		{"it does not", "six   letters", 5, "six…"},
		{"code points", "灯塔灯塔灯塔", 4, "灯塔灯…"},
		{"characters that nobody sees", "a" + strings.Repeat(" \u202E", 5000) + "b", 4, "a…"},
		{"exactly what is looked at", strings.Repeat("\u202E", 30) + "abc", 4, "…"},
		{"the cut falls into a letter", strings.Repeat(" ", 66) + strings.Repeat("塔", 20), 4, "塔塔塔…"},
	} {
		if got := Short(row.in, row.chars); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

func TestLink(t *testing.T) {
	for raw, want := range map[string]string{
		"https://example.org/a?b=c#d": "https://example.org/a?b=c#d", "http://example.org": "http://example.org",
		" https://example.org ": "https://example.org",
		"javascript:alert(1)":   "", "data:text/html,x": "", "file:///etc/passwd": "", "//example.org": "",
		"https://user:pass@example.org": "", "https://example.org@evil.example": "",
		"https://exa\u202Emple.org": "", "": "", "urn:sha256:00": "", "https://a\x00b.example": "", "https://ex\xffample.org": "",
		"https://<b>.example":         "",
		`https://example.org/?q="<b>`: "https://example.org/?q=%22%3Cb%3E",
	} {
		if got := Link(raw); got != want {
			t.Errorf("Link(%q) = %q, want %q", raw, got, want)
		}
	}
}

// For any input, the result is one line of UTF-8 without changes of direction, and a second call changes nothing.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{"", "a\u202Eb", "\xff\x00", "  a  b ", "\u2066\u2069", "https://a@b.example/?q=\"",
		strings.Repeat("é ", 99)} {
		f.Add(seed, 7)
	}
	f.Fuzz(func(t *testing.T, s string, chars int) {
		line := Line(s)
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool {
			return ChangesDirection(r) ||
				unicode.IsControl(r)
		}) || Line(line) != line {
			t.Errorf("Line(%q) = %q", s, line)
		}
		chars = 1 + (chars&0xFFFF)%500
		if short := Short(s, chars); utf8.RuneCountInString(short) > chars || !utf8.ValidString(short) {
			t.Errorf("Short(%q, %d) = %q", s, chars, short)
		}
		if link := Link(s); link != "" && (!strings.HasPrefix(link, "http") || strings.ContainsAny(link, "\"<>` \n") || Link(link) == "") {
			t.Errorf("Link(%q) = %q", s, link)
		}
	})
}
