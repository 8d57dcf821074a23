package grounding

import (
	"math"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// The grades of a quote. They are never merged: only exact and normalised mean that the words are there.
const (
	QuoteExact      = "exact"      // the same characters
	QuoteNormalised = "normalised" // the same letters and numbers: only typography, case, white space, hyphenation or a marked omission differ
	QuoteFuzzy      = "fuzzy"      // a long quote with a misspelling or an article changed, never a number or a negation
	QuoteAbsent     = "absent"
)

// GradeQuote looks a quote up in a text. at is the stretch of the text that the quote comes from (without
// SourceID), or zero when the quote is absent.
//
// A normalised match ignores what typesetting changes: compatibility forms (NFKC), case, quotation marks,
// dashes, ligatures, soft hyphens, hyphens and white space, line-end hyphenation. An omission marked by an
// ellipsis may leave out up to 2,000 characters; an insertion in square brackets is skipped, unless it holds a
// number or a negation.
func GradeQuote(quote, text string) (grade string, at Evidence) {
	return gradeQuote(quote, text, newLetters(text))
}

// maxQuoteChars bounds a quote. Nobody reads a longer one as a quote (chosen).
const maxQuoteChars = 20_000

func gradeQuote(quote, text string, body *letters) (string, Evidence) {
	quote = strings.TrimFunc(quote, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(quoteMarks, r) })
	if quote == "" || len(quote) > maxQuoteChars*utf8.UTFMax {
		return QuoteAbsent, Evidence{}
	}
	if i := indexWords(text, quote); i >= 0 {
		return QuoteExact, evidenceAt(text, i, i+len(quote))
	}
	if start, end, ok := body.findParts(quoteParts(quote)); ok {
		return QuoteNormalised, body.evidence(text, start, end)
	}
	if start, end, ok := fuzzyQuote(quote, text); ok {
		return QuoteFuzzy, evidenceAt(text, start, end)
	}
	return QuoteAbsent, Evidence{}
}

const quoteMarks = "\"'“”‘’„‟‚«»‹›「」『』《》`´"

// indexWords finds a quote that does not begin or end inside a word. Half a character is no quote.
func indexWords(text, quote string) int {
	if !utf8.ValidString(quote) {
		return -1
	}
	for from := 0; ; {
		i := strings.Index(text[from:], quote)
		if i < 0 {
			return -1
		}
		i += from
		if wholeWords(text, i, i+len(quote)) {
			return i
		}
		from = i + len(quote) // overlapping occurrences are not worth quadratic time
	}
}

func wholeWords(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	first, _ := utf8.DecodeRuneInString(text[start:])
	last, _ := utf8.DecodeLastRuneInString(text[:end])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !(alphabetic(before) && alphabetic(first)) && !(alphabetic(last) && alphabetic(after))
}

// alphabetic reports whether r is part of words that have spaces around them.
func alphabetic(r rune) bool {
	return r != utf8.RuneError && r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// letters is a text reduced to its letters and digits, with the way back: typography cannot change it.
type letters struct {
	s     string
	marks []letterMark // ascending
}

// letterMark is where one character of the original, or several ASCII letters in a row, left something.
type letterMark struct {
	at         int32  // byte in s
	byteAt     int32  // byte in the original
	char       int32  // code point in the original
	run        uint16 // characters, each one byte here and there
	startsWord bool   // nothing alphabetic is directly before
}

// goesOn adds an ASCII letter to the run that m is, if it is directly after.
func (m *letterMark) goesOn(at, byteAt int) bool {
	n := int(m.run)
	if n == 0 || n == math.MaxUint16 || int(m.at)+n != at || int(m.byteAt)+n != byteAt {
		return false
	}
	m.run++
	return true
}

func newLetters(text string) *letters {
	var b strings.Builder
	b.Grow(len(text))
	l := &letters{marks: make([]letterMark, 0, len(text)/6+1)}
	char := int32(0)
	var prev rune // the character before, hyphenation skipped
	gap := false  // something stood between the last letter and now
	for i, r := range text {
		lower, ok := simpleLetter(r)
		folded := ""
		if !ok {
			folded = foldCharacter(r, text[i:])
		}
		switch {
		case ok || folded != "":
			startsWord := !alphabetic(prev) || gap
			if isDigitRune(r) && gap && isDigitRune(prev) {
				b.WriteByte(' ') // "1 2" is not 12
			}
			if !ok || startsWord || len(l.marks) == 0 || !l.marks[len(l.marks)-1].goesOn(b.Len(), i) {
				m := letterMark{at: int32(b.Len()), byteAt: int32(i), char: char, startsWord: startsWord}
				if ok {
					m.run = 1
				}
				l.marks = append(l.marks, m)
			}
			if ok {
				b.WriteByte(lower)
			} else {
				b.WriteString(folded)
			}
			prev, gap = r, false
		case (r == '.' || r == ',' || r == '．' || r == '，') && isDigitRune(prev) && !gap && digitsAhead(text[i+utf8.RuneLen(r):]) > 0:
			if r == '.' || r == '．' || digitsAhead(text[i+utf8.RuneLen(r):]) != 3 {
				l.marks = append(l.marks, letterMark{at: int32(b.Len()), byteAt: int32(i), char: char})
				b.WriteByte('.')
			}
		default:
			if r != '\u00ad' && !unicode.IsMark(r) {
				gap = true
			}
		}
		char++
	}
	l.s = b.String()
	return l
}

func simpleLetter(r rune) (byte, bool) {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return byte(r), true
	case r >= 'A' && r <= 'Z':
		return byte(r) + 'a' - 'A', true
	}
	return 0, false
}

// foldCharacter returns what a letter or digit beyond ASCII is compared as; "" for everything else. A percent
// or currency sign counts: it changes what is said.
func foldCharacter(r rune, rest string) string {
	if r < utf8.RuneSelf {
		if r == '%' || r == '$' {
			return string(r)
		}
		return ""
	}
	if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !unicode.Is(unicode.Sc, r) && r != '％' {
		return ""
	}
	if unicode.Is(unicode.Han, r) {
		return string(r)
	}
	folded := passages.Fold(string(r))
	var b strings.Builder
	for _, f := range folded { // ½ folds to 1⁄2: the slash goes as all punctuation does
		if unicode.IsLetter(f) || unicode.IsNumber(f) || f == '%' || unicode.Is(unicode.Sc, f) {
			b.WriteRune(f)
		}
	}
	return b.String()
}

func isDigitRune(r rune) bool { return r >= '0' && r <= '9' || r >= '０' && r <= '９' }

// digitsAhead counts the digits at the start of s, at most four.
func digitsAhead(s string) int {
	n := 0
	for _, r := range s {
		if n == 4 || !isDigitRune(r) {
			break
		}
		n++
	}
	return n
}

// maxOmittedChars is what an ellipsis may stand for, in letters of the text (chosen: about a page).
const maxOmittedChars = 2000

// findParts finds the parts in order, not far from each other, as whole words.
func (l *letters) findParts(parts []quotePart) (start, end int, ok bool) {
	if len(parts) == 0 {
		return 0, 0, false
	}
	const maxTries = 200 // a part that is there more often says nothing
	from := 0
	for range maxTries {
		s, e, found := l.find(parts[0].letters, from)
		if !found {
			return 0, 0, false
		}
		last := e
		complete := true
		for _, p := range parts[1:] {
			limit := min(len(l.s), last+p.gap+len(p.letters))
			ps, pe, found := l.findWithin(p.letters, last, limit)
			if !found || ps-last > p.gap {
				complete = false
				break
			}
			last = pe
		}
		if complete {
			return s, last, true
		}
		from = s + 1
	}
	return 0, 0, false
}

func (l *letters) find(s string, from int) (int, int, bool) { return l.findWithin(s, from, len(l.s)) }

func (l *letters) findWithin(s string, from, limit int) (int, int, bool) {
	for from < limit {
		i := strings.Index(l.s[from:limit], s)
		if i < 0 {
			return 0, 0, false
		}
		i += from
		if l.wordAt(i) && (i+len(s) == len(l.s) || l.wordAt(i+len(s))) {
			return i, i + len(s), true
		}
		from = i + len(s) // overlapping occurrences are not worth quadratic time
	}
	return 0, 0, false
}

// wordAt reports whether a word starts at byte i of the letters.
func (l *letters) wordAt(i int) bool {
	if i < len(l.s) && l.s[i] == ' ' {
		return true
	}
	k := sort.Search(len(l.marks), func(k int) bool { return int(l.marks[k].at) >= i })
	return k < len(l.marks) && int(l.marks[k].at) == i && l.marks[k].startsWord
}

func (l *letters) evidence(text string, start, end int) Evidence {
	firstByte, firstChar := l.original(start)
	lastByte, lastChar := l.original(end - 1)
	_, w := utf8.DecodeRuneInString(text[lastByte:])
	return Evidence{Start: firstChar, End: lastChar + 1, Text: text[firstByte : lastByte+w]}
}

// original returns the byte and the code point in the original of the character that left byte at of the letters.
func (l *letters) original(at int) (byteAt, char int) {
	k := sort.Search(len(l.marks), func(k int) bool { return int(l.marks[k].at) > at }) - 1
	m := l.marks[max(k, 0)]
	within := max(0, min(at-int(m.at), int(m.run)-1))
	return int(m.byteAt) + within, int(m.char) + within
}

// evidenceAt makes evidence of a byte range.
func evidenceAt(text string, start, end int) Evidence {
	n := utf8.RuneCountInString(text[:start])
	return Evidence{Start: n, End: n + utf8.RuneCountInString(text[start:end]), Text: text[start:end]}
}

// quotePart is a stretch of a quote that must be in the text as it is; gap is how much of the text may
// are between the part before and this one.
type quotePart struct {
	letters string
	gap     int
}

// quoteParts cuts a quote at its marked omissions and insertions.
func quoteParts(quote string) []quotePart {
	var parts []quotePart
	gap := 0
	add := func(s string) {
		if l := newLetters(s).s; l != "" {
			parts = append(parts, quotePart{letters: l, gap: gap})
			gap = 0
		}
	}
	rest := quote
	for rest != "" {
		i, w, omitted := nextCut(rest)
		if i < 0 {
			break
		}
		add(rest[:i])
		gap = max(gap, omitted)
		rest = rest[i+w:]
	}
	add(rest)
	for _, p := range parts {
		if len(parts) > 1 && len(p.letters) < 4 {
			return nil // a quote of crumbs proves nothing
		}
	}
	return parts
}

// nextCut finds the next ellipsis or bracketed insertion: its place, its width and how much of the text it may
// stand for.
func nextCut(s string) (at, width, omitted int) {
	const maxInsertion = 60
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "…"):
			return i, len("…"), maxOmittedChars
		case strings.HasPrefix(s[i:], "..."):
			w := 3
			for i+w < len(s) && s[i+w] == '.' {
				w++
			}
			return i, w, maxOmittedChars
		case s[i] == '[':
			end := strings.IndexByte(s[i:min(len(s), i+maxInsertion)], ']')
			if end < 0 {
				continue
			}
			inside := s[i+1 : i+end]
			if strings.Trim(inside, " .…") == "" {
				return i, end + 1, maxOmittedChars
			}
			if utf8.RuneCountInString(inside) > 1 && !hasNegator(inside) && !strings.ContainsAny(inside, "0123456789") && len(quantities(inside)) == 0 {
				return i, end + 1, maxInsertion
			}
		}
	}
	return -1, 0, 0
}
