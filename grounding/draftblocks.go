package grounding

import (
	"regexp"
	"strings"
	"unicode"
)

// draftBlock is a stretch of prose that belongs together: a paragraph, a list item or a row of a table.
type draftBlock struct {
	start, end int // code points
	line       int // index of the first line
	row        bool
	emphasised bool // a line all in bold: a heading by look
}

// blocks cuts the draft into prose. Reference entries are put into the draft's list on the way.
//
// The parser is our own and not goldmark's because every place is needed in code points of the source, which
// goldmark keeps for text only, and because an unclosed bracket must not cost more than a closed one.
func (p *draftReader) blocks() []draftBlock {
	var (
		out        []draftBlock
		open       *draftBlock
		fence      string
		comment    bool
		references int // level of the heading of the reference list that we are in, 0 outside
	)
	flush := func() {
		if open != nil {
			out = append(out, *open)
			open = nil
		}
	}
	blank := true // the line before
	for i, l := range p.lines {
		text := string(p.src[l.start:l.end])
		trimmed := strings.TrimSpace(text)
		wasBlank := blank
		blank = trimmed == ""
		switch {
		case fence != "":
			rest, closes := strings.CutPrefix(trimmed, fence)
			rest = strings.TrimSpace(strings.TrimLeft(rest, fence[:1]))
			if closes && strings.Trim(stripMarks(rest), " ") == "" {
				fence = ""
				if rest != "" { // marks behind the code, which cite it
					out = append(out, draftBlock{start: l.end - len([]rune(strings.TrimLeft(text, " \t"+trimmed[:1]))), end: l.end, line: i})
				}
			}
			continue
		case comment:
			comment = !strings.Contains(trimmed, "-->")
			continue
		case blank:
			flush()
			continue
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			flush()
			fence = fenceOf(trimmed)
			continue
		case strings.HasPrefix(trimmed, "<!--"):
			flush()
			comment = !strings.Contains(trimmed, "-->")
			continue
		}
		if level := headingLevel(trimmed); level > 0 || p.underlined(i) {
			flush()
			level = max(level, 1)
			switch {
			case referenceHeading(trimmed):
				references = level
			case references > 0 && level <= references:
				references = 0
			}
			continue
		}
		if referenceHeading(trimmed) {
			flush()
			references = 6
			continue
		}
		if r, ok := reference(trimmed, references > 0); ok {
			flush()
			r.Line = i + 1
			p.out.References = append(p.out.References, r)
			continue
		}
		if references > 0 || rule(trimmed) || code(text, wasBlank && open == nil) {
			if !rule(trimmed) && references > 0 {
				p.continueReference(trimmed)
			}
			flush()
			continue
		}
		if isRow(trimmed) {
			flush()
			if !separator(trimmed) && !(i+1 < len(p.lines) && separator(strings.TrimSpace(p.text(i+1)))) {
				out = append(out, draftBlock{start: l.start, end: l.end, line: i, row: true})
			}
			continue
		}
		prefix := itemPrefix(text)
		if open != nil && (prefix > 0 || hardBreak(p.src, open.end)) {
			flush()
		}
		if open == nil {
			open = &draftBlock{start: l.start + prefix, line: i, emphasised: emphasised(trimmed)}
		} else {
			open.emphasised = false
		}
		open.end = l.end
	}
	flush()
	return out
}

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
		return k >= 0 && p.lines[k].end-p.lines[k].start <= longest && strings.TrimSpace(p.text(k)) != "" && !isRow(strings.TrimSpace(p.text(k)))
	}
	if under(i) {
		return i > 0 && short(i-1)
	}
	return short(i) && under(i+1) && (i == 0 || strings.TrimSpace(p.text(i-1)) == "") && itemPrefix(p.text(i)) == 0
}

func rule(s string) bool {
	return len(s) >= 3 && (strings.Trim(s, "- ") == "" || strings.Trim(s, "* ") == "" || strings.Trim(s, "_ ") == "")
}

// code reports whether a line is an indented code block's. Behind a list, indentation is a paragraph of an item;
// prose that carries a citation is none either way.
func code(text string, afterBlank bool) bool {
	if !afterBlank || !strings.HasPrefix(text, "    ") && !strings.HasPrefix(text, "\t") {
		return false
	}
	trimmed := strings.TrimSpace(text)
	return itemPrefix(trimmed) == 0 && strings.ContainsAny(trimmed, "{}();=<>") && !citedAnywhere.MatchString(trimmed)
}

var citedAnywhere = regexp.MustCompile(`\[(\^?\d+|S\d+)[\],]|https?://`)

func isRow(s string) bool { return strings.HasPrefix(s, "|") && strings.Count(s, "|") > 1 }

func separator(s string) bool {
	return strings.Contains(s, "-") && strings.Contains(s, "|") && strings.Trim(s, "|:- \t") == ""
}

// itemPrefix is the width, in code points, of what opens a list item or a quotation: "- ", "12. ", "> ".
func itemPrefix(s string) int {
	m := itemStart.FindString(s)
	return len([]rune(m))
}

var itemStart = regexp.MustCompile(`^[ \t]*(>[ \t]*)*([-*+•][ \t]+(\[[ xX]\][ \t]+)?|\d{1,3}[.)、][ \t]+|>[ \t]*)`)

// hardBreak reports whether the line that ends at end goes on in the next one: not behind a label, two spaces,
// a backslash or <br>.
func hardBreak(src []rune, end int) bool {
	tail := string(src[max(0, end-6):end])
	if strings.HasSuffix(tail, "  ") || strings.HasSuffix(tail, "\\") || strings.HasSuffix(tail, "<br>") || strings.HasSuffix(tail, "<br/>") {
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
