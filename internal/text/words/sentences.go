package words

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Sentences cuts a text into sentences, without the white space around them. It knows abbreviations,
// initials, decimals, list items, headings, hard-wrapped lines and the full stops of Chinese and Japanese.
// A citation mark after the full stop ("… fell. [3]") belongs to the sentence before it.
func Sentences(text string) []Span {
	spans := sentenceSpans(text)
	out := make([]Span, len(spans))
	for i, s := range spans {
		out[i] = s.of(text)
	}
	return out
}

func sentenceSpans(text string) []span {
	var out []span
	newParagraph := true
	for _, l := range logicalLines(text) {
		if l.blank() {
			newParagraph = true
			continue
		}
		if l.heading {
			newParagraph = true
		}
		before := len(out)
		out = appendSentences(out, text, l)
		if len(out) > before {
			out[before].opensParagraph = newParagraph
			for i := before; i < len(out); i++ {
				out[i].heading = l.heading
			}
			newParagraph = false
		}
	}
	return out
}

// appendSentences cuts one logical line, that is a stretch without a break of its own, at the ends of sentences.
func appendSentences(out []span, text string, l span) []span {
	start, startN := l.byteStart, l.start
	pos, n := l.byteStart, l.start
	emit := func(end, endN int) {
		s := trim(text, span{start: startN, end: endN, byteStart: start, byteEnd: end})
		if s.end > s.start {
			out = append(out, s)
		}
		start, startN = end, endN
	}
	for pos < l.byteEnd {
		if c := text[pos]; c < utf8.RuneSelf && c > ' ' && c != '.' && c != '!' && c != '?' { // most characters of most texts
			pos++
			n++
			continue
		}
		r, w := utf8.DecodeRuneInString(text[pos:l.byteEnd])
		if !terminator(r) {
			pos += w
			n++
			if unicode.IsSpace(r) && start == pos-w { // leading white space is not looked at again
				start, startN = pos, n
			}
			continue
		}
		first := pos
		for pos < l.byteEnd && terminator(r) { // "?!", "..."
			pos += w
			n++
			r, w = utf8.DecodeRuneInString(text[pos:l.byteEnd])
		}
		mark := text[first:pos]
		end, endN := closers(text[:l.byteEnd], pos, n)
		if ends(text[start:first], mark, text[end:l.byteEnd]) {
			end, endN = citationMarks(text[:l.byteEnd], end, endN)
			emit(end, endN)
		}
		pos, n = end, endN
	}
	emit(l.byteEnd, l.end)
	return out
}

// trim takes the white space off both ends of a span.
func trim(text string, s span) span {
	body := text[s.byteStart:s.byteEnd]
	kept := strings.TrimLeftFunc(body, unicode.IsSpace)
	s.byteStart, s.start = s.byteEnd-len(kept), s.start+utf8.RuneCountInString(body[:len(body)-len(kept)])
	body, kept = kept, strings.TrimRightFunc(kept, unicode.IsSpace)
	s.byteEnd, s.end = s.byteStart+len(kept), s.end-utf8.RuneCountInString(body[len(kept):])
	return s
}

func terminator(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？', '．', '｡', '؟', '।':
		return true
	}
	return false
}

// closers skips the quotes and brackets that close after a full stop. German texts close with marks that open in other
// languages; French ones put a space before ».
func closers(text string, pos, n int) (int, int) {
	for pos < len(text) {
		r, w := utf8.DecodeRuneInString(text[pos:])
		if unicode.IsSpace(r) && strings.HasPrefix(text[pos+w:], "»") {
			pos += w
			n++
			continue
		}
		if !strings.ContainsRune(`"')]}”’»›」』）】》*_`, r) && !(strings.ContainsRune("“‘«", r) && closesHere(text[pos+w:])) {
			break
		}
		pos += w
		n++
	}
	return pos, n
}

// closesHere reports whether a mark that may open or close a quotation closes one, by what follows it.
func closesHere(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return after == "" || unicode.IsSpace(r) || strings.ContainsRune(".,;:)", r)
}

// maxMarkChars bounds one citation mark: "[12, 13, 14]" fits many times (chosen).
const maxMarkChars = 40

// citationMarks skips marks such as [1], [2, 3], [S4] and [^5] on the same line, also after a space.
func citationMarks(text string, pos, n int) (int, int) {
	for pos < len(text) {
		p := pos
		for p < len(text) && text[p] == ' ' && p-pos < 3 {
			p++
		}
		if p >= len(text) || text[p] != '[' {
			return pos, n
		}
		end := p + 1
		for end < len(text) && end-p < maxMarkChars && strings.IndexByte("0123456789 ,;-^Ss", text[end]) >= 0 {
			end++
		}
		if end >= len(text) || text[end] != ']' || end == p+1 || end+1 < len(text) && text[end+1] == '(' {
			return pos, n
		}
		n += end + 1 - pos // all ASCII
		pos = end + 1
	}
	return pos, n
}

// ends decides whether a terminator ends the sentence. before is the sentence so far, mark the terminator
// (possibly several characters), after what follows on the line, closing quotes already skipped.
func ends(before, mark, after string) bool {
	r, _ := utf8.DecodeRuneInString(mark)
	switch r {
	case '。', '！', '？', '｡', '؟', '।':
		return true
	}
	if after == "" {
		return true
	}
	next, _ := utf8.DecodeRuneInString(after)
	if !unicode.IsSpace(next) {
		// "第1季度增长3%.其中" ends; "3.5", "www.example.org" and "[3]" directly after the point need a look.
		if next == '[' {
			end, _ := citationMarks(after, 0, 0)
			return end > 0 && ends(before, mark, after[end:])
		}
		prev, _ := utf8.DecodeLastRuneInString(before)
		return unspaced(next) && (mark != "." || !digit(prev)) && strings.Trim(mark, "…") != ""
	}
	if mark == "." {
		return pointEnds(before, after)
	}
	if omission(before, mark) {
		return false
	}
	return !unicode.IsLower(firstRune(after))
}

// omission reports whether points stand for words that are left out: they follow a space or a bracket, as in
// "CREATE TABLE ... PARTITION OF" and "[...]".
func omission(before, mark string) bool {
	if strings.Trim(mark, ".…") != "" {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	return unicode.IsSpace(last) || last == '[' || last == '('
}

// pointEnds decides about a single full stop before white space.
func pointEnds(before, after string) bool {
	next := firstRune(after)
	if unicode.IsLower(next) {
		return false
	}
	word := lastWord(before)
	if word == "" {
		return true
	}
	if before == word && listNumber(word) { // "1. Introduction"
		return false
	}
	if ordinal(before, word, after) {
		return false
	}
	low := strings.TrimLeft(word, `("'[“‘«„`)
	if len(low) > 1 { // "c. 1900", but "vitamin C."
		low = strings.ToLower(low)
	}
	if _, rest, elided := strings.Cut(low, "'"); elided { // "l'art. 5"
		low = rest
	}
	switch abbreviations()[low] {
	case beforeName:
		return false
	case beforeNumber:
		return !unicode.IsDigit(next)
	case mayEnd:
		return startsSentence(after)
	}
	if len(low) > 3 && strings.HasSuffix(low, "str") && unicode.IsDigit(next) { // "Bahnhofstr. 5"
		return false
	}
	if len(low) == 1 && unicode.IsLower(rune(low[0])) { // "u. a.", "p. ex.", "s. XIX"
		return startsSentence(after)
	}
	if initial(word) || strings.Contains(word, ".") && acronym(word) {
		return startsSentence(after)
	}
	return true
}

func firstRune(s string) rune {
	for _, r := range s {
		if !unicode.IsSpace(r) && !strings.ContainsRune(`"'(“‘«`, r) {
			return r
		}
	}
	return 0
}

// lastWord returns what is after the last white space, if it is short enough to be an abbreviation.
func lastWord(s string) string {
	const longest = 16
	for i := len(s); i > 0; {
		r, w := utf8.DecodeLastRuneInString(s[:i])
		if unicode.IsSpace(r) || r == '-' || r == '—' || r == '–' || unspaced(r) {
			return s[i:]
		}
		i -= w
		if len(s)-i > longest {
			return s[i:]
		}
		if i == 0 {
			return s
		}
	}
	return ""
}

func listNumber(word string) bool {
	return len(word) <= 3 && strings.Trim(word, "0123456789") == "" || len(word) <= 4 && strings.Trim(word, "ivxIVX") == ""
}

// ordinal reports whether a number with a point is an ordinal, as German writes them: "am 16. November", "das 19.
// Jahrhundert". A month follows it, or a German word of function is before it.
func ordinal(before, number, after string) bool {
	if len(number) > 2 || strings.Trim(number, "0123456789") != "" {
		return false
	}
	next, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	if germanMonths()[strings.ToLower(strings.Trim(next, ".,;:()"))] {
		return true
	}
	word := lastWord(strings.TrimRightFunc(strings.TrimSuffix(before, number), unicode.IsSpace))
	if Function("en", word) {
		return false
	}
	class := classes["de"]()[strings.ToLower(word)]
	return class == "determiner" || class == "preposition"
}

// initial reports whether word is one capital letter, alone or after points: "J", "J.R", "(W".
func initial(word string) bool {
	word = strings.TrimLeft(word, `("'[“‘`)
	r, w := utf8.DecodeRuneInString(word)
	return w == len(word) && unicode.IsUpper(r) && r != 'I'
}

func acronym(word string) bool {
	letters := 0
	for _, r := range strings.TrimLeft(word, `("'[“‘`) {
		if r == '.' {
			letters = 0
			continue
		}
		letters++
		if letters > 2 || !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// startsSentence reports whether the next word is one that opens sentences and is rarely part of a name.
func startsSentence(after string) bool {
	after = strings.TrimLeftFunc(after, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'(“‘«`, r) })
	end := strings.IndexFunc(after, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(after)
	}
	if end == 1 && strings.HasPrefix(after[end:], ".") { // an initial
		return false
	}
	return openers()[after[:min(end, 16)]]
}

type abbreviation byte

const (
	beforeName   abbreviation = iota + 1 // "Dr. Smith"
	beforeNumber                         // "No. 5", "Jan. 5"
	mayEnd                               // "Inc.", "p.m.": ends a sentence only before a word that opens one
)

var abbreviations = sync.OnceValue(func() map[string]abbreviation {
	kinds := map[string]abbreviation{"before-name": beforeName, "before-number": beforeNumber, "may-end": mayEnd}
	out := make(map[string]abbreviation)
	for _, l := range list("abbreviations") {
		for _, w := range l.words {
			out[w] = kinds[l.section]
		}
	}
	return out
})

var openers = set("openers")

// germanMonths may follow an ordinal with a point.
var germanMonths = set("german-months")

func set(name string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for _, l := range list(name) {
			for _, w := range l.words {
				out[w] = true
			}
		}
		return out
	})
}
