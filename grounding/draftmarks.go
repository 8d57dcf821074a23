package grounding

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	maxMarkRunes     = 80   // "[1, 2, 3, 4]", "(Sources 1, 2 and 3)"
	maxLinkTextRunes = 300  // the visible part of a link
	maxAddressRunes  = 2000 // its address
	maxCodeRunes     = 1000 // a code span
	maxRange         = 50   // [1-50]: more is no citation
)

// markers finds the citations between two places, in order, and blanks in the mask what is not prose.
func (p *draftReader) markers(start, end int) []Marker {
	var out []Marker
	for i := start; i < end; {
		found, next := p.markAt(i, end)
		out = append(out, found...)
		i = max(next, i+1)
	}
	return out
}

// markAt reads what begins at i and returns where to go on.
func (p *draftReader) markAt(i, end int) ([]Marker, int) {
	switch r := p.src[i]; r {
	case '\\':
		return nil, i + 2
	case '`':
		return nil, p.codeSpan(i, end)
	case '!':
		if i+1 < end && p.src[i+1] == '[' {
			if _, _, after, ok := p.link(i+1, end); ok {
				p.blank(i, after)
				return nil, after
			}
		}
	case '[':
		if m, after := p.bracketMark(i, end); m != nil {
			return m, after
		}
		if textEnd, address, after, ok := p.link(i, end); ok {
			p.blank(i, i+1)
			p.blank(textEnd, after)
			return []Marker{p.marker(i, after, MarkerLink, address)}, after
		}
	case '【':
		if m, after := p.lenticularMark(i, end); m != nil {
			return m, after
		}
	case '(', '（':
		if m, after := p.sourceMark(i, end); m != nil {
			return m, after
		}
	case '<':
		if after := p.tag(i, end); after > 0 {
			p.blank(i, after)
			return nil, after
		}
	case 'h', 'H':
		if m, after := p.address(i, end); m != nil {
			return m, after
		}
	case 'd', 'D', '1':
		if m, after := p.doi(i, end); m != nil {
			return m, after
		}
	}
	return nil, i + 1
}

func (p *draftReader) marker(start, end int, kind, target string) Marker {
	return Marker{Raw: string(p.src[start:end]), Kind: kind, Target: target, Start: start, End: end}
}

func (p *draftReader) blank(start, end int) {
	for i := start; i < end && i < len(p.mask); i++ {
		p.mask[i] = ' '
	}
}

// stamp writes "[1]" over a mark of any form: passages knows that as something that belongs to the sentence
// before it.
func (p *draftReader) stamp(start, end int) {
	p.blank(start, end)
	copy(p.mask[start:end], []rune("[1]"))
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
			for x := i + n; x < j; x++ {
				if p.src[x] != '\n' && p.src[x] != '`' {
					p.mask[x] = 0
				}
			}
			return j + n
		}
		j += max(k, 1)
	}
	return i + n
}

var (
	markItem   = regexp.MustCompile(`^(\^?)(S?)(\d{1,4})(?:\s*[-–—]\s*S?(\d{1,4}))?$`)
	footnoteID = regexp.MustCompile(`^\^[A-Za-z][\w-]{0,30}$`)
	sourceWord = regexp.MustCompile(`^(?i)(?:sources?|refs?\.?|来源|參考|参考)\s*[:：]?\s*((?:S?\d{1,4}(?:\s*(?:,|，|、|;|&|and|-|–)\s*)?)+)$`)
	sourceID   = regexp.MustCompile(`^S\d{1,4}(?:\s*[,，;、]\s*S\d{1,4})*$`)
	markSplit  = regexp.MustCompile(`\s*(?:[,，;；、&]|\band\b)\s*`)
)

// bracketMark reads [1], [1, 2], [1-3], [S3], [^4], [^note].
func (p *draftReader) bracketMark(i, end int) ([]Marker, int) {
	closing := p.find(']', i+1, end, maxMarkRunes)
	if closing < 0 || closing+1 < end && (p.src[closing+1] == '(' || p.src[closing+1] == ':') && p.src[i+1] != '^' && p.linked(closing+1, end) {
		return nil, 0
	}
	inside := strings.TrimSpace(string(p.src[i+1 : closing]))
	if footnoteID.MatchString(inside) {
		p.stamp(i, closing+1)
		return []Marker{p.marker(i, closing+1, MarkerFootnote, inside[1:])}, closing + 1
	}
	return p.marks(i, closing+1, inside)
}

// linked reports whether "(https://" or "(#" follows: then [1] is the text of a link.
func (p *draftReader) linked(i, end int) bool {
	if p.src[i] != '(' {
		return false
	}
	next := string(p.src[i+1 : min(end, i+5)])
	return strings.HasPrefix(next, "http") || strings.HasPrefix(next, "#") || strings.HasPrefix(next, "<htt")
}

// marks makes the markers of one bracket from its list of ids, or none if it holds anything else.
func (p *draftReader) marks(start, end int, list string) ([]Marker, int) {
	var out []Marker
	for _, item := range markSplit.Split(list, -1) {
		m := markItem.FindStringSubmatch(strings.TrimSpace(item))
		if m == nil {
			return nil, 0
		}
		kind := MarkerNumber
		switch {
		case m[1] != "":
			kind = MarkerFootnote
		case m[2] != "":
			kind = MarkerID
		}
		first, _ := strconv.Atoi(m[3])
		last := first
		if m[4] != "" {
			last, _ = strconv.Atoi(m[4])
		}
		if first < 1 || last < first || last-first > maxRange {
			return nil, 0
		}
		if m[4] == "" {
			out = append(out, p.marker(start, end, kind, m[2]+m[3]))
			continue
		}
		for n := first; n <= last; n++ {
			out = append(out, p.marker(start, end, kind, m[2]+strconv.Itoa(n)))
		}
	}
	if len(out) == 0 {
		return nil, 0
	}
	p.stamp(start, end)
	return out, end
}

// lenticularMark reads 【2†L10-L12】 and 【3】.
func (p *draftReader) lenticularMark(i, end int) ([]Marker, int) {
	closing := p.find('】', i+1, end, maxMarkRunes)
	if closing < 0 {
		return nil, 0
	}
	inside, _, _ := strings.Cut(string(p.src[i+1:closing]), "†")
	if _, second, ok := strings.Cut(inside, ":"); ok { // 【4:2†source】: message and source
		inside = second
	}
	return p.marks(i, closing+1, strings.TrimSpace(inside))
}

// sourceMark reads (Source 13), (S1, S2), （来源：3）.
func (p *draftReader) sourceMark(i, end int) ([]Marker, int) {
	closing := p.find(')', i+1, end, maxMarkRunes)
	if p.src[i] == '（' {
		closing = p.find('）', i+1, end, maxMarkRunes)
	}
	if closing < 0 {
		return nil, 0
	}
	inside := strings.TrimSpace(string(p.src[i+1 : closing]))
	if m := sourceWord.FindStringSubmatch(inside); m != nil {
		inside = m[1]
	} else if !sourceID.MatchString(inside) {
		return nil, 0
	}
	return p.marks(i, closing+1, inside)
}

// link reads [text](address "title") at i: where the text ends, the address, and where the link ends.
func (p *draftReader) link(i, end int) (textEnd int, address string, after int, ok bool) {
	depth := 0
	for j := i; j < end && j-i <= maxLinkTextRunes; j++ {
		switch p.src[j] {
		case '[':
			if depth++; depth > 2 {
				return 0, "", 0, false
			}
		case ']':
			if depth--; depth == 0 {
				textEnd = j
			}
		}
		if textEnd > 0 {
			break
		}
	}
	if textEnd == 0 || textEnd+1 >= end || p.src[textEnd+1] != '(' {
		return 0, "", 0, false
	}
	depth = 0
	for j := textEnd + 1; j < end && j-textEnd <= maxAddressRunes; j++ {
		switch p.src[j] {
		case '(':
			depth++
		case ')':
			if depth--; depth > 0 {
				continue
			}
			address, _, _ = strings.Cut(strings.TrimSpace(string(p.src[textEnd+2:j])), " ")
			address = strings.Trim(address, "<>")
			return textEnd, address, j + 1, strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
		case '\n':
			return 0, "", 0, false
		}
	}
	return 0, "", 0, false
}

// tag returns where an HTML tag or comment ends, 0 if there is none at i.
func (p *draftReader) tag(i, end int) int {
	const longest = 200
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

// address reads a bare https://….
func (p *draftReader) address(i, end int) ([]Marker, int) {
	head := strings.ToLower(string(p.src[i:min(end, i+8)]))
	if !strings.HasPrefix(head, "http://") && !strings.HasPrefix(head, "https://") || i > 0 && alphabetic(p.src[i-1]) {
		return nil, 0
	}
	m := bareURL.FindString("http" + string(p.src[i+4:min(end, i+maxAddressRunes)]))
	m = trimAddress(m)
	n := len([]rune(m))
	if _, rest, _ := strings.Cut(m, "://"); rest == "" {
		return nil, 0
	}
	p.stamp(i, i+n)
	return []Marker{p.marker(i, i+n, MarkerURL, m)}, i + n
}

// doi reads doi:10.1000/x and a bare 10.1000/x.
func (p *draftReader) doi(i, end int) ([]Marker, int) {
	if i > 0 && (alphabetic(p.src[i-1]) || p.src[i-1] == '.' || p.src[i-1] == '/') {
		return nil, 0
	}
	if head := strings.ToLower(string(p.src[i:min(end, i+4)])); !strings.HasPrefix(head, "10.") && head != "doi:" {
		return nil, 0
	}
	const longest = 230
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
