package grounding

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// What a single line of Markdown is.

func (p *draftReader) text(line int) string {
	l := p.lines[line]
	return string(p.src[l.start:l.end])
}

func fenceOf(s string) string {
	n := 0
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return s[:n]
}

// heading returns the level of the heading that line i is, or the underline of; 0 for other lines.
func (p *draftReader) heading(i int, trimmed string) int {
	if level := headingLevel(trimmed); level > 0 {
		return level
	}
	if m := htmlHeading.FindStringSubmatch(trimmed); m != nil {
		return int(m[1][0] - '0')
	}
	if p.underlined(i) {
		return 1
	}
	return 0
}

var htmlHeading = lazyregexp.New(`(?i)^<h([1-6])[ >]`)

func headingLevel(s string) int {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}

// underlined reports whether the next line makes this one a heading, or this line is such an underline.
func (p *draftReader) underlined(i int) bool {
	under := func(k int) bool {
		if k >= len(p.lines) || p.lines[k].end-p.lines[k].start > 200 {
			return false
		}
		s := strings.TrimSpace(p.text(k))
		return len(s) >= 3 && (strings.Trim(s, "=") == "" || strings.Trim(s, "-") == "")
	}
	short := func(k int) bool {
		const longest = 120
		return k >= 0 && p.lines[k].end-p.lines[k].start <= longest && strings.TrimSpace(p.text(k)) != "" && !strings.HasPrefix(strings.TrimSpace(p.text(k)), "|")
	}
	if under(i) {
		return i > 0 && short(i-1)
	}
	return short(i) && under(i+1) && (i == 0 || strings.TrimSpace(p.text(i-1)) == "") && itemPrefix(p.text(i)) == 0
}

func rule(s string) bool {
	return len(s) >= 3 && (strings.Trim(s, "- ") == "" || strings.Trim(s, "* ") == "" || strings.Trim(s, "_ ") == "" || strings.Trim(s, "—") == "")
}

// indentedCode reports whether a line is an indented code block's. Behind a list, indentation is a paragraph of
// an item; prose that carries a citation is none either way.
func indentedCode(text string, afterBlank bool) bool {
	if !afterBlank || !strings.HasPrefix(text, "    ") && !strings.HasPrefix(text, "\t") {
		return false
	}
	trimmed := strings.TrimSpace(text)
	return itemPrefix(trimmed) == 0 && strings.ContainsAny(trimmed, "{}();=<>") && !citedAnywhere.MatchString(trimmed)
}

var citedAnywhere = lazyregexp.New(`\[(\^?\d+|S\d+)[\],]|https?://`)

func separator(s string) bool {
	return strings.Contains(s, "-") && strings.Contains(s, "|") && strings.Trim(s, "|:- \t") == ""
}

// itemPrefix is the width, in code points, of what opens a list item or a quotation: "- ", "12. ", "> ", "（一）".
func itemPrefix(s string) int {
	return len([]rune(itemStart.FindString(s)))
}

var itemStart = lazyregexp.New(`^[ \t]*(?:>[ \t]*)*(?:[-*+•–·▪◦‣●■○]+[ \t]+(?:\[[ xX]\][ \t]+)?|[●■•▪][ \t]*|\d{1,3}(?:[.)、．]|\\\.)[ \t]+|\d{1,2}、|[a-z][.)][ \t]+|[A-Z]\)[ \t]+|\((?:\d{1,2}|[a-z]|[ivx]{1,4})\)[ \t]+|[（(][一二三四五六七八九十\d]{1,3}[)）][ \t]*|[一二三四五六七八九十]{1,3}、[ \t]*|[①-⑳][ \t]*|>[ \t]*)`)

// quoteDepth counts the ">" that a line opens with.
func quoteDepth(text string, prefix int) int {
	return strings.Count(string([]rune(text)[:prefix]), ">")
}

// plainQuote reports whether a line of a quotation opens no list item in it.
func plainQuote(text string, prefix int) bool {
	return strings.Trim(string([]rune(text)[:prefix]), "> \t") == ""
}

// hardBreak reports whether the line that ends at end does not continue in the next one: after a label, two
// spaces, a backslash or <br>.
func hardBreak(src []rune, end int) bool {
	tail := string(src[max(0, end-6):end])
	if strings.HasSuffix(tail, "  ") || strings.HasSuffix(tail, "\\") || strings.HasSuffix(tail, "<br>") || strings.HasSuffix(tail, "<br/>") || strings.HasSuffix(tail, "<br />") {
		return true
	}
	tail = strings.TrimRightFunc(tail, func(r rune) bool { return unicode.IsSpace(r) || r == '*' })
	return strings.HasSuffix(tail, ":") || strings.HasSuffix(tail, "：")
}

// emphasised reports whether a line is all in bold, without a full stop: a heading by look.
func emphasised(s string) bool {
	for _, mark := range []string{"**", "__"} {
		if inner, ok := strings.CutPrefix(s, mark); ok {
			if inner, ok = strings.CutSuffix(strings.TrimRight(inner, ":："), mark); ok && !strings.Contains(inner, mark) {
				return !strings.HasSuffix(inner, ".") && !strings.HasSuffix(inner, "。")
			}
		}
	}
	return false
}

func contentsHeading(line string) bool {
	switch strings.ToLower(strings.Trim(line, "#*_:： \t\r")) {
	case "contents", "table of contents", "toc", "目录", "目次", "目錄":
		return true
	}
	return false
}
