package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Grade says how well a quote is in a text. Grades are never merged: only Exact and Normalised mean that the words are there.
type Grade string

// The grades of a quote.
const (
	Exact      Grade = "exact"      // the same characters from the first letter to the last
	Normalised Grade = "normalised" // only typography, case, white space, hyphenation, markup or a marked omission differ
	Fuzzy      Grade = "fuzzy"      // most words of a long quote; [Changed] has the others
	Absent     Grade = "absent"
)

// editorial is what the one who quotes put in: [sic], [the pump], [P]umps. It may stand for words of the text, or for none.
var editorial = lazyregexp.New(`\[[^\[\]]{1,60}\]`)

// denying matches brackets that turn the sense of a quote.
var denying = lazyregexp.New(`(?i)\[[^\[\]]*(?:\b(?:not|no|never|none|nor|without|only|nicht|kein\pL*|nie|pas|jamais|nunca)\b|n['’]t\b|` +
	`不|没|未)[^\[\]]*\]`)

const sic = "[sic]"

// edited finds a quote whose editorial brackets are taken out. Most of its letters must be outside of them.
func (t *Text) edited(quote string) (words.Span, bool) {
	if !strings.Contains(quote, "[") || denying.MatchString(quote) {
		return words.Span{}, false
	}
	plain := strings.ReplaceAll(strings.ReplaceAll(quote, sic, ""), "(sic)", "")
	if at, ok := t.parts(editorial.ReplaceAllString(plain, " ")); ok && plain != quote {
		return at, true
	}
	left := editorial.ReplaceAllString(plain, " … ")
	if 3*len(New(left).letters) < 2*len(New(quote).letters) {
		return words.Span{}, false
	}
	return t.parts(strings.Trim(left, " …"))
}

const (
	maxQuoteBytes   = 80_000 // nobody reads a longer one as a quote (chosen)
	maxOmittedChars = 2000   // what an ellipsis may stand for, in letters of the text (chosen: about a page)
	quoteMarks      = "\"'“”‘’„‟‚«»‹›「」『』《》`´"
)

var omission = lazyregexp.New(`\[ ?(?:…|\.{3,}) ?\]|…|\.{3,}`)

// Find looks a quote up in a text; see [Text.Find].
func Find(quote, text string) (Grade, words.Span) { return New(text).Find(quote) }

// Find looks a quote up. The span is the stretch of the text that the quote comes from, zero when the quote is absent.
//
// Words must be whole, and a number goes with its sign and decimals. An omission marked by an ellipsis may leave out up to 2,000
// characters. Of at least eight words, four fifths must be there in order, not much further apart than in the quote.
func (t *Text) Find(quote string) (Grade, words.Span) {
	const minWords = 8
	quote = strings.TrimFunc(quote, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(quoteMarks, c) })
	if len(quote) > maxQuoteBytes || !utf8.ValidString(quote) {
		return Absent, words.Span{}
	}
	if at, ok := t.parts(quote); ok {
		if strings.Contains(quote, at.Text) { // around it the quote has only marks
			return Exact, at
		}
		return Normalised, at
	}
	if t.rendered != nil {
		if at, ok := t.rendered().parts(quote); ok {
			return Normalised, at
		}
	}
	if at, ok := t.edited(quote); ok {
		return Normalised, at
	}
	if q := New(quote).words; len(q) >= minWords {
		if at, found := t.nearest(q, len(quote)*3/2+20); found*5 >= len(q)*4 {
			return Fuzzy, at
		}
	}
	return Absent, words.Span{}
}

// parts finds the parts of a quote between its marked omissions in order, not far from each other, as whole words.
func (t *Text) parts(quote string) (words.Span, bool) {
	const minPart, maxParts = 4, 40 // letters, parts: a quote of crumbs proves nothing
	var parts []string
	crumbs := false
	for _, part := range omission.Split(quote, maxParts) {
		if s := New(part).letters; s != "" {
			parts, crumbs = append(parts, s), crumbs || len(s) < minPart
		}
	}
	if len(parts) == 0 || len(parts) > 1 && crumbs {
		return words.Span{}, false
	}
	from := 0
	for range maxTries {
		start, end, found := t.find(parts[0], from, len(t.letters))
		if !found {
			break
		}
		for _, p := range parts[1:] {
			if found {
				_, end, found = t.find(p, end, min(len(t.letters), end+maxOmittedChars+len(p)))
			}
		}
		if found {
			return t.span(start, end), true
		}
		from = start + 1
	}
	return words.Span{}, false
}
