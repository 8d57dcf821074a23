package grounding

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// The kinds of an author's own statement: DraftSentence.Own. A sentence of these kinds is not compared with a source, and
// so never grounded.
const (
	OwnInference = "inference" // the author concludes it: it says so, or has the mark [inference]
	OwnAbsence   = "absence"   // the sources that were read do not say something
	OwnOpen      = "open"      // a question without an answer
)

// ownAdvice is the kind of the expressions for what a writer recommends, estimates or assumes; the statement is an inference.
const ownAdvice = "advice"

// markerInference is the kind of the mark [inference], and what it holds, while a draft is read. No marker of a parsed
// draft has it.
const markerInference = "inference"

//go:embed own.txt
var ownText string

// ownPatterns are the expressions of own.txt, each language and kind ("en.absence") as one.
var ownPatterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	lines := make(map[string][]string)
	for line := range strings.Lines(ownText) {
		kind, pattern, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if ok && !strings.HasPrefix(kind, "#") {
			lines[kind] = append(lines[kind], pattern)
		}
	}
	out := make(map[string]*regexp.Regexp, len(lines))
	for kind, patterns := range lines {
		out[kind] = regexp.MustCompile("(?i)" + strings.Join(patterns, "|"))
	}
	return out
})

// maxOwnBytes bounds a sentence that can say by its words that it is the author's own; a longer one says more than that.
const maxOwnBytes = 500

// ownBy tells by its words whether a sentence is its author's own statement. One that cites something is an open question
// of its source; one with figures states facts, except that an absence may name what is absent by a figure. A sentence with
// semicolons is an absence if all its parts are, or go on with one: "no page read gives a price; nor a date".
func ownBy(text string, cited bool) string {
	if len(text) > maxOwnBytes {
		return ""
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '；' })
	if len(parts) > 1 {
		for i, part := range parts {
			part = strings.TrimSpace(part)
			if ownClause(part, cited) != OwnAbsence && (i == 0 || !saysOwn("more", part) || ownContrast(part)) {
				return ""
			}
		}
		return OwnAbsence
	}
	return ownClause(text, cited)
}

// ownClause is ownBy for a text without semicolons.
func ownClause(text string, cited bool) string {
	figures := strings.ContainsFunc(text, unicode.IsDigit)
	for _, kind := range []string{OwnAbsence, OwnInference, ownAdvice, OwnOpen} {
		if kind == OwnOpen && (cited || figures) || kind == ownAdvice && cited {
			continue
		}
		for _, language := range lexicon.Languages() {
			switch {
			case !ownPatterns()[language+"."+kind].MatchString(text) || ownPatterns()[language+".contrast"].MatchString(text):
			case kind == ownAdvice:
				return OwnInference
			default:
				return kind
			}
		}
	}
	return ""
}

// ownContrast reports whether a text has, in any language, a clause that says something else.
func ownContrast(text string) bool {
	return slices.ContainsFunc(lexicon.Languages(), func(language string) bool { return ownPatterns()[language+".contrast"].MatchString(text) })
}

// saysOwn reports whether a heading or the head of a column says, in any language, that what is below it is of a kind.
func saysOwn(kind, head string) bool {
	head = strings.TrimRight(head, "#*_:：°. ")
	return slices.ContainsFunc(lexicon.Languages(), func(language string) bool {
		pattern := ownPatterns()[language+"."+kind]
		return pattern != nil && pattern.MatchString(head)
	})
}

// StatesFacts reports whether a sentence of the author's own has what a source should support: a figure, or a name
// after its first word.
func (s DraftSentence) StatesFacts() bool {
	if strings.ContainsFunc(s.Text, unicode.IsDigit) {
		return true
	}
	words := strings.Fields(s.Text)
	for i, w := range words {
		w = strings.TrimLeft(w, `"'(“‘«`)
		r, ok := firstLetter(w)
		if i > 0 && ok && unicode.IsUpper(r) && w != "I" && !strings.HasSuffix(words[i-1], ":") && claimLanguage(s.Text, "") != "de" {
			return true
		}
	}
	return false
}

func firstLetter(word string) (rune, bool) {
	for _, r := range word {
		return r, unicode.IsLetter(r)
	}
	return 0, false
}

// settle removes the marks [inference] from the new marks of a sentence, which begin at an index, and decides whether the
// sentence is its author's own. One that also cites something is not: it is checked, up to its last citation if the mark
// is after that (see splitOwn).
func (s *DraftSentence) settle(from int) {
	kept := s.Markers[:from]
	for _, m := range s.Markers[from:] {
		if m.Kind == markerInference {
			s.inferred = m.Start + 1
			continue
		}
		kept = append(kept, m)
	}
	s.Markers = kept
	if len(kept) == 0 {
		s.Markers = nil
	}
	if s.inferred > 0 && s.Markers == nil {
		s.Own, s.IsClaim = OwnInference, false
		return
	}
	s.Own = ""
	if s.IsClaim {
		s.Own = ownBy(s.Text, len(s.Markers) > 0)
		s.IsClaim = s.Own == ""
	}
}
