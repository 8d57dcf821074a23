package grounding

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// link reads [text](address "title") and [text][label] at i: where the text ends, the address, and where the
// link ends. A link that leads nowhere on the web has no address.
func (p *draftReader) link(i, end int) (textEnd int, address string, after int, ok bool) {
	depth := 0
	for j := i; j < end && j-i <= maxLinkTextRunes && textEnd == 0; j++ {
		switch p.src[j] {
		case '\\':
			j++
		case '[':
			if depth++; depth > 3 {
				return 0, "", 0, false
			}
		case ']':
			if depth--; depth == 0 {
				textEnd = j
			}
		}
	}
	if textEnd == 0 || textEnd+1 >= end {
		return 0, "", 0, false
	}
	if p.src[textEnd+1] == '[' {
		return p.labelledLink(i, textEnd, end)
	}
	if p.src[textEnd+1] != '(' {
		return 0, "", 0, false
	}
	depth = 0
	for j := textEnd + 1; j < end && j-textEnd <= maxAddressRunes; j++ {
		switch p.src[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				address, ok := linkTarget(string(p.src[textEnd+2 : j]))
				return textEnd, address, j + 1, ok
			}
		case '\n':
			return 0, "", 0, false
		}
	}
	return 0, "", 0, false
}

// linkTarget reads what is in the round brackets of a link. ok is false for what cannot be an address.
func linkTarget(s string) (address string, ok bool) {
	s = strings.TrimSpace(s)
	if rest, angle := strings.CutPrefix(s, "<"); angle {
		s, _, _ = strings.Cut(rest, ">")
	} else {
		s, _, _ = strings.Cut(s, " ")
	}
	low := strings.ToLower(firstBytes(s, 12))
	switch {
	case strings.HasPrefix(low, "http://"), strings.HasPrefix(low, "https://"):
		return s, true
	case strings.HasPrefix(low, "www."):
		return "https://" + s, true
	case strings.HasPrefix(low, "doi:"), strings.HasPrefix(low, "10."):
		if m := bareDOI.FindStringSubmatch(s); m != nil {
			return "https://doi.org/" + m[1], true
		}
	case strings.HasPrefix(low, "#"), strings.HasPrefix(low, "/"), strings.HasPrefix(low, "mailto:"), strings.HasPrefix(low, "./"), strings.HasPrefix(low, "../"):
		return "", true
	}
	return "", false
}

// labelledLink reads [text][label] and [text][], with the address from the list.
func (p *draftReader) labelledLink(i, textEnd, end int) (int, string, int, bool) {
	shut := p.find(']', textEnd+2, end, maxMarkRunes)
	if shut < 0 {
		return 0, "", 0, false
	}
	label := strings.TrimSpace(string(p.src[textEnd+2 : shut]))
	if label == "" {
		label = strings.TrimSpace(string(p.src[i+1 : textEnd]))
	}
	entry := p.entries.find(MarkerLabel, label, 0)
	if entry == 0 {
		return 0, "", 0, false
	}
	url := p.out.References[entry-1].URL
	return textEnd, url, shut + 1, url != ""
}

// linkMark makes the marker of a link. Its text stays in the prose, unless it is only a number or an image.
func (p *draftReader) linkMark(i, textEnd int, address string, after int) ([]Marker, int) {
	text := strings.TrimSpace(string(p.src[i+1 : textEnd]))
	var found []Marker
	if address != "" {
		found = []Marker{p.marker(i, after, MarkerLink, address)}
	}
	switch {
	case address != "" && (numberList.MatchString(text) || arrows.MatchString(text)):
		p.stamp(i, after)
	case strings.HasPrefix(text, "!["):
		p.hide(i, after, roleMark)
	default:
		p.hide(i, i+1, roleSyntax)
		for j := i + 1; j < textEnd; j++ {
			p.role[j] = roleLink
		}
		p.hide(textEnd, after, roleSyntax)
	}
	return found, after
}

var arrows = lazyregexp.New(`(?i)^(?:[↗→🔗↩^*†‡]+|\[?(?:source|link|ref|here)\]?|来源|链接|\d{1,3}[↗→])$`)

// hideParentheses hides round brackets that hold nothing but citations, with what they say of themselves:
// "([Otter Society](https://…))", "(Source: https://…)". Between them all marks of the block are looked at once.
func (p *draftReader) hideParentheses(markers []Marker, start, end int) {
	const reach = 24 // code points between a bracket and a mark
	for i := 0; i < len(markers); i++ {
		open := markers[i].Start - 1
		for open >= start && markers[i].Start-open <= reach && !strings.ContainsRune("(（)）\n", p.src[open]) {
			open--
		}
		if open < start || !strings.ContainsRune("(（", p.src[open]) || !parenthesisNote.MatchString(narrow(p.src[open+1:markers[i].Start])) {
			continue
		}
		for i+1 < len(markers) && markers[i+1].Start-markers[i].End <= reach &&
			(markers[i+1].Start < markers[i].End || betweenMarks.MatchString(string(p.src[markers[i].End:markers[i+1].Start]))) {
			i++
		}
		shut := markers[i].End
		for shut < end && unicode.IsSpace(p.src[shut]) {
			shut++
		}
		if shut < end && strings.ContainsRune(")）", p.src[shut]) {
			p.stamp(open, shut+1)
		}
	}
}

var (
	parenthesisNote = lazyregexp.New(`(?i)^\s*(?:(?:see|also|sources?|via|from|refs?\.?|references?|cf\.?|e\.g\.,?|link|doi|来源|参见|见|出处|引自|参考)\s*[:：,]?\s*){0,3}$`)
	betweenMarks    = lazyregexp.New(`(?i)^\s*(?:[,;，；、&|/+·]|and|和)?\s*(?:see|also|doi)?\s*[:：]?\s*$`)
)

// html reads a tag: raised numbers and links are citations, everything else only markup.
func (p *draftReader) html(i, end int) ([]Marker, int) {
	if i+3 < end && (p.src[i+1] == 's' || p.src[i+1] == 'S') {
		if m, after := p.raisedHTML(i, end); m != nil {
			return m, after
		}
	}
	after := p.tag(i, end)
	if after == 0 {
		return nil, i + 1
	}
	if m := htmlAnchor.FindStringSubmatch(string(p.src[i:after])); m != nil {
		if shut := p.find('<', after, end, maxLinkTextRunes); shut > 0 && strings.EqualFold(string(p.src[shut:min(end, shut+4)]), "</a>") {
			p.hide(i, after, roleSyntax)
			text := strings.Trim(string(p.src[after:shut]), "[] ")
			found := p.marker(i, shut+4, MarkerLink, m[1])
			if numberList.MatchString(text) || arrows.MatchString(text) {
				p.stamp(i, shut+4)
				return []Marker{found}, shut + 4
			}
			for j := after; j < shut; j++ {
				p.role[j] = roleLink
			}
			p.hide(shut, shut+4, roleSyntax)
			return []Marker{found}, shut + 4
		}
	}
	role := roleMark // a tag parts words; those of emphasis do not
	if htmlInline.MatchString(string(p.src[i:after])) {
		role = roleSyntax
	}
	p.hide(i, after, role)
	return nil, after
}

var (
	htmlAnchor = lazyregexp.New(`(?i)^<a\s[^>]{0,180}?href\s*=\s*["']?(https?://[^\s"'<>]+)`)
	htmlInline = lazyregexp.New(`(?i)^</?(?:b|i|u|em|strong|span|sub|sup|small|mark|a|code|cite|q|font)\b`)
)

// tag returns where an HTML tag or comment at i ends, or 0.
func (p *draftReader) tag(i, end int) int {
	const longest = 400
	if i+1 >= end || !(p.src[i+1] == '/' || p.src[i+1] == '!' || p.src[i+1] < 0x80 && isLetter(byte(p.src[i+1]))) {
		return 0
	}
	if strings.HasPrefix(string(p.src[i+1:min(end, i+5)]), "http") {
		return 0 // <https://…>
	}
	closing := p.find('>', i+1, end, longest)
	if closing < 0 {
		return 0
	}
	return closing + 1
}

// address reads a bare https://… or www.….
func (p *draftReader) address(i, end int) ([]Marker, int) {
	head := strings.ToLower(string(p.src[i:min(end, i+8)]))
	web := strings.HasPrefix(head, "www.")
	if !web && !strings.HasPrefix(head, "http://") && !strings.HasPrefix(head, "https://") || i > 0 && alphabetic(p.src[i-1]) && !wideRune(p.src[i-1]) {
		return nil, 0
	}
	text := string(p.src[i+4 : min(end, i+maxAddressRunes)])
	prefix := "http"
	if web {
		prefix = "https://www."
	}
	m := trimAddress(bareURL.FindString(prefix + text))
	n := len([]rune(m)) - len(prefix) + 4
	if _, rest, _ := strings.Cut(m, "://"); rest == "" || web && strings.Count(rest, ".") < 2 {
		return nil, 0
	}
	after := i + n
	p.stamp(i, after)
	if i > 0 && p.src[i-1] == '<' && after < end && p.src[after] == '>' { // <https://…>
		p.hide(i-1, i, roleMark)
		p.hide(after, after+1, roleMark)
	}
	return []Marker{p.marker(i, after, MarkerURL, m)}, after
}

// doi reads doi:10.1000/x, doi.org/10.1000/x, a bare 10.1000/x, and arXiv:2401.01234.
func (p *draftReader) doi(i, end int) ([]Marker, int) {
	if i > 0 && (alphabetic(p.src[i-1]) && !wideRune(p.src[i-1]) || p.src[i-1] == '.' || p.src[i-1] == '/') {
		return nil, 0
	}
	const longest = 230
	switch head := strings.ToLower(string(p.src[i:min(end, i+8)])); {
	case strings.HasPrefix(head, "arxiv:"):
		m := arxivID.FindStringSubmatch(string(p.src[i:min(end, i+40)]))
		if m == nil {
			return nil, 0
		}
		after := i + len(m[0])
		p.stamp(i, after)
		return []Marker{p.marker(i, after, MarkerURL, "https://arxiv.org/abs/"+m[1])}, after
	case !strings.HasPrefix(head, "10.") && !strings.HasPrefix(head, "doi:") && !strings.HasPrefix(head, "doi 10.") && head != "doi.org/":
		return nil, 0
	}
	s := string(p.src[i:min(end, i+longest)])
	m := bareDOI.FindStringSubmatchIndex(s)
	if m == nil || m[0] != 0 {
		return nil, 0
	}
	doi := trimAddress(s[m[2]:m[3]])
	if _, suffix, _ := strings.Cut(doi, "/"); suffix == "" {
		return nil, 0
	}
	n := len([]rune(s[:m[2]])) + len([]rune(doi))
	p.stamp(i, i+n)
	return []Marker{p.marker(i, i+n, MarkerDOI, strings.ToLower(doi))}, i + n
}

var (
	bareURL = lazyregexp.New(`https?://[^\s<>"“”„「」『』《》【】（），。；！？、\x60|]+`)
	bareWWW = lazyregexp.New(`\bwww\.[a-zA-Z0-9-]{1,63}\.[^\s<>"“”„「」『』《》【】（），。；！？、\x60|]+`)
	bareDOI = lazyregexp.New(`(?i)\b(?:doi:\s*|doi\.org/|doi\s+)?(10\.\d{4,9}/[^\s"<>&?#，。；、（）]{1,200})`)
	arxivID = lazyregexp.New(`(?i)^arxiv:\s?(\d{4}\.\d{4,5}(?:v\d{1,2})?)`)
)

// trimAddress drops the punctuation that a sentence puts after an address, and a bracket that opened before it.
func trimAddress(s string) string {
	for {
		before := s
		s = strings.TrimRight(s, ".,;:!?*_'\"”’。，；：、")
		for _, pair := range []string{"()", "[]"} {
			if strings.HasSuffix(s, pair[1:]) && strings.Count(s, pair[1:]) > strings.Count(s, pair[:1]) {
				s = strings.TrimSuffix(s, pair[1:])
			}
		}
		if s == before {
			return s
		}
	}
}
