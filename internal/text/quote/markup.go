package quote

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// mark is a stretch of a text that a page does not show, in bytes, with what it shows instead: the character of an entity, or nothing.
type mark struct {
	start, end int
	shown      string
}

// unseen matches what a text has and its page has not: marks of notes such as [1], [2, 3] and [a], the markup of Markdown, HTML, TeX,
// Org, AsciiDoc, wikis and reStructuredText around the words of a link, and entities.
var unseen = lazyregexp.New(`\[(?:\d{1,3}(?:[,–-] ?\d{1,3})*|[a-z*†‡§])\]` +
	`|[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[⁻,˒–-][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*|\^\d{1,3}(?:[,–-]\d{1,3})*` + // raised
	`|~~[^~\n]{1,200}~~` + // struck out
	`|!\[[^\[\]\n]*\]\([^()\s]*\)` + // a picture
	`|\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?: +"[^"\n]*")?\)|\]\(<[^<>\n]*>\)` + // [words](address "title")
	`|\[\^[^\[\]\s]+\]|\[-?@[^\[\]\n]+\]` + // [^3], [@moss1974, p. 3]
	`|\[\[[^\[\]|\n]+(?:\||\]\[)` + // [[Page|words]], [[address][words]]
	`|https?://[^\s\[\]<>]+\[|<https?://[^\s<>]+>` + // address[words], ` + "`words <address>`_" + `
	`|</?(?i:a|abbr|b|br|cite|code|del|em|font|i|img|ins|kbd|mark|p|q|s|small|span|strong|sub|sup|td|tr|u|wbr)(?:\s[^<>]*=[^<>]*)?\s?/?>|` +
	`<!--[^<>]*-->` +
	`|\\(?:cite|ref|label|footcite|autocite|parencite|textcite|citep|citet)\*?(?:\[[^\[\]]*\])*\{[^{}]*\}` +
	`|\\[a-zA-Z]+\{` + // \emph{words}
	`|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// markup returns what the page of a text does not show, in order. What looks like the mark of a note behind a single letter is an index.
func markup(text string) (out []mark) {
	for _, m := range unseen.FindAllStringIndex(text, -1) {
		found := mark{start: m[0], end: m[1]}
		switch s := text[m[0]:m[1]]; {
		case s[0] == '&':
			if found.shown = html.UnescapeString(s); found.shown == s {
				continue
			}
		case raised(s):
			before := text[max(0, m[0]-16):m[0]]
			if !noteBehind.MatchString(before) || unitBefore.MatchString(before) {
				continue
			}
		case s[0] == '[' && !strings.ContainsAny(s[:2], "@-^") && s[1] != '[' && !notesWord(text[:m[0]]):
			continue
		}
		out = append(out, found)
	}
	return out
}

// raised reports whether a stretch is of raised figures.
func raised(s string) bool {
	return s[0] == '^' || strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹", []rune(s)[0])
}

// noteBehind matches what raised figures behind it make the mark of a note: a word that is no unit, a year, the end of a sentence. The
// figures of m², 10⁶ and (a+b)² are powers.
var noteBehind = lazyregexp.New(`(?:\pL{3}|\b(?:1[5-9]|20)\d\d|[.,;:!?"”’»])$`)

// unitBefore matches a unit, which is raised to a power.
var unitBefore = lazyregexp.New(`(?:^|[^\pL])(?:mol|min|rad|bar|sec|day|year|sin|cos|tan|log|exp|feet|foot|inch(?:es)?|yards?|miles?|` +
	`met(?:er|re)s?)$`)

// notesWord reports whether the mark of a note may follow a text.
func notesWord(before string) bool {
	before = strings.TrimSuffix(before, " ")
	last, w := utf8.DecodeLastRuneInString(before)
	beyond, _ := utf8.DecodeLastRuneInString(before[:len(before)-w])
	return strings.ContainsRune(`.,;:!?)"'”’%]`, last) || isWord(last) && isWord(beyond)
}
