package review

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// bySwaps changes a sentence by the swaps of a section. Of two that begin at one place only the longer counts, so that
// "is not" becomes "is", never "is not not".
func bySwaps(section string) func(*writer, base, string) []string {
	return func(_ *writer, b base, _ string) []string {
		if section == "negation" && negations(b.text, b.lang) > 1 {
			return nil // what two negations say together is easily misread
		}
		var out []string
		for _, m := range matches(b.text, swapTables()[b.lang][section]) {
			before, rest := b.text[:m.at.start], b.text[m.at.end:]
			if fits(section, m.swap, before, rest, b.lang) {
				out = append(out, articled(before, m.swap.to, b.lang)+cased(m.swap.to, m.at.in(b.text))+rest)
			}
		}
		return out
	}
}

// articled fits an English indefinite article at the end of a text to the word that follows: "an earlier", "a later".
func articled(before, next, lang string) string {
	if lang != "en" || !previousIs(before, "a", "an") || !strings.HasSuffix(before, " ") {
		return before
	}
	body := strings.TrimSuffix(strings.TrimRight(before, " "), "n")
	if strings.ContainsRune("aeio", rune(next[0])) {
		body += "n"
	}
	return body + " "
}

// match is a place where a swap can be made.
type match struct {
	swap swap
	at   span
}

// matches finds the swaps of a sentence that do not overlap, the longest first at each place, in the order of the text.
// A name that is written like an ordinary word is not taken for it.
func matches(text string, swaps []swap) []match {
	var out []match
	claimed := make([]bool, len(text))
	for _, s := range byLength(swaps) {
		for _, at := range occurrences(text, s.from) {
			first, _ := utf8.DecodeRuneInString(at.in(text))
			small, _ := utf8.DecodeRuneInString(s.from)
			if claimed[at.start] || claimed[at.end-1] || at.start > 0 && unicode.IsUpper(first) && !unicode.IsUpper(small) {
				continue
			}
			for i := at.start; i < at.end; i++ {
				claimed[i] = true
			}
			if s.to != "=" { // which covers shorter swaps and changes nothing
				out = append(out, match{s, at})
			}
		}
	}
	slices.SortFunc(out, func(a, b match) int { return a.at.start - b.at.start })
	return out
}

// fits reports whether a swap of a section reads well between the words around it.
func fits(section string, s swap, before, rest, lang string) bool {
	switch section {
	case "unit":
		return afterNumber(before, lang) && !nextIs(rest, "per", "a", "an", "pro", "par", "por") && !inBrackets.MatchString(rest)
	case "bound", "same number":
		return beforeNumber(rest, lang)
	case "rate":
		first, _ := utf8.DecodeRuneInString(rest)
		return (s.from != "twice" || !nextIs(rest, "as", "the")) && !strings.ContainsRune("一二三四五六日天中上下早晚", first) // 每周三 is every Wednesday
	case "quantifier":
		return !beforeNumber(rest, lang) && !strings.HasPrefix(rest, ",") && !nextIs(rest, "or", "oder", "ou", "o", "and", "und") && quantifies(s, before, rest, lang)
	case "opposite":
		low, added := strings.ToLower(before+" "+rest), strings.ToLower(s.to)
		if strings.Contains(low, added) || strings.HasPrefix(rest, "-") || (s.from == "上午" || s.from == "下午") && strings.ContainsAny(rest+before, "到至") {
			return false
		}
		compares := strings.HasSuffix(s.from, " than") || strings.HasSuffix(s.from, " als") || strings.HasSuffix(s.from, " que") || nextIs(rest, "than", "als", "que")
		return !compares || negations(before+rest, lang) == 0 // "no longer than"
	case "negation":
		return negates(s, before, rest, lang)
	}
	return true
}

// inBrackets matches a number in brackets, which says an amount again: "two gigabytes (2 GB)".
var inBrackets = lazyregexp.New(`^\s?[(（][^)）]*[0-9]`)

// quantifies reports whether a quantifier has a plural to count.
func quantifies(s swap, before, rest, lang string) bool {
	following := strings.Fields(rest)
	switch {
	case lang == "de" && (s.to == "alle" || s.to == "nur wenige"):
		first, _ := utf8.DecodeRuneInString(strings.TrimSpace(rest))
		return unicode.IsUpper(first)
	case lang == "en" && nextIs(rest, "only"):
		return false
	case lang == "en" && slices.Contains([]string{"all", "few", "hardly any"}, s.to):
		if previousIs(before, "the", "a", "its", "their", "of", "at", "these", "those", "this", "that", "very", "not", "and", "no", "than", "only", "as", "so", "too", "how") {
			return false
		}
		for _, f := range following[:min(len(following), 2)] {
			if f == "of" || f == "or" || f == "and" || strings.HasPrefix(f, "times") {
				return false
			}
			f = strings.TrimRight(f, ".,;")
			if strings.HasSuffix(f, "s") && !strings.HasSuffix(f, "ss") || slices.Contains([]string{"people", "children", "women", "men", "staff"}, f) {
				return true
			}
		}
		return false
	}
	return true
}

// adverbs do not follow a new negation, or change what it says.
var adverbs = map[string][]string{
	"en": {"still", "already", "also", "only", "often", "usually", "mostly", "most", "more", "less", "about", "nearly", "almost", "now", "even", "far", "so", "as", "at", "one", "just", "rarely", "sometimes", "always", "never", "under", "over", "around", "roughly", "not", "last", "hardly", "probably", "perhaps", "possibly", "likely", "currently", "simply", "merely", "presumably", "apparently", "neither", "no", "both", "all", "some", "therefore", "then", "thus", "said", "where", "what", "how", "why", "when"},
	"fr": {"plus", "toujours", "encore", "déjà", "aussi", "souvent", "surtout", "donc", "ainsi", "pas", "parfois", "presque", "moins", "environ", "même", "tous", "toutes"},
	"es": {"más", "siempre", "todavía", "aún", "ya", "también", "a", "sobre", "casi", "menos", "unos", "unas", "todos", "todas", "muy"},
}

// afterNegation are words that need a negation beside them.
var afterNegation = []string{"yet", "any", "anyone", "anything", "ever", "either", "anymore", "noch", "encore", "aucun", "aucune", "ninguna", "ningún", "todavía", "aún", "まだ", "还", "尚", "任何"}

// ofTime begin clauses that are about something that happened.
var ofTime = []string{"after", "before", "when", "while", "until", "since", "nachdem", "bevor", "als", "während", "après", "avant", "lorsque", "quand", "pendant", "después", "antes", "cuando", "mientras"}

// germanBefore may follow "nicht" inside a clause.
var germanBefore = []string{"im", "in", "am", "an", "auf", "aus", "mit", "für", "von", "zum", "zur", "bei", "beim", "durch", "gegen", "über", "unter"}

// negates reports whether a negation reads well: German "nicht" at the end of a clause or before a phrase of place or
// means, French and Spanish negation not after a pronoun, English "not" not before a number or another adverb.
func negates(s swap, before, rest, lang string) bool {
	if slices.Contains([]string{"always", "immer", "toujours", "siempre"}, s.to) && (len(occurrences(before+rest, s.to)) > 0 || strings.Contains(before+rest, "stets")) {
		return false
	}
	if negations(s.from, lang) > 0 || negations(s.to, lang) == 0 {
		return !slices.ContainsFunc(afterNegation, func(word string) bool { return len(occurrences(before+rest, word)) > 0 })
	}
	if last := before[strings.LastIndexAny(before, ",;")+1:]; slices.ContainsFunc(ofTime, func(word string) bool { return len(occurrences(last, word)) > 0 }) {
		return false // "three years after it was not finished"
	}
	if len(occurrences(before, "whether")) > 0 {
		return false // "whether it is not open" may be as true
	}
	if negations(before+rest, lang) > 0 {
		return false // a second negation beside the first
	}
	switch lang {
	case "fr", "es":
		return !previousIs(before, "le", "la", "les", "y", "en", "se", "lo", "me", "nous", "lui", "ce", "qu'il", "no", "también") && !nextIs(rest, adverbs[lang]...) && !beforeNumber(rest, lang)
	case "de":
		if !strings.HasSuffix(s.to, " nicht") {
			return true
		}
		next, after, _ := strings.Cut(strings.TrimPrefix(rest, " "), " ")
		last := strings.TrimRight(next, ".,")
		first, _ := utf8.DecodeRuneInString(next)
		return strings.HasPrefix(rest, " ") && !shares(strings.Fields(rest), []string{"bereits", "schon", "noch", "auch"}) && (slices.Contains(germanBefore, next) || (last != next || after == "") && unicode.IsLower(first))
	case "en":
		return strings.HasPrefix(rest, " ") && !nextIs(rest, adverbs[lang]...) && !beforeNumber(rest, lang) && !strings.HasPrefix(rest, " un") &&
			!previousIs(before, "the", "a", "his", "her", "free", "as", "what", "how", "why", "where", "than", "there", "suggest", "suggests")
	}
	return true
}

func previousIs(before string, words ...string) bool {
	all := strings.Fields(before)
	return len(all) > 0 && slices.Contains(words, strings.ToLower(all[len(all)-1]))
}

func nextIs(rest string, words ...string) bool {
	all := strings.Fields(rest)
	return len(all) > 0 && slices.Contains(words, strings.Trim(strings.ToLower(all[0]), ".,;"))
}

// byLength orders swaps by the length of what they replace, longest first; equal ones keep their order.
func byLength(in []swap) []swap {
	out := slices.Clone(in)
	slices.SortStableFunc(out, func(a, b swap) int { return len(b.from) - len(a.from) })
	return out
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

func negations(text, lang string) int {
	n := 0
	for _, m := range lexicon.For(lang).Scan(text) {
		if m.Kind == lexicon.Negation {
			n++
		}
	}
	return n
}
