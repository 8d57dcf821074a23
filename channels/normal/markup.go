// Package normal puts what sources send into one form: plain text, dates, ids, addresses, languages, source types, and the
// words of a query.
package normal

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Titles and snippets come as plain text, as HTML, as JATS and MathML, and as any of these escaped once or
// twice. Only known tags are removed: a title may contain Vec<T> or a < b.
var (
	dropped = lazyregexp.New(`(?is)<(script|style|annotation|mml:annotation)\b[^<>]*>.*?</(script|style|annotation|mml:annotation)\s*>|` +
		`<!--.*?-->`)
	blocks = lazyregexp.New(`(?i)</?(?:jats:)?(?:p|div|br|hr|li|ul|ol|dl|dt|dd|h[1-6]|table|thead|tbody|tr|td|th|caption|section|` +
		`article|blockquote|pre|figure|figcaption|title|sec|label|list|list-item|disp-quote|abstract)(?:\s[^<>]*)?/?>`)
	inlines = lazyregexp.New(`</?(?:jats:|mml:)?(?:a|abbr|b|bold|cite|code|del|dfn|em|ext-link|fixed-case|font|i|img|inf|` +
		`inline-formula|ins|italic|kbd|mark|monospace|named-content|overline|q|roman|s|sans-serif|sc|scp|small|span|strike|strong|` +
		`styled-content|sub|sup|svg|tex-math|time|tt|u|underline|uri|var|wbr|xref|math|mi|mn|mo|mrow|mstyle|msub|msubsup|msup|mtext|` +
		`mfrac|msqrt|mover|munder|munderover|mspace|mfenced|mtable|mtr|mtd|mpadded|mphantom|semantics)(?:\s[^<>]*)?/?>|</?(?:jats|` +
		`mml):[a-zA-Z-]+(?:\s[^<>]*)?/?>`)
)

// maxMarkup bounds the bytes of a field that are parsed. It is fifty times the shown length, and bounds the time for
// hostile markup.
const maxMarkup = 32 << 10

// Plain removes markup and entities and folds white space.
func Plain(s string) string {
	s = s[:min(len(s), maxMarkup)]
	for range 3 { // escaped at most twice: &amp;lt;i&amp;gt;
		before := s
		if strings.ContainsRune(s, '<') {
			s = dropped.ReplaceAllString(s, " ")
			s = blocks.ReplaceAllString(s, " ")
			s = inlines.ReplaceAllString(s, "")
		}
		if strings.ContainsRune(s, '&') {
			s = html.UnescapeString(s)
		}
		if s == before {
			break
		}
	}
	return sanitize.Line(s)
}

// Clip shortens s to at most n code points, if possible at the end of a word, and appends "…".
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	head := words.First(s, n-1)
	if i := strings.LastIndexByte(head, ' '); i > len(head)*4/5 {
		head = head[:i]
	}
	return strings.TrimRight(head, " ,;:") + "…"
}

// Join joins the parts that are not empty.
func Join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" }), "; ")
}
