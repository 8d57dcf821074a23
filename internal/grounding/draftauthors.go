package grounding

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// maxAuthorRunes bounds one bracket with authors and years: "(Smith et al., 2021a; Jones & Lee, 2020, p. 4)".
const maxAuthorRunes = 300

const yearPattern = `(?:1[5-9]|20)\d\d[a-z]?|n\.d\.|in press|forthcoming`

var (
	someYear = lazyregexp.New(`(?:1[5-9]|20)\d\d|n\.d\.|in press|forthcoming`)
	// One citation of a bracket: what leads to it, the names, the years, and where in the work.
	authorYear = lazyregexp.New(`^(?:(?:see also|see|cf\.?|e\.g\.?,?|i\.e\.?,?|as cited in|cited in|quoted in|reviewed in|adapted from|based on|according to|following|after|compare|also|in|from|and|but see|for example,?|参见|详见|见|引自|转引自|根据|参考)[\s,，:：]+|(?:参见|详见|见|引自))*` +
		`(.{1,160}?)[\s,，]*\s*\(?(` + yearPattern + `)\)?((?:\s*[,，&]\s*(?:` + yearPattern + `|[a-z])\b)*)(?:\s*[,，:：]\s*(?:pp?\.|page|pages|chapter|ch\.|sec|fig|table|para|第|§|\d).{0,40})?$`)
	moreYears = lazyregexp.New(yearPattern + `|\b[a-z]\b`)
	// A bracket after the names: "(2019)", "(2019a, 2020)", "(2019, p. 4)".
	onlyYears = lazyregexp.New(`^(` + yearPattern + `)((?:\s*[,，;；&]\s*(?:` + yearPattern + `|[a-z])\b)*)(?:\s*[,，:：]\s*(?:pp?\.|page|chapter|第|§).{0,40})?$`)
	// Names that are surely meant as a citation, listed or not: "Smith et al.,", "Smith & Jones,", "Pew Research Center,".
	surelyNames = lazyregexp.New(`^\p{Lu}[\p{L}'’.-]+(?:(?:,? (?:&|and) |, )\p{Lu}[\p{L}'’.-]+){0,4}(?:,? et al\.?)?$|^(?:\p{Lu}[\p{L}'’.-]+ ){1,5}\p{Lu}[\p{L}'’.-]+$`)
	calendar    = lazyregexp.New(`(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|spring|summer|autumn|fall|winter|q[1-4]|since|until|before|after|circa|ca|fy|fiscal|year|version)\b\.?`)
)

// authorMarks reads the author-year citations of one bracket: all of its parts must be such. A part that the
// list does not have counts only in a draft whose list is of that kind, and only if its names can be nothing
// else.
func (p *draftReader) authorMarks(start, end int, inside string, round bool) []Marker {
	if !p.entries.named() || strings.Count(inside, "(") > 1 || !someYear.MatchString(inside) { // "((((2020)" is no name
		return nil
	}
	if m := onlyYears.FindStringSubmatch(inside); m != nil {
		if !round {
			return nil
		}
		return p.narrativeMarks(start, end, m[1], m[2])
	}
	var out []Marker
	known := false
	for _, part := range strings.FieldsFunc(inside, func(r rune) bool { return r == ';' || r == '；' }) {
		m := authorYear.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil || len(out) > maxListed {
			return nil
		}
		names := strings.TrimSpace(m[1])
		for _, year := range citedYears(m[2], m[3]) {
			entry := p.entries.author(names, year, false)
			if entry == 0 && !(p.entries.authorStyle && surelyNames.MatchString(names) && !calendar.MatchString(names) && strings.ContainsAny(part, ",&，")) {
				return nil
			}
			known = known || entry != 0
			mark := p.marker(start, end, MarkerAuthor, firstAuthor(names)+" "+year)
			mark.entry = entry
			out = append(out, mark)
		}
	}
	if len(out) == 0 || !known && !p.entries.authorStyle {
		return nil
	}
	p.stamp(start, end)
	return out
}

// citedYears lists the years of "2021a, b, 2022".
func citedYears(first, rest string) []string {
	years := []string{first}
	for _, y := range moreYears.FindAllString(rest, 20) {
		if len(y) == 1 { // "2021a, b"
			y = strings.TrimRight(first, "abcdefghijklmnopqrstuvwxyz") + y
		}
		years = append(years, y)
	}
	return years
}

// narrativeMarks reads "(2019)" after names that the list has: "Smith and Jones (2019)". The names stay in
// the sentence.
func (p *draftReader) narrativeMarks(start, end int, first, rest string) []Marker {
	const reach = 100 // code points
	before := strings.TrimRightFunc(string(p.src[max(p.blockStart, start-reach):start]), unicode.IsSpace)
	before = strings.TrimSuffix(strings.TrimSuffix(before, "'s"), "’s")
	var out []Marker
	for _, year := range citedYears(first, rest) {
		entry, name := p.namedBefore(before, year)
		if entry == 0 {
			return nil
		}
		mark := p.marker(start, end, MarkerAuthor, name+" "+year)
		mark.entry = entry
		out = append(out, mark)
	}
	p.stamp(start, end)
	return out
}

var (
	namesAtEnd = lazyregexp.New(`((?:(?:van|von|de|der|den|di|da|du|la|le|el|al|bin|ten|ter|dos) )*\p{Lu}[\p{L}'’.-]*(?: (?:[A-Z]\.|of|the|for|and|on|in|&|\p{Lu}[\p{L}'’.-]*)){0,8}(?:,? et al\.?)?)$`)
	hanAtEnd   = lazyregexp.New(`(\p{Han}{2,16}?)(?:等人?|和\p{Han}{2,4}|与\p{Han}{2,4})?$`)
)

// namedBefore finds the entry whose authors end a stretch of text: the longest name that the list has.
func (p *draftReader) namedBefore(before, year string) (entry int, name string) {
	if m := namesAtEnd.FindStringSubmatch(before); m != nil {
		words := strings.Fields(m[1])
		for i := range words {
			names := strings.Join(words[i:], " ")
			if e := p.entries.author(names, year, true); e != 0 {
				return e, firstAuthor(names)
			}
		}
	}
	if m := hanAtEnd.FindStringSubmatch(before); m != nil {
		han := []rune(m[1])
		for i := range han {
			if e := p.entries.author(string(han[i:]), year, true); e != 0 && i <= len(han)-2 {
				return e, string(han[i:])
			}
		}
	}
	return 0, ""
}

var authorsEnd = lazyregexp.New(`(?i)\s*(?:,|，|、|;|&|\band\b|\bet al\b|\bu\. ?a\b|等|和|与).*$`)

// firstAuthor is the name that a citation or an entry begins with, folded, without initials: "Smith, J., &
// Jones, K." and "J. Smith and K. Jones" both begin with "smith".
func firstAuthor(names string) string {
	words := strings.FieldsFunc(authorsEnd.ReplaceAllString(strings.TrimSpace(names), ""), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".[]()", r)
	})
	var kept []string
	for _, w := range words {
		if len(words) > 1 && nameInitials(w) {
			continue
		}
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		kept = append(kept, strings.ToLower(strings.Trim(w, "'’\"“”*_-")))
	}
	return strings.Join(kept, " ")
}

// initials reports whether a part of a name is one or two capitals: J, JK, J-K.
func nameInitials(s string) bool {
	n := 0
	for _, r := range s {
		if r == '-' {
			continue
		}
		if !unicode.IsUpper(r) || unicode.Is(unicode.Han, r) {
			return false
		}
		n++
	}
	return n > 0 && n <= 2
}
