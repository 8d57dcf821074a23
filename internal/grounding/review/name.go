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

// otherNames replaces a name by another of the text around that has as many words.
func otherNames(w *writer, b base, near string) []string {
	var others []string
	low := strings.ToLower(near)
	near = running(near)
	for _, at := range names(near, b.lang) {
		n := at.in(near)
		if strings.ToUpper(n) == n && utf8.RuneCountInString(n) > 4 || len(occurrences(low, n)) > strings.Count(near, n) {
			continue // written in capitals for show, or an ordinary word elsewhere
		}
		if !strings.Contains(b.text, n) && !slices.Contains(others, n) {
			others = append(others, n)
		}
	}
	var out []string
	for _, at := range names(b.text, b.lang) {
		old := at.in(b.text)
		for _, other := range others {
			if len(strings.Fields(other)) == len(strings.Fields(old)) && !alike(other, old) {
				out = append(out, b.text[:at.start]+other+b.text[at.end:])
			}
		}
	}
	return out
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

// swappedNames exchanges two names of a sentence, where their order says who did what: not in a list.
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
		if !telling || alike(x, y) {
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
