package references

import (
	"cmp"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// accents are TeX's commands for accents, and the combining characters that they stand for.
var accents = map[string]string{
	`"`: "\u0308", `'`: "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
	"u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323", "b": "\u0331",
}

// letters are TeX's commands for letters and signs.
var letters = map[string]string{
	"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
	"i": "i", "j": "j", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
	"textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“",
	"textquotedblright": "”", "textasciitilde": "~", "textunderscore": "_", "textasciicircum": "^", "textbackslash": `\`,
	"textbraceleft": "{", "textbraceright": "}", "ldots": "…", "dots": "…",
}

var (
	// An accent and its letter (\'{\i}), a command in letters with the space or the braces that end it, or a sign (\&).
	texCommand = lazyregexp.New(`\\(?:(["'` + "`" + `^~=.]|[uvHckrdb]\b)\s*\{?\\?(\p{L}?)\}?|([A-Za-z]+)\s*(?:\{\})?|(.))|` +
		`[{}$]|~`)
	texLink  = lazyregexp.New(`\\href\s*\{[^{}]*\}`)
	htmlTag  = lazyregexp.New(`(?i)</?(?:i|b|u|em|strong|sub|sup|scp|sc|span|p|(?:jats|mml):[a-z]+)(?:\s[^<>]*)?/?>`)
	texSigns = strings.NewReplacer("---", "—", "--", "–", "``", "“", "''", "”")
)

// greek returns the Greek letter of a command such as \alpha, which HTML calls the same, or "".
func greek(command string) string {
	letter := html.UnescapeString("&" + command + ";")
	if r, size := utf8.DecodeRuneInString(letter); size == len(letter) && unicode.Is(unicode.Greek, r) {
		return letter
	}
	return ""
}

// plainTeX returns the text that TeX would show: accents and letters as such, no braces, no other commands, one line. Services write
// HTML in titles, which goes, too.
func plainTeX(s string) string {
	if strings.ContainsAny(s, `\{}$~`) {
		s = texLink.ReplaceAllString(s, "")
		var b strings.Builder
		at := 0
		for _, m := range texCommand.FindAllStringSubmatchIndex(s, -1) {
			b.WriteString(s[at:m[0]])
			at = m[1]
			switch {
			case m[4] < m[5]:
				b.WriteString(s[m[4]:m[5]] + accents[s[m[2]:m[3]]])
			case m[6] >= 0:
				name := s[m[6]:m[7]]
				b.WriteString(cmp.Or(letters[name], greek(name)))
			case m[8] >= 0:
				b.WriteString(s[m[8]:m[9]])
			case s[m[0]] == '~':
				b.WriteByte(' ')
			}
		}
		s = b.String() + s[at:]
	}
	return strings.Join(strings.Fields(norm.NFC.String(texSigns.Replace(htmlTag.ReplaceAllString(html.UnescapeString(s), "")))), " ")
}
