package review

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// figure matches a number in digits that is no part of a word, a code or a citation mark.
var figure = lazyregexp.New(`\d+(?:[.,\x{00a0}\x{202f} ]\d{3})*(?:[.,]\d+)?`)

// span is a stretch of a sentence, in bytes.
type span struct{ start, end int }

func (s span) in(text string) string { return text[s.start:s.end] }

// figures finds the numbers of a sentence that can be changed.
func figures(text string) []span {
	var out []span
	for _, m := range figure.FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:m[0]])
		after, _ := utf8.DecodeRuneInString(text[m[1]:])
		if m[0] == 0 && strings.HasPrefix(strings.TrimLeft(text[m[1]:], " "), "–") {
			continue // the number of a list's item
		}
		if joins(before) || joins(after) && !unicode.In(after, unicode.Han, unicode.Hiragana, unicode.Katakana) && !unitFollows(text[m[1]:]) {
			continue
		}
		out = append(out, span{m[0], m[1]})
	}
	return out
}

// joins reports whether a character next to digits makes them part of a name: A320, COVID-19, 3/4.
func joins(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("-–/_#.:", r) && r != utf8.RuneError || unicode.IsDigit(r)
}

// unitFollows: "5kg" and a full stop after a number do not make it part of a name.
func unitFollows(rest string) bool {
	next, size := utf8.DecodeRuneInString(rest)
	after, _ := utf8.DecodeRuneInString(rest[size:])
	return next == '.' && !unicode.IsDigit(after) && !unicode.IsLetter(after)
}

// otherNumbers replaces one number by another that is not in the text around. Numbers of a range or after a bound
// stay: "at least 30" is true where the text says "at least 40".
func otherNumbers(w *writer, b base, near string) []string {
	var out []string
	all := figures(b.text)
	for i, at := range all {
		if inRange(b.text, all, i) || bounded(b.text, at, b.lang) || numbered(b.text, at, b.lang) {
			continue
		}
		change := w.otherFigure
		if dayOfMonth(b, at) {
			change = w.otherDay
		}
		if v, ok := change(at.in(b.text), near); ok && keepsOrder(b.text, all, i, v) {
			out = append(out, b.text[:at.start]+v+b.text[at.end:])
		}
	}
	return append(out, w.otherNumberWords(b, near)...)
}

// keepsOrder reports whether a new value is on the same side of the other numbers of its sentence: "of 250 asked, 405
// agreed" would be recognised without reading.
func keepsOrder(text string, all []span, i int, made string) bool {
	old := all[i].in(text)
	for j, at := range all {
		other := at.in(text)
		if j != i && year(other) == year(old) && (magnitude(old) < magnitude(other)) != (magnitude(made) < magnitude(other)) {
			return false
		}
	}
	return true
}

// inRange reports whether a number is one end of "8 to 14" or "4–18".
func inRange(text string, all []span, i int) bool {
	return i > 0 && rangeBetween(text[all[i-1].end:all[i].start]) || i+1 < len(all) && rangeBetween(text[all[i].end:all[i+1].start])
}

func rangeBetween(between string) bool {
	between = strings.Trim(between, " .%€$°")
	return slices.Contains([]string{"to", "and", "or", "by", "bis", "und", "oder", "mal", "à", "et", "ou", "y", "a", "o", "al", "至", "到", "和", "から", "～", "〜", "~", "–", "-", "x", "×", "/"}, between)
}

// bounded reports whether a bound comes before or after a number: "up to", "or more".
func bounded(text string, at span, lang string) bool {
	for _, section := range []string{"bound", "same number"} {
		for _, s := range swapTables()[lang][section] {
			if lower := strings.ToLower(strings.TrimRight(text[:at.start], " $€£")); isBound(s.from, lang) && strings.HasSuffix(lower, s.from) {
				return true
			}
		}
	}
	return slices.ContainsFunc([]string{" or more", " or less", " or fewer", " or older", " or younger", " oder mehr", " ou plus", " o más", "以上", "以下", "以内", "未満"}, func(s string) bool {
		i := strings.Index(text[at.end:], s)
		return i >= 0 && i < 20
	}) || previousIs(text[:at.start], "than", "als", "que", "under", "over", "above", "below", "within", "unter", "über", "binnen", "sous", "jusqu'à", "bajo", "hasta")
}

// isBound reports whether a phrase before a number sets a bound, which "about" does not.
func isBound(phrase, lang string) bool {
	_, ok := lexicon.For(lang).Is(lexicon.Bound, phrase)
	return ok || slices.ContainsFunc(swapTables()[lang]["bound"], func(s swap) bool { return s.from == phrase })
}

// numbered reports whether a number is part of a name: "Chapter 4", "Type 17". German nouns are no sign of it.
func numbered(text string, at span, lang string) bool {
	all := words(text[:at.start])
	if len(all) == 0 || strings.TrimSpace(text[all[len(all)-1].end:at.start]) != "" {
		return false
	}
	if lang == "de" {
		return previousIs(text[:at.start], "absatz", "artikel", "kapitel", "band", "seite", "nummer", "typ", "klasse", "version", "§")
	}
	word := all[len(all)-1]
	first, _ := utf8.DecodeRuneInString(word.in(text))
	_, calendar := lexicon.For(lang).Is(lexicon.Calendar, word.in(text))
	return word.start > 0 && unicode.IsUpper(first) && !calendar
}

// otherFigure changes one digit so that the value differs by a tenth or more, years by one to nine. Form and
// rounding stay: 1,200 becomes 1,700, not 1,203. A changed value is between half and twice the old one, a year is not
// later than the latest year of the text: others would be recognised without reading.
func (w *writer) otherFigure(old, near string) (string, bool) {
	if year(old) {
		n, _ := strconv.Atoi(old)
		for range 12 {
			if made := strconv.Itoa(n + w.intn(19) - 9); made != old && !containsNumber(near, made) && made <= max(old, latestYear(near)) {
				return made, true
			}
		}
		return "", false
	}
	digits := []byte(old)
	var places []int
	last := len(digits)
	for last > 0 && (digits[last-1] == '0' || !isDigit(digits[last-1])) {
		last--
	}
	for i := range last {
		if isDigit(digits[i]) {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return "", false
	}
	place := places[0]
	if len(places) > 1 && digits[places[0]] == '1' {
		place = places[1] // 12 becomes 17, not 72
	}
	for range 12 {
		d := byte('1' + w.intn(9))
		if d == digits[place] || strings.HasPrefix(old, "0") {
			continue
		}
		made := string(digits[:place]) + string(d) + string(digits[place+1:])
		if a, b := magnitude(old), magnitude(made); a-b < a/10 && b-a < a/10 || b > 2*a || a > 2*b || containsNumber(near, made) {
			continue
		}
		return made, true
	}
	return "", false
}

func latestYear(text string) string {
	latest := ""
	for _, m := range figure.FindAllString(text, -1) {
		if year(m) {
			latest = max(latest, m)
		}
	}
	return latest
}

// dayOfMonth reports whether a number is beside the name of a month.
func dayOfMonth(b base, at span) bool {
	if n, err := strconv.Atoi(at.in(b.text)); err != nil || n > 31 {
		return false
	}
	if next, _ := utf8.DecodeRuneInString(b.text[at.end:]); strings.ContainsRune("日月号", next) {
		return !strings.HasPrefix(b.text[at.end:], "号楼")
	}
	lex := lexicon.For(b.lang)
	for _, word := range words(b.text) {
		if gap := word.start - at.end; gap < 0 && at.start-word.end > 2 || gap > 5 {
			continue
		}
		if e, ok := lex.Is(lexicon.Calendar, word.in(b.text)); ok && e.Class == "month" {
			return true
		}
	}
	return false
}

func (w *writer) otherDay(old, near string) (string, bool) {
	for range 12 {
		if made := strconv.Itoa(1 + w.intn(12)); made != old && !containsNumber(near, made) {
			return made, true
		}
	}
	return "", false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func year(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && len(s) == 4 && n >= 1500 && n <= 2100
}

// containsNumber reports whether a number is in a text, not as a part of a longer one.
func containsNumber(text, number string) bool {
	return slices.Contains(figure.FindAllString(text, -1), number)
}

// otherNumberWords replaces a number word from two to twelve by another.
func (w *writer) otherNumberWords(b base, near string) []string {
	lex := lexicon.For(b.lang)
	if lex == nil || b.lang == "zh" || b.lang == "ja" || negations(b.text, b.lang) > 0 { // what two cannot, four cannot either
		return nil
	}
	var out []string
	low := strings.ToLower(near)
	for _, at := range words(b.text) {
		e, ok := lex.Is(lexicon.Number, at.in(b.text))
		if !ok || e.Class != "number" || e.Value < 2 || e.Value > 12 || strings.HasPrefix(b.text[at.end:], "-") || bounded(b.text, at, b.lang) || wordRange(b, at) || inCompound(b.text, at) || nextIs(b.text[at.end:], fractions...) {
			continue
		}
		var others []string
		known := map[float64]bool{}
		for _, other := range lex.Words(lexicon.Number, "number", "") {
			v, _ := lex.Is(lexicon.Number, other)
			if known[v.Value] { // the usual word comes first
				continue
			}
			known[v.Value] = true
			if v.Value >= 2 && v.Value <= 12 && v.Value != e.Value && v.Value <= 2*e.Value && e.Value <= 2*v.Value && !strings.Contains(low, strings.ToLower(other)) && !strings.ContainsAny(other, "0123456789") {
				others = append(others, other)
			}
		}
		if len(others) > 0 {
			out = append(out, b.text[:at.start]+cased(others[w.intn(len(others))], at.in(b.text))+b.text[at.end:])
		}
	}
	return out
}

// fractions follow a number that is a part of them: "two thirds".
var fractions = []string{"thirds", "quarters", "fifths", "tenths", "drittel", "viertel", "fünftel", "zehntel", "tiers", "quarts", "cinquièmes", "tercios", "cuartos", "quintos"}

// wordRange reports whether a number word is one end of a range: "two or three".
func wordRange(b base, at span) bool {
	return rangeWord(strings.Fields(b.text[at.end:])) || previousIs(b.text[:at.start], "to", "or", "bis", "oder", "à", "ou", "o", "entre", "between", "zwischen")
}

// inCompound reports whether a number word depends on the word before: "cincuenta y cinco", "all three".
func inCompound(text string, at span) bool { return previousIs(text[:at.start], "y", "et", "all") }

func rangeWord(following []string) bool {
	return len(following) > 1 && slices.Contains([]string{"to", "or", "bis", "oder", "à", "ou", "o"}, following[0])
}

// swappedNumbers exchanges two different numbers of a sentence.
func swappedNumbers(_ *writer, b base, _ string) []string {
	at := figures(b.text)
	var out []string
	for i := 0; i+1 < len(at); i++ {
		a, c := at[i].in(b.text), at[i+1].in(b.text)
		between := b.text[at[i].end:at[i+1].start]
		if inRange(b.text, at, i) || inRange(b.text, at, i+1) || numbered(b.text, at[i], b.lang) || numbered(b.text, at[i+1], b.lang) {
			continue
		}
		if a == c || year(a) != year(c) || !strings.ContainsFunc(between, unicode.IsLetter) || dayOfMonth(b, at[i]) || dayOfMonth(b, at[i+1]) {
			continue
		}
		if first, _ := utf8.DecodeRuneInString(between); strings.ContainsRune("点时時", first) {
			continue // from 12 to 3 o'clock
		}
		if percent(b.text[at[i].end:]) != percent(b.text[at[i+1].end:]) || !comparable(a, c) {
			continue // nobody would believe that an index of 600 points lost 600 %
		}
		if len(strings.Fields(between)) < 2 && !(unspacedShare(between) > 0.3 && utf8.RuneCountInString(between) > 3) {
			continue // "between 3 and 5" says the same when it is turned round
		}
		out = append(out, b.text[:at[i].start]+c+between+a+b.text[at[i+1].end:])
	}
	return out
}

func percent(rest string) bool {
	rest = strings.TrimLeft(rest, " \u00a0\u202f")
	return strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "per") || strings.HasPrefix(rest, "Prozent") || strings.HasPrefix(rest, "pour cent") || strings.HasPrefix(rest, "por ciento")
}

// comparable reports whether two numbers are of similar size: neither ten times the other.
func comparable(a, b string) bool {
	x, y := magnitude(a), magnitude(b)
	return x < 10*y && y < 10*x
}

// magnitude is a number without its separators, read as English or German writes it: good enough for comparing two
// numbers of one sentence.
func magnitude(s string) float64 {
	whole := s
	if i := strings.LastIndexAny(s, ".,"); i >= 0 && len(s)-i-1 != 3 {
		whole = s[:i]
	}
	n, _ := strconv.ParseFloat(strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, whole), 64)
	return n + 0.5
}
