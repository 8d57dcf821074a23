package draft

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// closesWord matches what is behind a circled number that is no item's.
var closesWord = lazyregexp.New(`^.(?:[\s.,;，。；！？]|$)`)

// yearBefore matches a year, which nobody raises to a power.
var yearBefore = lazyregexp.New(`(?:^|[^\d.,])(?:1\d|20)\d\d\s?$`)

// raisedList matches ¹⁻³, ⁽¹⁾, ① and Pandoc's ^1^.
var raisedList = lazyregexp.New(`^(?:` +
	`([①-⑳]|⁽?[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[⁻–,˒⸴'’﹐-][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*⁾?)|` +
	`\^(\[?[\d,;\s–-]+\]?)\^)`)

// superscript reads raised numbers and returns where they end. They are a citation behind a stop, or where they are listed and not
// behind a digit or a short word, which make them exponents, charges or units.
func (m *marker) superscript(i int) int {
	after := m.run(i, inRaised)
	list := m.text[i:after]
	if found := raisedList.FindStringSubmatch(m.ahead(i)); list == "" && found != nil {
		after, list = i+len(found[0]), found[1]+found[2]
	}
	m.raised(i, after, list)
	return after
}

// texRaised is a raised list of TeX: $^{[1,2]}$.
var texRaised = lazyregexp.New(`^\$?\^\{?(\[?[\d,;\s–-]+\]?)\}?\$?$`)

// raisedCommas writes what parts raised numbers as a comma.
var raisedCommas = strings.NewReplacer("˒", ",", "⸴", ",", "'", ",", "’", ",").Replace

// raised cites a raised list of numbers or a file in [i, after).
func (m *marker) raised(i, after int, list string) {
	const longestUnit = 2 // letters
	sources := sourcesIn(strings.Trim(narrow(raisedCommas(list)), "[]() "))
	if sources == nil {
		m.cite(i, after, false, pathsIn(strings.Trim(list, "[] "), false)...)
	}
	if sources == nil || i == 0 {
		return
	}
	before := runeBefore(m.text, i)
	word := m.behind(i)
	word = word[len(strings.TrimRightFunc(word, func(c rune) bool { return unicode.IsLetter(c) && words.Spaced(c) })):]
	listed := m.find(sources[0].Kind, sources[0].Target, 0) != 0 &&
		(!unicode.IsNumber(before) && !strings.ContainsRune("⁻⁺", before) || yearBefore.MatchString(m.behind(i)))
	stop := strings.ContainsRune(stops+"”\"’", before) && !unicode.IsDigit(runeBefore(m.text, i-utf8.RuneLen(before)))
	if stop || listed && (word == "" || utf8.RuneCountInString(word) > longestUnit) || strings.Contains(list, "[") {
		m.list(i, after, sources)
	}
}

var (
	// loweredList matches listed numbers between a full stop and the next sentence: "1 The", "2,3" at the end.
	loweredList = lazyregexp.New(`^(\d{1,3}(?:, ?\d{1,3})*)(?:\s+[\p{Lu}\p{Han}“"(*\[]|\s*$)`)
	// endsWords matches the end of a sentence: a word that is no short one ("Fig.", "No.", "A."), or a year.
	endsWords = lazyregexp.New(`(?:\pL{5,}|\pL{2,} \pL{2,4}|[%)]|\s(?:1[5-9]|20)\d\d)[.!?]?["”]?[.!?]?$`)
	numbering = lazyregexp.New(`(?i)\b(?:figs?|nos?|nr|vols?|pp?|ch|secs?|eqs?|arts?|tabs?|chap|vers?|approx|ca|al|vs|st)[.!?]$`)
)

// lowered reads numbers behind a full stop whose raising was lost, "It is wide.1 It was opened in 1931.2,3", where all are listed.
func (m *marker) lowered(i int) int {
	list := loweredList.FindStringSubmatch(m.ahead(i))
	before := m.behind(i)
	if list == nil || !endsWords.MatchString(before) || numbering.MatchString(before) {
		return 0
	}
	sources := sourcesIn(list[1])
	if sources == nil || slices.ContainsFunc(sources, func(s Marker) bool { return m.find(s.Kind, s.Target, 0) == 0 }) {
		return 0
	}
	m.cite(i, i+len(list[1]), false, sources...)
	return i + len(list[1])
}
