package review

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// restate rewords a sentence without changing what it says. Each way is taken or left by chance, so that some
// sentences stay as they are. A planted error is reworded as well, after its change, but nothing is dropped from it:
// the change might be in what is dropped.
func (w *writer) restate(text string, b base) string {
	if b.claim {
		return text // already in its author's words
	}
	ways := []func(*writer, string, string) (string, bool){moveOpening, byEquivalents, groupedDigits, percentWord, otherDateForm, framed}
	if text == b.text {
		ways = append([]func(*writer, string, string) (string, bool){dropOpening, dropAside, dropRelative}, ways...)
	}
	for _, way := range ways {
		if w.intn(3) == 0 {
			continue
		}
		if made, ok := way(w, text, b.lang); ok {
			text = made
		}
	}
	return text
}

// dropOpening drops a connecting word at the beginning: "However, ".
func dropOpening(_ *writer, text, lang string) (string, bool) {
	for _, s := range swapTables()[lang]["opening"] {
		if rest, ok := strings.CutPrefix(text, s.from); ok {
			rest = strings.TrimLeft(rest, " ,，、")
			return upperFirst(rest), rest != ""
		}
	}
	return text, false
}

// aside is a remark in round brackets without figures: numbers in it may be what the sentence is about.
var aside = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s?[(（][^()（）0-9]{2,80}[)）]`) })

func dropAside(_ *writer, text, _ string) (string, bool) {
	made := aside().ReplaceAllString(text, "")
	return made, made != text
}

// relative is a clause between commas that only adds something: ", which opened in 1998,".
var relative = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`, (?:who|which|whose|where|qui|que|dont|où|cuyo|cuya|quien) (?:[^,.;]|[.,][0-9]){4,80}, `)
})

func dropRelative(_ *writer, text, _ string) (string, bool) {
	made := relative().ReplaceAllString(text, " ")
	return made, made != text
}

// opening is a phrase of place or time before the first comma, the only one of its sentence.
var opening = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((?:In|On|At|By|After|Before|During|Since|Between|From|Until|Under|With|En|Dans|Depuis|Pendant|Avant|Après|Durante|Desde|Tras) [^,.;]{3,60}), ([^,;]{20,200})\.$`)
})

// moveOpening puts such a phrase to the end: "In 2010, the river rose." becomes "The river rose in 2010."
func moveOpening(_ *writer, text, _ string) (string, bool) {
	m := opening().FindStringSubmatch(text)
	if m == nil || strings.ContainsAny(m[2], ".") {
		return text, false
	}
	return upperFirst(m[2]) + " " + lowerFirst(m[1]) + ".", true
}

// byEquivalents replaces words by others that say the same: section "same" of the data.
func byEquivalents(w *writer, text, lang string) (string, bool) {
	same := swapTables()[lang]["same"]
	if len(same) == 0 {
		return text, false
	}
	changed := false
	first := w.intn(len(same))
	for i := range same {
		s := same[(first+i)%len(same)]
		if at := occurrences(text, s.from); len(at) > 0 {
			text = text[:at[0].start] + cased(s.to, at[0].in(text)) + text[at[0].end:]
			changed = true
			if w.intn(2) == 0 {
				break
			}
		}
	}
	return text, changed
}

// groupedDigits takes the separators out of an English number: 1,200 becomes 1200.
func groupedDigits(_ *writer, text, lang string) (string, bool) {
	if lang != "en" {
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
func percentWord(_ *writer, text, lang string) (string, bool) {
	word := map[string]string{"en": " percent", "de": " Prozent", "fr": " pour cent", "es": " por ciento"}[lang]
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

var englishDate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})\b`)
})

// otherDateForm writes 3 March 2024 as March 3, 2024.
func otherDateForm(_ *writer, text, lang string) (string, bool) {
	if lang != "en" {
		return text, false
	}
	made := englishDate().ReplaceAllString(text, "$2 $1, $3")
	return made, made != text
}

// framed names the source as the speaker, once in a while: authors of reports do.
func framed(w *writer, text, lang string) (string, bool) {
	frames := swapTables()[lang]["frame"]
	if len(frames) == 0 || w.intn(8) != 0 {
		return text, false
	}
	frame := frames[w.intn(len(frames))]
	first, rest, _ := strings.Cut(text, " ")
	for _, s := range swapTables()[lang]["lower"] { // words that lose their capital inside a sentence
		if first == s.from {
			return strings.ReplaceAll(frame.to, "_", " ") + " " + s.to + " " + rest, true
		}
	}
	return text, false
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}
