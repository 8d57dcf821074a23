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

// rewording is a way to say a sentence otherwise, or less of it, without making it false.
type rewording func(w *writer, text string, b base) (string, bool)

// trims say less than the sentence. They come before a planted change: after it they might drop what was changed.
var trims = []rewording{dropOpening, dropAside, dropRelative, dropTail}

// trim drops parts of a sentence, each by chance.
func (w *writer) trim(b base) string {
	text := b.text
	for _, way := range trims {
		if w.intn(2) == 0 {
			if made, ok := way(w, text, b); ok && usableLength(made) {
				text = made
			}
		}
	}
	return text
}

// reword says a sentence in other words. Most of its ways are taken, so that overlap with the passage tells little.
// spare is how many listed equivalents are left as they are: a planted error has a changed word already.
func (w *writer) reword(text string, b base, spare int) string {
	equivalents := func(w *writer, text string, b base) (string, bool) { return byEquivalents(w, text, b, spare) }
	for _, way := range []rewording{moveClause, moveOpening, otherOrder, equivalents, otherDigits, groupedDigits, percentWord, otherDateForm, framed} {
		if w.intn(8) == 0 {
			continue
		}
		if made, ok := way(w, text, b); ok {
			text = made
		}
	}
	return text
}

// dropOpening drops a connecting word at the beginning: "However, ".
func dropOpening(_ *writer, text string, b base) (string, bool) {
	for _, opening := range listed(b.lang, "opening") {
		if rest, ok := strings.CutPrefix(text, opening); ok {
			rest = strings.TrimLeft(rest, " ,，、")
			return upperFirst(rest), rest != ""
		}
	}
	return text, false
}

// aside is a remark in round brackets without figures: numbers in it may be what the sentence is about.
var aside = lazyregexp.New(`\s?[(（]([^()（）0-9]{2,40})[)）]`)

// dropAside drops the only remark of a sentence if it is another name, of at most three words with a capital. Other
// remarks may be conditions, and several may be code.
func dropAside(_ *writer, text string, _ base) (string, bool) {
	m := aside.FindStringSubmatchIndex(text)
	if m == nil || strings.Count(text, "(")+strings.Count(text, "（") > 1 {
		return text, false
	}
	name := text[m[2]:m[3]]
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) || len(strings.Fields(name)) > 3 {
		return text, false
	}
	return text[:m[0]] + text[m[1]:], true
}

// relative is a clause between commas that only adds something: ", which opened in 1998,".
var relative = lazyregexp.New(`, (?:who|which|whose|where|qui|que|dont|où|cuyo|cuya|quien) (?:[^,.;]|[.,][0-9]){4,80}, `)

func dropRelative(_ *writer, text string, _ base) (string, bool) {
	made := relative.ReplaceAllString(text, " ")
	return made, made != text
}

// tail is a clause at the end that only adds something to a whole statement before it.
var tail = lazyregexp.New(`^([^,;]{30,}), (?:but|although|whereas|which|because|mais|bien que|parce que|pero|aunque|porque|aber|weil|obwohl) [^;:]{8,}\.$`)

func dropTail(_ *writer, text string, b base) (string, bool) {
	m := tail.FindStringSubmatch(text)
	if m == nil || negations(m[1], b.lang) > 0 { // "not, because …" may deny the reason alone
		return text, false
	}
	return m[1] + ".", true
}

// opening is a phrase of place or time before the first comma, the only one of its sentence.
var opening = lazyregexp.New(`^((?:In|On|At|By|After|Before|During|Since|Between|From|Until|Under|With|En|Dans|Depuis|Pendant|Avant|Après|Durante|Desde|Tras) [^,.;]{3,60}), ([^,;]{20,200})\.$`)

// moveOpening puts such a phrase to the end: "In 2010, the river rose." becomes "The river rose in 2010."
func moveOpening(w *writer, text string, b base) (string, bool) {
	m := opening.FindStringSubmatch(text)
	if m == nil || strings.ContainsAny(m[2], ".") || strings.Contains(m[2], " that ") || strings.Contains(m[2], " que ") || len(clauses(m[2], b.lang)) > 0 {
		return text, false
	}
	return upperFirst(m[2]) + " " + lowerFirst(m[1]) + ".", true
}

// clauses are the places where a subordinate clause begins.
func clauses(text, lang string) (out []span) {
	for _, word := range listed(lang, "clause") {
		out = append(out, occurrences(text, word)...)
	}
	return out
}

// moveClause puts the only subordinate clause of a sentence first if it is last, and last if it is first.
func moveClause(w *writer, text string, b base) (string, bool) {
	at := clauses(text, b.lang)
	body, ok := strings.CutSuffix(text, ".")
	if len(at) != 1 || !ok || strings.ContainsAny(body, ".;:()") || strings.Count(body, ",") > 1 {
		return text, false
	}
	if at[0].start == 0 {
		clause, main, ok := strings.Cut(body, ", ")
		if !ok || len(strings.Fields(clause)) < 4 {
			return text, false
		}
		return upperFirst(main) + " " + lowerFirst(clause) + ".", true
	}
	if len(strings.Fields(body[at[0].start:])) < 4 {
		return text, false // "if anything"
	}
	if slices.ContainsFunc(strings.Fields(body[at[0].start:])[1:3], func(word string) bool { return b.lang == "en" && strings.HasSuffix(word, "ing") }) {
		return text, false // "when defining it is hard" may go on with the main clause
	}
	main := strings.TrimRight(body[:at[0].start], " ")
	if last := strings.TrimSuffix(main, ","); strings.Contains(last, ",") || len(strings.Fields(last)) < 4 || previousIs(main, "only", "even", "just", "and", "or", "but", "that", "not", "except", "seulement", "que", "même", "solo", "et", "y", "as") || negations(main, b.lang) > 0 {
		return text, false
	}
	lowered := w.lowered(main, b)
	if lowered == main && w.capital(main, b) {
		return text, false
	}
	return upperFirst(body[at[0].start:]) + ", " + strings.TrimSuffix(lowered, ",") + ".", true
}

// lowered gives a text a small first letter if its first word is listed as one that has it inside a sentence, or the
// source writes it so.
func (w *writer) lowered(text string, b base) string {
	first, rest, _ := strings.Cut(text, " ")
	small := lowerFirst(first)
	second, _ := utf8.DecodeRuneInString(rest)
	if first != small && (slices.Contains(listed(b.lang, "lower"), first) || b.lang != "de" && len(first) > 2 && !unicode.IsUpper(second) && strings.Contains(w.texts.Text(b.at.SourceID), " "+small+" ")) {
		return small + text[len(first):]
	}
	return text
}

// capital reports whether a text begins with a capital that lowered leaves, as of a word that may be a name.
func (w *writer) capital(text string, b base) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first) && w.lowered(text, b) == text
}

// otherOrder exchanges two names that "and" joins.
func otherOrder(_ *writer, text string, b base) (string, bool) {
	and := map[string]string{"en": " and ", "de": " und ", "fr": " et ", "es": " y "}[b.lang]
	if and == "" || strings.Count(text, and) != 1 || slices.ContainsFunc([]string{"respectively", "between", "both", "jeweils", "beziehungsweise", "zwischen", "respectivement", "entre", "respectivamente", "first", "then"}, func(s string) bool { return strings.Contains(text, s) }) {
		return text, false
	}
	all := names(text, b.lang)
	for i := 0; i+1 < len(all); i++ {
		x, y := all[i], all[i+1]
		// A single word may be part of a longer name: the Center for Health and Safety.
		if text[x.end:y.start] == and && len(figures(text)) < 2 && strings.Contains(x.in(text), " ") && strings.Contains(y.in(text), " ") {
			return text[:x.start] + y.in(text) + and + x.in(text) + text[y.end:], true
		}
	}
	return text, false
}

// byEquivalents replaces words by others that say the same: sections "same" and "same number" of the data.
func byEquivalents(w *writer, text string, b base, spare int) (string, bool) {
	found := equivalents(text, b.lang)
	for ; spare > 0 && len(found) > 0; spare-- {
		i := w.intn(len(found))
		found = slices.Delete(found, i, i+1)
	}
	for _, m := range slices.Backward(found) {
		text = text[:m.at.start] + cased(m.swap.to, m.at.in(text)) + text[m.at.end:]
	}
	return text, len(found) > 0
}

// equivalents finds what can be said otherwise in a sentence, in its order.
func equivalents(text, lang string) []match {
	tables := swapTables()[lang]
	found := slices.DeleteFunc(matches(text, tables["same"]), func(m match) bool {
		return m.swap.from == "every" && beforeNumber(text[m.at.end:], lang) || !keepsArticle(m.swap, text[:m.at.start])
	})
	for _, m := range matches(text, tables["same number"]) {
		if fits("same number", m.swap, text[:m.at.start], text[m.at.end:], lang) &&
			!slices.ContainsFunc(found, func(o match) bool { return o.at.start < m.at.end && m.at.start < o.at.end }) {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b match) int { return a.at.start - b.at.start })
	return found
}

// keepsArticle reports whether the article before a word fits what replaces it: "a complete", "an entire".
func keepsArticle(s swap, before string) bool {
	vowel := func(word string) bool { return strings.ContainsAny(word[:1], "aeiouAEIOU") }
	return vowel(s.from) == vowel(s.to) || !previousIs(before, "a", "an")
}

// otherDigits writes a number from two to twelve in letters instead of digits, or the other way round.
func otherDigits(w *writer, text string, b base) (string, bool) {
	lex := lexicon.For(b.lang)
	if lex == nil || b.lang == "zh" || b.lang == "ja" {
		return text, false
	}
	all := figures(text)
	for i, at := range all {
		n, err := strconv.Atoi(at.in(text))
		rest := text[at.end:]
		next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(rest, " "))
		if err != nil || n < 2 || n > 12 || !strings.HasPrefix(rest, " ") || !unicode.IsLetter(next) || unicode.IsUpper(next) && b.lang != "de" ||
			inRange(text, all, i) || numbered(text, at, b.lang) || dayOfMonth(base{text: text, lang: b.lang}, at) || b.lang == "de" && !unicode.IsUpper(next) || nextIs(rest, "a.m", "p.m", "am", "pm", "Uhr", "h") {
			continue
		}
		for _, word := range lex.Words(lexicon.Number, "number", "") {
			e, _ := lex.Is(lexicon.Number, word)
			if e.Value == float64(n) && !strings.ContainsAny(word, "0123456789- ") && lexicon.Fold(word) == word {
				return text[:at.start] + word + rest, true
			}
		}
	}
	for _, at := range words(text) {
		e, ok := lex.Is(lexicon.Number, at.in(text))
		if at.start == 0 || !ok || inCompound(text, at) || e.Class != "number" || e.Value < 3 || e.Value > 12 || e.Value != float64(int(e.Value)) || !strings.HasPrefix(text[at.end:], " ") || nextIs(text[at.end:], "of", "thousand", "million", "hundred") || nextIs(text[at.end:], fractions...) {
			continue
		}
		return text[:at.start] + strconv.Itoa(int(e.Value)) + text[at.end:], true
	}
	return text, false
}

// groupedDigits takes the separators out of an English number: 1,200 becomes 1200.
func groupedDigits(_ *writer, text string, b base) (string, bool) {
	if b.lang != "en" {
		return text, false
	}
	for _, at := range figures(text) {
		old := at.in(text)
		plain := strings.ReplaceAll(old, ",", "")
		if n, err := strconv.Atoi(plain); err == nil && plain != old && n < 10000 {
			return text[:at.start] + plain + text[at.end:], true
		}
	}
	return text, false
}

// percentWord writes the sign as a word, or the word as the sign.
func percentWord(_ *writer, text string, b base) (string, bool) {
	word := map[string]string{"en": " percent", "de": " Prozent", "fr": " pour cent", "es": " por ciento"}[b.lang]
	if word == "" {
		return text, false
	}
	if i := strings.Index(text, word); i > 0 && isDigit(text[i-1]) {
		return text[:i] + "%" + text[i+len(word):], true
	}
	for _, sign := range []string{"\u202f%", "\u00a0%", " %", "%"} {
		if i := strings.Index(text, sign); i > 0 && isDigit(text[i-1]) {
			return text[:i] + word + text[i+len(sign):], true
		}
	}
	return text, false
}

const englishMonths = `(January|February|March|April|May|June|July|August|September|October|November|December)`

var (
	englishDate  = lazyregexp.New(`\b(\d{1,2}) ` + englishMonths + ` (\d{4})\b`)
	americanDate = lazyregexp.New(`\b` + englishMonths + ` (\d{1,2}), (\d{4})\b`)
	englishDay   = lazyregexp.New(`\b(\d{1,2}) ` + englishMonths + `\b`)
)

// otherDateForm writes 3 March 2024 as March 3, 2024, 3 March as March 3, and the other way round.
func otherDateForm(_ *writer, text string, b base) (string, bool) {
	if b.lang != "en" {
		return text, false
	}
	for _, form := range []struct {
		of *lazyregexp.Regexp
		to string
	}{{englishDate, "$2 $1, $3"}, {americanDate, "$2 $1 $3"}, {englishDay, "$2 $1"}} {
		if made := form.of.ReplaceAllString(text, form.to); made != text {
			return made, true
		}
	}
	return text, false
}

// framed names the source as the speaker, once in a while: authors of reports do.
func framed(w *writer, text string, b base) (string, bool) {
	if w.intn(12) != 0 || b.supported && w.intn(2) == 0 || attributes(text) || !opensStatement(text, b.lang) {
		return text, false
	}
	frames, name := listed(b.lang, "frame"), ""
	if src, ok := w.texts.Checker.Source(b.at.SourceID); ok && src.Publisher != "" && len(strings.Fields(src.Publisher)) < 5 && !strings.ContainsAny(src.Publisher, ",:|") && w.intn(3) > 0 {
		frames, name = listed(b.lang, "frame named"), src.Publisher
	}
	if len(frames) == 0 {
		return text, false
	}
	frame := strings.ReplaceAll(frames[w.intn(len(frames))], "%s", name)
	rest := w.lowered(text, b)
	switch {
	case strings.HasSuffix(frame, ":"):
		return frame + " " + text, true
	case unspacedShare(text) > 0.3:
		return frame + rest, true
	case w.capital(text, b):
		return text, false
	}
	return frame + " " + rest, true
}

// opensStatement reports whether a sentence begins with an article or another word that no request begins with.
func opensStatement(text, lang string) bool {
	first, _, _ := strings.Cut(text, " ")
	listed := listed(lang, "lower")
	return len(listed) == 0 || slices.Contains(listed, first)
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}
