package sanitize

import (
	"strings"
	"unicode"
)

// A neutraliser for each sink makes untrusted text inert in one format.

var markdownSpecials = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "#", `\#`, "~", `\~`, "$", `\$`,
	"&", `\&`, "!", `\!`,
)

// Markdown makes a text on one line inert in Markdown: no link, emphasis, HTML, mention, cell or heading begins in it, nor a list
// at its start.
func Markdown(s string) string {
	s = markdownSpecials.Replace(s)
	if s == "" {
		return s
	}
	if strings.ContainsRune("-+=", rune(s[0])) {
		return `\` + s
	}
	if digits := strings.TrimLeft(s, "0123456789"); len(digits) < len(s) && digits != "" && (digits[0] == '.' || digits[0] == ')') {
		n := len(s) - len(digits)
		return s[:n] + `\` + s[n:]
	}
	return s
}

// CSV makes a cell inert in a spreadsheet, which would calculate what begins with one of = + - @ | % or a tab, also behind spaces
// and quotation marks. A plain number stays.
func CSV(s string) string {
	bare := strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) && r != '\t' && r != '\r' || r == '"' || r == '\'' || r == '“'
	})
	if bare == "" || !strings.ContainsRune("=+-@|%\t\r", rune(bare[0])) {
		return s
	}
	if bare == s && strings.Trim(s[1:], "0123456789.,") == "" && len(s) > 1 && s[0] == '-' {
		return s
	}
	return "'" + s
}

var texSpecials = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\textbraceleft{}`, `}`, `\textbraceright{}`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`,
	`$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`,
)

// TeX makes a text inert in a field of BibTeX. Braces become words, because BibTeX counts even escaped ones.
func TeX(s string) string { return texSpecials.Replace(Line(s)) }
