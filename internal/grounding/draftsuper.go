package grounding

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Raised numbers are citations only where they cannot be exponents, charges or units.

const superscriptDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// superscript reads ¹, ²˒³ and ⁴⁻⁶.
func (p *draftReader) superscript(i, end int) ([]Marker, int) {
	var list strings.Builder
	j := i
	for ; j < end; j++ {
		r := p.src[j]
		switch n := strings.IndexRune(superscriptDigits, r); {
		case n >= 0:
			list.WriteByte("0123456789"[len([]rune(superscriptDigits[:n]))])
			continue
		case (r == '⁻' || r == '–' || r == '-') && j > i && j+1 < end && strings.ContainsRune(superscriptDigits, p.src[j+1]):
			list.WriteByte('-')
			continue
		case (r == ',' || r == '˒' || r == '⸴' || r == '\'' || r == '’' || r == '﹐') && j > i && j+1 < end && strings.ContainsRune(superscriptDigits, p.src[j+1]):
			list.WriteByte(',')
			continue
		}
		break
	}
	if j < end && (p.src[j] == '⁻' || p.src[j] == '⁺' || alphabetic(p.src[j])) || !p.raised(i, list.String()) {
		return nil, j
	}
	m, _ := p.marks(i, j, list.String())
	return m, j
}

// raised reports whether raised numbers at i are a citation: the list has the first of them, or they stand
// after the end of a sentence; and they are no exponent.
func (p *draftReader) raised(i int, list string) bool {
	start := i
	for start > p.blockStart && i-start < 24 && (alphabetic(p.src[start-1]) || strings.ContainsRune("₀₁₂₃₄₅₆₇₈₉₊₋ₓ", p.src[start-1])) {
		start--
	}
	word := string(p.src[start:i])
	first, _, _ := strings.Cut(strings.ReplaceAll(list, "-", ","), ",")
	if strings.HasPrefix(first, "0") {
		return false
	}
	listed := p.entries.find(MarkerNumber, first, 0) != 0 || p.entries.find(MarkerFootnote, first, 0) != 0
	if word == "" {
		if i == p.blockStart {
			return false
		}
		before := p.src[i-1]
		return strings.ContainsRune(".!?。！？”\"’", before) && !(i > 1 && unicode.IsDigit(p.src[i-2])) || listed && strings.ContainsRune(",;:；，：、)）]】*_», \t", before)
	}
	return listed && !exponent(word)
}

// exponent reports whether a raised number after this word is a power, a unit's or a formula's.
func exponent(word string) bool {
	runes := []rune(word)
	if unicode.In(runes[len(runes)-1], unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return strings.HasSuffix(word, "米") // 米²
	}
	if len(runes) <= 2 || !unicode.IsLetter(runes[len(runes)-1]) || strings.ContainsFunc(word, unicode.IsDigit) {
		return true
	}
	if unitBefore.MatchString(word) {
		return true
	}
	for i, r := range runes[1:] { // MoO, CaCO: capitals and small letters mixed as in formulas
		if unicode.IsUpper(r) && unicode.IsLower(runes[i]) && len(runes) <= 6 {
			return true
		}
	}
	return false
}

var unitBefore = lazyregexp.New(`(?i)^(?:met(?:re|er)s?|(?:kilo|centi|milli|deci)met(?:re|er)s?|f(?:oo|ee)t|inch(?:es)?|miles?|yards?|mils?|nmi|log|sin|cos|tan|exp|chi|eta|rho|sigma|tau|squared?)$`)

// caretMark reads ^1^ and ^[1]^, as Pandoc writes raised numbers.
func (p *draftReader) caretMark(i, end int) ([]Marker, int) {
	shut := p.find('^', i+1, end, 40)
	if shut < 0 {
		return nil, 0
	}
	inside := strings.Trim(narrow(p.src[i+1:shut]), "[] ")
	if !numberList.MatchString(inside) || p.src[i+1] != '[' && !p.raised(i, inside) {
		return nil, 0
	}
	return p.marks(i, shut+1, inside)
}

var (
	numberList  = lazyregexp.New(`^\d{1,3}(?:\s*[-–,;、，]\s*\d{1,3})*$`)
	htmlRaised  = lazyregexp.New(`(?is)^<sup[^<>]{0,100}>(.*)$`)
	raisedPairs = strings.NewReplacer("][", ",", "] [", ",", `\`, "")
	htmlTag     = lazyregexp.New(`<[^<>]{0,200}>`)
)

// raisedHTML reads <sup>1</sup>, <sup>[1, 2]</sup> and <sup><a href="#r1">1</a></sup>.
func (p *draftReader) raisedHTML(i, end int) ([]Marker, int) {
	const longest = 400
	text := string(p.src[i:min(end, i+longest)])
	closing := strings.Index(strings.ToLower(text), "</sup>")
	if closing < 0 {
		return nil, 0
	}
	after := i + len([]rune(text[:closing])) + len("</sup>")
	m := htmlRaised.FindStringSubmatch(text[:closing])
	if m == nil || strings.Contains(m[1], "http") || strings.Contains(m[1], "](") {
		return nil, 0
	}
	inside := strings.TrimSpace(htmlTag.ReplaceAllString(m[1], ""))
	bare := strings.Trim(raisedPairs.Replace(inside), "[] ")
	if !numberList.MatchString(strings.ReplaceAll(bare, "S", "")) || !strings.HasPrefix(inside, "[") && !strings.Contains(m[1], "<a") && !p.raised(i, bare) {
		return nil, 0
	}
	return p.marks(i, after, bare)
}
