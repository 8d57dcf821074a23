package review

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

//go:embed data
var files embed.FS

// swap replaces words by others that make a true sentence false.
type swap struct{ from, to string }

// swapTables are the swaps of every language that has a file, by language and section.
var swapTables = sync.OnceValue(func() map[string]map[string][]swap {
	out := map[string]map[string][]swap{}
	for _, lang := range lexicon.Languages() {
		if data, err := files.ReadFile("data/" + lang + ".txt"); err == nil {
			out[lang], _ = parseSwaps(string(data)) // a test reads every file
		}
	}
	return out
})

// parseSwaps reads "[section]" lines and "from -> to" lines; # begins a comment.
func parseSwaps(data string) (map[string][]swap, error) {
	out := map[string][]swap{}
	section, n := "", 0
	for line := range strings.Lines(data) {
		n++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = line[1 : len(line)-1]
		default:
			from, to, ok := strings.Cut(line, "->")
			from, to = strings.TrimSpace(from), strings.TrimSpace(to)
			if !ok || section == "" || from == "" || from == to {
				return out, fmt.Errorf("line %d: want [section], then from -> to: %q", n, line)
			}
			out[section] = append(out[section], swap{from, to})
		}
	}
	return out, nil
}

// bySwaps changes a sentence by the swaps of a section. Of two that begin at one place only the longer counts, so that
// "is not" becomes "is", never "is not not".
func bySwaps(section string) func(*writer, base, string) []string {
	return func(_ *writer, b base, _ string) []string {
		if section == "negation" && negations(b.text, b.lang) > 1 {
			return nil // what two negations say together is easily misread
		}
		var out []string
		claimed := map[int]bool{} // bytes that a longer swap covers
		for _, s := range byLength(swapTables()[b.lang][section]) {
			for _, at := range occurrences(b.text, s.from) {
				if claimed[at.start] || claimed[at.end-1] {
					continue
				}
				for i := at.start; i < at.end; i++ {
					claimed[i] = true
				}
				if section == "unit" && !afterNumber(b.text[:at.start], b.lang) || section == "bound" && !beforeNumber(b.text[at.end:], b.lang) {
					continue
				}
				if section == "negation" && negations(b.text, b.lang) > 0 && negations(s.from, b.lang) == 0 {
					continue // a second negation beside the first
				}
				if s.to == "=" || !reads(s, b.text[:at.start], b.text[at.end:], b.lang) { // "=" covers shorter swaps and changes nothing
					continue
				}
				out = append(out, b.text[:at.start]+cased(s.to, at.in(b.text))+b.text[at.end:])
			}
		}
		return out
	}
}

// reads reports whether a swap reads well before the words that follow: German "nicht" not at the end of a clause,
// French
// and Spanish negation not behind a pronoun, English "not" not before "unlikely", "all" only before a plural.
func reads(s swap, before, rest, lang string) bool {
	following, preceding := strings.Fields(rest), strings.Fields(before)
	switch {
	case (lang == "fr" && strings.HasSuffix(s.to, " pas") || lang == "es" && strings.HasPrefix(s.to, "no ")) && len(preceding) > 0:
		return !slices.Contains([]string{"le", "la", "les", "y", "en", "se", "lo", "me", "nous", "lui"}, strings.ToLower(preceding[len(preceding)-1]))
	case lang == "de" && strings.HasSuffix(s.to, " nicht") && !strings.HasSuffix(s.from, " nicht"):
		return strings.HasPrefix(rest, " ")
	case lang == "en" && strings.HasSuffix(s.to, "not"):
		return strings.HasPrefix(rest, " ") && len(following) > 0 && !strings.HasPrefix(following[0], "un")
	case lang == "en" && (s.to == "all" || s.to == "hardly any"):
		for _, f := range following[:min(len(following), 2)] {
			if f = strings.TrimRight(f, ".,;"); strings.HasSuffix(f, "s") || f == "people" || f == "children" || f == "women" || f == "men" {
				return true
			}
		}
		return s.to != "all"
	}
	return true
}

// byLength orders swaps by the length of what they replace, longest first; equal ones keep their order.
func byLength(in []swap) []swap {
	out := make([]swap, 0, len(in))
	for n := longest(in); n > 0; n-- {
		for _, s := range in {
			if len(s.from) == n {
				out = append(out, s)
			}
		}
	}
	return out
}

func longest(in []swap) int {
	n := 0
	for _, s := range in {
		n = max(n, len(s.from))
	}
	return n
}

// occurrences finds whole words, without regard to case. In scripts without spaces every place counts.
func occurrences(text, what string) []span {
	low, what := strings.ToLower(text), strings.ToLower(what)
	if len(low) != len(text) {
		return nil // lower case moved the offsets
	}
	var out []span
	for from := 0; ; {
		i := strings.Index(low[from:], what)
		if i < 0 {
			return out
		}
		at := span{from + i, from + i + len(what)}
		from = at.end
		before, _ := utf8.DecodeLastRuneInString(text[:at.start])
		after, _ := utf8.DecodeRuneInString(text[at.end:])
		if unspacedShare(what) > 0 || !inWord(before) && !inWord(after) {
			out = append(out, at)
		}
	}
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || r == '-' || r == '\'' || r == '’'
}

// afterNumber reports whether the word before is a number, in digits or letters.
func afterNumber(before, lang string) bool {
	before = strings.TrimRight(before, " -")
	last, _ := utf8.DecodeLastRuneInString(before)
	if n := len(before); n >= 4 && year(before[n-4:]) && unspacedShare(before) > 0 {
		return false // 2020年 is a date
	}
	if unicode.IsDigit(last) || strings.ContainsRune("一二三四五六七八九十百千万亿億両两几数", last) {
		return true
	}
	all := words(before)
	if len(all) == 0 || all[len(all)-1].end != len(before) {
		return false
	}
	e, ok := lexicon.For(lang).Is(lexicon.Number, all[len(all)-1].in(before))
	return ok && e.Class != "ordinal"
}

// beforeNumber reports whether a number follows, in digits or letters.
func beforeNumber(rest, lang string) bool {
	rest = strings.TrimLeft(rest, " $€£约")
	first, _ := utf8.DecodeRuneInString(rest)
	if unicode.IsDigit(first) || strings.ContainsRune("一二三四五六七八九十百千万半", first) {
		return true
	}
	all := words(rest)
	if len(all) == 0 || all[0].start != 0 {
		return false
	}
	_, ok := lexicon.For(lang).Is(lexicon.Number, all[0].in(rest))
	return ok
}

// opposites replaces a word by its opposite of the same inflection, where the sentence does not hold both.
func opposites(_ *writer, b base, _ string) []string {
	lex := lexicon.For(b.lang)
	if lex == nil {
		return nil
	}
	var out []string
	low := strings.ToLower(b.text)
	for _, m := range lex.Scan(b.text) {
		if m.Kind != lexicon.Opposite {
			continue
		}
		word := b.text[m.Start:m.End]
		if _, function := lex.Is(lexicon.Function, word); function {
			if r, ok := lex.Is(lexicon.Relation, word); !ok || r.Class != "before" && r.Class != "after" {
				continue // "in" is rarely the opposite of "out"
			}
		}
		found := lex.Opposites(word)
		if risky(b.text, m) || slices.ContainsFunc(found, func(o string) bool { return strings.Contains(low, strings.ToLower(o)) }) {
			continue
		}
		for _, o := range found {
			out = append(out, b.text[:m.Start]+cased(o, word)+b.text[m.End:])
		}
	}
	return out
}

// risky reports whether a word may be part of a name or of a fixed phrase: it has a capital inside a sentence, or a
// hyphen beside it.
func risky(text string, m lexicon.Match) bool {
	first, _ := utf8.DecodeRuneInString(text[m.Start:])
	before, _ := utf8.DecodeLastRuneInString(text[:m.Start])
	after, _ := utf8.DecodeRuneInString(text[m.End:])
	return m.Start > 0 && unicode.IsUpper(first) || before == '-' || after == '-'
}

func negations(text, lang string) int {
	n := 0
	for _, m := range lexicon.For(lang).Scan(text) {
		if m.Kind == lexicon.Negation {
			n++
		}
	}
	return n
}
