package grounding

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Bounds of what is read as one mark: beyond them it is something else, and looking costs time (chosen).
const (
	maxMarkRunes     = 120  // "[1, 2, 3, 4]", "(Sources 1, 2 and 3)"
	maxLinkTextRunes = 300  // the visible part of a link
	maxAddressRunes  = 2000 // its address
	maxCodeRunes     = 1000 // a code span
	maxRange         = 50   // [1-50]: more is no citation
	maxListed        = 100  // sources in one mark
)

// markers finds the citations of a block, in order, with their places and entries, and blanks in the mask what
// is not prose.
func (p *draftReader) markers(b draftBlock) []Marker {
	var out []Marker
	p.blockStart = b.start
	for i := b.start; i < b.end; {
		found, next := p.markAt(i, b.end)
		out = append(out, found...)
		i = max(next, i+1)
	}
	line := b.line
	for i := range out {
		m := &out[i]
		line = p.lineAt(m.Start, line)
		m.Line, m.Column = line+1, m.Start-p.lines[line].start+1
		if m.entry == 0 {
			m.entry = p.entries.find(m.Kind, m.Target, m.Line)
		}
	}
	p.hideParentheses(out, b.start, b.end)
	return out
}

// markAt reads what begins at i and returns where to go on.
func (p *draftReader) markAt(i, end int) ([]Marker, int) {
	switch r := p.src[i]; r {
	case '\\':
		if i+1 < end && p.src[i+1] == '[' {
			if m, after := p.escapedMark(i, end); m != nil {
				return m, after
			}
		}
		if i+1 < end && p.src[i+1] < 0x80 && unicode.IsPunct(p.src[i+1]) { // \* is a star; \frac is not for us
			p.hide(i, i+1, roleSyntax)
		}
		return nil, i + 2
	case '`':
		return nil, p.codeSpan(i, end)
	case '!':
		if i+1 < end && p.src[i+1] == '[' {
			if _, _, after, ok := p.link(i+1, end); ok {
				p.hide(i, after, roleMark)
				return nil, after
			}
		}
	case '[', '［', '〔':
		return p.bracket(i, end)
	case '【':
		if m, after := p.lenticularMark(i, end); m != nil {
			return m, after
		}
	case '(', '（':
		if m, after := p.sourceMark(i, end); m != nil {
			return m, after
		}
	case '<':
		return p.html(i, end)
	case '^':
		if m, after := p.caretMark(i, end); m != nil {
			return m, after
		}
	case '¹', '²', '³', '⁰', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹':
		return p.superscript(i, end)
	case 'h', 'H', 'w', 'W':
		if m, after := p.address(i, end); m != nil {
			return m, after
		}
	case 'd', 'D', '1', 'a':
		if m, after := p.doi(i, end); m != nil {
			return m, after
		}
	}
	return nil, i + 1
}

// bracket reads what opens with a square bracket: a mark, a link, or neither.
func (p *draftReader) bracket(i, end int) ([]Marker, int) {
	if m, after := p.bracketMark(i, end); m != nil {
		return m, after
	}
	if p.src[i] != '[' {
		return nil, i + 1
	}
	if textEnd, address, after, ok := p.link(i, end); ok {
		if text := strings.Trim(string(p.src[i+1:textEnd]), "[] "); address == "" && numberList.MatchString(text) { // [[1]](#ref-1)
			return p.marks(i, after, text)
		}
		return p.linkMark(i, textEnd, address, after)
	}
	return nil, i + 1
}

func (p *draftReader) marker(start, end int, kind, target string) Marker {
	return Marker{Raw: string(p.src[start:end]), Kind: kind, Target: target, Start: start, End: end}
}

// hide takes a stretch out of the prose.
func (p *draftReader) hide(start, end int, role charRole) {
	for i := start; i < end && i < len(p.mask); i++ {
		p.mask[i] = ' '
		p.role[i] = role
	}
}

// stamp hides a mark of any form under "[1]": passages knows that as something that belongs to the sentence
// before it. Marks of one or two characters are only hidden.
func (p *draftReader) stamp(start, end int) {
	p.hide(start, end, roleMark)
	if end-start >= 3 {
		copy(p.mask[start:end], []rune("[1]"))
	}
}

// find looks for r between two places, at most limit code points on.
func (p *draftReader) find(r rune, from, end, limit int) int {
	for i := from; i < end && i-from <= limit; i++ {
		if p.src[i] == r {
			return i
		}
	}
	return -1
}

// codeSpan blanks `code` for the search of marks; the reader still sees it.
func (p *draftReader) codeSpan(i, end int) int {
	n := 0
	for i+n < end && p.src[i+n] == '`' {
		n++
	}
	for j := i + n; j < end && j-i <= maxCodeRunes; {
		k := 0
		for j+k < end && p.src[j+k] == '`' {
			k++
		}
		if k == n {
			p.hide(i, i+n, roleSyntax)
			for x := i + n; x < j; x++ {
				if p.src[x] != '\n' && p.src[x] != '`' {
					p.mask[x] = 'x' // a word to passages, whatever is there
					p.role[x] = roleCode
				}
			}
			p.hide(j, j+n, roleSyntax)
			return j + n
		}
		j += max(k, 1)
	}
	return i + n
}

var (
	markItem   = lazyregexp.New(`^(\^?)([Ss]?)(\d{1,4})(?:\s*[-–—−~～至]\s*\^?[Ss]?(\d{1,4}))?$`)
	footnoteID = lazyregexp.New(`^\^[\pL][\w-]{0,30}$`)
	sourceWord = lazyregexp.New(`(?i)^(?:(?:see|cf\.?|e\.g\.,?|参见|见)\s*)?(?:sources?|refs?\.?|references?|citations?|cite|web|footnotes?|notes?|no\.|来源|資料|资料|参考|參考|参考文献|參考文獻|文献|引用)\s*[:：_#]?\s*`)
	leadWord   = lazyregexp.New(`(?i)^(?:see|see also|cf\.?|e\.g\.,?|via|#|参见|见)\s*`)
	sourceID   = lazyregexp.New(`^S\d{1,4}(?:\s*[,，;；、&]\s*S\d{1,4}|\s*[-–—]\s*S\d{1,4}|\s+and\s+S\d{1,4})*$`)
	markSplit  = lazyregexp.New(`\s*(?:[,，;；、&]|\band\b|和)\s*`)
	locator    = lazyregexp.New(`(?i)\s*[,，:：]\s*(?:pp?\.|pages?\b|§|sec\.|sections?\b|ch\.|chapters?\b|fig\.|figures?\b|tab\.|tables?\b|paras?\.?\b|lines?\b|第|页).*$`)
)

// bracketMark reads [1], [1, 2], [1-3], [S3], [^4], [^note], [Source 3], [Smith, 2021], and whatever else is a
// label of the reference list.
func (p *draftReader) bracketMark(i, end int) ([]Marker, int) {
	closes := map[rune]rune{'[': ']', '［': '］', '〔': '〕'}[p.src[i]]
	shut := p.find(closes, i+1, end, maxMarkRunes)
	if shut < 0 {
		return nil, 0
	}
	after := shut + 1
	inside := strings.TrimSpace(narrow(p.src[i+1 : shut]))
	if after < end && p.src[after] == '(' && inside != "" {
		switch target := string(p.src[after+1 : min(end, after+6)]); {
		case strings.HasPrefix(target, "#"): // a link into the reference list
			closing := p.find(')', after, end, maxMarkRunes)
			if closing < 0 {
				break
			}
			if m, _ := p.marks(i, closing+1, inside); m != nil {
				return m, closing + 1
			}
			return nil, 0
		case strings.HasPrefix(target, "http"), strings.HasPrefix(target, "<http"), strings.HasPrefix(target, "www."):
			return nil, 0
		}
	}
	if strings.EqualFold(inside, markerInference) && (after == end || p.src[after] != '(') {
		p.stamp(i, after)
		return []Marker{p.marker(i, after, markerInference, "")}, after
	}
	if footnoteID.MatchString(inside) {
		p.stamp(i, after)
		return []Marker{p.marker(i, after, MarkerFootnote, inside[1:])}, after
	}
	list := sourceWord.ReplaceAllString(inside, "")
	if list == "" {
		list = inside
	}
	if m, next := p.marks(i, after, leadWord.ReplaceAllString(list, "")); m != nil {
		return m, next
	}
	if p.entries.find(MarkerLabel, inside, 0) != 0 && !p.opensReference(after, end) {
		return p.labelMark(i, after, inside)
	}
	if m := p.authorMarks(i, after, inside, false); m != nil {
		return m, after
	}
	return nil, 0
}

// opensReference reports whether another bracket follows: then this one is the text of [text][label].
func (p *draftReader) opensReference(i, end int) bool { return i < end && p.src[i] == '[' }

// labelMark makes the marker of a bracket that holds a label of the list. A label of several words is a link
// by its text, which a reader sees.
func (p *draftReader) labelMark(i, after int, label string) ([]Marker, int) {
	entry := p.entries.find(MarkerLabel, label, 0)
	if url := p.out.References[entry-1].URL; url != "" && strings.Contains(label, " ") {
		return p.linkMark(i, after-1, url, after)
	}
	m := p.marker(i, after, MarkerLabel, label)
	p.stamp(i, after)
	return []Marker{m}, after
}

// escapedMark reads \[1\].
func (p *draftReader) escapedMark(i, end int) ([]Marker, int) {
	shut := p.find(']', i+2, end, maxMarkRunes)
	if shut < 0 || p.src[shut-1] != '\\' {
		return nil, 0
	}
	return p.marks(i, shut+1, strings.TrimSpace(narrow(p.src[i+2:shut-1])))
}

// marks makes the markers of one bracket from its list of ids, or none if it holds anything else.
func (p *draftReader) marks(start, end int, list string) ([]Marker, int) {
	var out []Marker
	for _, part := range strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == '；' }) {
		part = strings.TrimSpace(locator.ReplaceAllString(part, ""))
		for _, item := range markSplit.Split(part, -1) {
			m := markItem.FindStringSubmatch(strings.TrimSpace(item))
			if m == nil || len(out) > maxListed {
				return nil, 0
			}
			kind, letter := MarkerNumber, ""
			switch {
			case m[1] != "":
				kind = MarkerFootnote
			case m[2] != "":
				kind, letter = MarkerID, "S"
			}
			first, _ := strconv.Atoi(m[3])
			last := first
			if m[4] != "" {
				last, _ = strconv.Atoi(m[4])
			}
			if first < 1 || last < first || last-first > maxRange || kind == MarkerNumber && p.isYear(first) {
				return nil, 0
			}
			if m[4] == "" {
				out = append(out, p.marker(start, end, kind, letter+m[3]))
				continue
			}
			for n := first; n <= last; n++ {
				out = append(out, p.marker(start, end, kind, letter+strconv.Itoa(n)))
			}
		}
	}
	if len(out) == 0 {
		return nil, 0
	}
	p.stamp(start, end)
	return out, end
}

// isYear reports whether [2020] is rather a year, put into a quotation, than a citation.
func (p *draftReader) isYear(n int) bool {
	return n >= 1000 && p.entries.find(MarkerNumber, strconv.Itoa(n), 0) == 0
}

// lenticularMark reads 【2†L10-L12】 and 【3】.
func (p *draftReader) lenticularMark(i, end int) ([]Marker, int) {
	shut := p.find('】', i+1, end, maxMarkRunes)
	if shut < 0 {
		return nil, 0
	}
	inside, _, _ := strings.Cut(narrow(p.src[i+1:shut]), "†")
	if _, second, ok := strings.Cut(inside, ":"); ok { // 【4:2†source】: message and source
		inside = second
	}
	return p.marks(i, shut+1, sourceWord.ReplaceAllString(strings.TrimSpace(inside), ""))
}

// sourceMark reads (Source 13), (S1, S2), （来源：3）, and author-year citations.
func (p *draftReader) sourceMark(i, end int) ([]Marker, int) {
	closes := ')'
	if p.src[i] == '（' {
		closes = '）'
	}
	shut := p.find(closes, i+1, end, maxAuthorRunes)
	if shut < 0 {
		return nil, 0
	}
	inside := strings.TrimSpace(narrow(p.src[i+1 : shut]))
	if shut-i <= maxMarkRunes {
		list := sourceWord.ReplaceAllString(inside, "")
		if list != inside || sourceID.MatchString(inside) {
			if m, after := p.marks(i, shut+1, list); m != nil {
				return m, after
			}
		}
	}
	if m := p.authorMarks(i, shut+1, inside, true); m != nil {
		return m, shut + 1
	}
	return nil, 0
}

// narrow is a text with the full-width forms of ASCII made plain.
func narrow(runes []rune) string {
	var b strings.Builder
	for _, r := range runes {
		if r >= 0xff01 && r <= 0xff5e {
			r -= 0xfee0
		}
		b.WriteRune(r)
	}
	return b.String()
}
