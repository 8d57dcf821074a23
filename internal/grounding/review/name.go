package review

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// words finds the words of a text: letters with marks and inner apostrophes and hyphens.
func words(text string) []span {
	var out []span
	start := -1
	for i, r := range text {
		inside := unicode.IsLetter(r) || unicode.IsMark(r) || start >= 0 && (r == '\'' || r == '’' || r == '-' || unicode.IsDigit(r))
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			out = append(out, span{start, i})
			start = -1
		}
	}
	if start >= 0 {
		out = append(out, span{start, len(text)})
	}
	return out
}

// names finds the names of a text by their capitals: runs of capitalised words inside sentences. German writes all
// nouns so, and scripts without capitals have none: there only runs of two words or more count, or nothing.
func names(text, lang string) []span {
	lex := lexicon.For(lang)
	least := 1
	if lang == "de" {
		least = 2
	}
	var out []span
	var run []span
	opened := false // the run begins with the first word of a sentence, whose capital says nothing
	flush := func() {
		if len(run) > 0 && opened && !capitalLater(text[run[0].end:], run[0].in(text)) {
			run = nil
		}
		if len(run) >= least && !(len(run) == 1 && len(run[0].in(text)) < 3) {
			out = append(out, span{run[0].start, run[len(run)-1].end})
		}
		run = nil
	}
	sentenceStart := true
	end := 0
	for _, at := range words(text) {
		gap := text[end:at.start]
		if end > 0 && strings.ContainsAny(gap, ".!?\n:") {
			sentenceStart = true
		}
		if strings.TrimSpace(gap) != "" {
			flush()
		}
		word := at.in(text)
		first, _ := utf8.DecodeRuneInString(word)
		capital := unicode.IsUpper(first)
		_, function := lex.Is(lexicon.Function, word)
		_, calendar := lex.Is(lexicon.Calendar, word)
		switch {
		case !capital || function || calendar:
			flush()
		default:
			if len(run) == 0 {
				opened = sentenceStart
			}
			run = append(run, at)
		}
		sentenceStart = false
		end = at.end
	}
	flush()
	return out
}

// capitalLater reports whether a word comes again with its capital, inside a sentence.
func capitalLater(text, word string) bool {
	i := strings.Index(text, " "+word)
	return i > 0 && !strings.ContainsRune(".!?", rune(text[i-1]))
}

// otherNames replaces a name by another of the text that has as many words and is of the same kind: both come after the
// same word of place, or both before a word of speech. Without such a sign "the quay at Holm" becomes "at Anna Berg".
func otherNames(w *writer, b base, near string) []string {
	near = running(near)
	var out []string
	for _, at := range names(b.text, b.lang) {
		old, kinds := at.in(b.text), nameKinds(b.text, at, b.lang)
		for _, other := range names(near, b.lang) {
			name := other.in(near)
			if shares(nameKinds(near, other, b.lang), kinds) && len(strings.Fields(name)) == len(strings.Fields(old)) &&
				!alike(name, old) && !mentions(b.text, name) && !ordinary(near, name) {
				out = append(out, b.text[:at.start]+name+b.text[at.end:])
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// nameKinds are signs of what a name names: the word of place before it, "speaker" before a word of speech or after a
// title.
func nameKinds(text string, at span, lang string) []string {
	var out []string
	before := strings.ToLower(strings.TrimRight(text[:at.start], " "))
	for _, p := range listed(lang, "place") {
		if strings.HasSuffix(before, " "+p) || before == p {
			out = append(out, p)
		}
	}
	if nextIs(text[at.end:], listed(lang, "speech")...) && strings.HasPrefix(text[at.end:], " ") {
		out = append(out, "speaker")
	}
	for _, title := range listed(lang, "title") {
		if strings.HasSuffix(before, strings.ToLower(title)) || strings.HasPrefix(at.in(text), title+" ") {
			out = append(out, "speaker")
		}
	}
	return out
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

// mentions reports whether a text has one of the words of a name.
func mentions(text, name string) bool {
	return slices.ContainsFunc(strings.Fields(name), func(part string) bool { return strings.Contains(text, part) })
}

// ordinary reports whether a name is written in capitals for show, or is an ordinary word elsewhere in the text.
func ordinary(text, name string) bool {
	return strings.ToUpper(name) == name && utf8.RuneCountInString(name) > 4 || len(occurrences(strings.ToLower(text), name)) > strings.Count(text, name)
}

// running keeps the lines of a text that are sentences, not headings or cells: there every word may have a capital.
func running(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.ContainsAny(line, ".。!?") && len(strings.Fields(line)) > 5 {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// alike reports whether two names may be of the same thing: one is a part, a form or the initials of the other.
func alike(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if strings.Contains(a, b) || strings.Contains(b, a) {
		return true
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n >= 4 {
		return true
	}
	return slices.ContainsFunc(strings.Fields(a), func(x string) bool { return len(x) > 3 && slices.Contains(strings.Fields(b), x) })
}

// swappedNames exchanges two names of a sentence, where a verb between them says who did what.
func swappedNames(_ *writer, b base, _ string) []string {
	at := names(b.text, b.lang)
	lex := lexicon.For(b.lang)
	var out []string
	for i := 0; i+1 < len(at); i++ {
		x, y := at[i].in(b.text), at[i+1].in(b.text)
		between := b.text[at[i].end:at[i+1].start]
		telling := slices.ContainsFunc(words(between), func(s span) bool {
			_, function := lex.Is(lexicon.Function, s.in(between))
			return !function && len(s.in(between)) > 2
		})
		if !telling || alike(x, y) || ordinary(b.text, x) || ordinary(b.text, y) || strings.ContainsAny(between, ",;") || len(strings.Fields(x)) != len(strings.Fields(y)) || len(strings.Fields(x)) < 2 || b.lang == "de" {
			continue
		}
		out = append(out, b.text[:at[i].start]+y+between+x+b.text[at[i+1].end:])
	}
	return out
}

// cased gives a word the capital of the one it replaces.
func cased(word, like string) string {
	first, _ := utf8.DecodeRuneInString(like)
	if !unicode.IsUpper(first) {
		return word
	}
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}
