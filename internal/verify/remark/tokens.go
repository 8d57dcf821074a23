package remark

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Block is a cited part of a source.
type Block struct {
	SourceID    string
	Line, Start int // of the first character of Text in the source
	Text        string
}

// Kind says what a remark is about.
type Kind string

// The kinds of remarks.
const (
	Number   Kind = "number"   // a number that the blocks lack
	Date     Kind = "date"     // a date or year that the blocks lack
	Unit     Kind = "unit"     // the number of the blocks with another unit
	Negation Kind = "negation" // only one side denies
	Opposite Kind = "opposite" // a word in the place of its opposite
)

// Remark is a visible difference between a claim and the blocks that it cites.
type Remark struct {
	Kind     Kind   `json:"kind"`
	Claim    string `json:"claim"` // the words of the claim, "" if it has nothing there
	Text     string `json:"text"`  // the words of the source, "" if it has nothing there
	SourceID string `json:"source_id"`
	Line     int    `json:"line"`
	Start    int    `json:"start"` // in the source, code points
	End      int    `json:"end"`

	elsewhere bool // the blocks have the claim's quantity in another place
}

// String says the remark as a sentence, such as `331 is not in the cited lines; S1:40 has 311`.
func (r Remark) String() string {
	place := fmt.Sprintf("%s:%d", r.SourceID, r.Line)
	switch {
	case !r.elsewhere && (r.Kind == Number || r.Kind == Date || r.Kind == Unit):
		return fmt.Sprintf("%s is not in the cited lines; %s has %s", r.Claim, place, r.Text)
	case r.Claim == "":
		return fmt.Sprintf("%s has %q, which the claim leaves out", place, r.Text)
	}
	return fmt.Sprintf("the claim has %q where %s has %q", r.Claim, place, r.Text)
}

// token is a word that is compared, or a character of a script without spaces.
type token struct {
	words.Token
	function bool // adds no meaning of its own
	number   bool // has a digit
}

// scan divides a text of a language into tokens.
func scan(analyzer *words.Analyzer, language, text string) []token {
	var out []token
	last := 0 // bytes
	add := func(t words.Token) {
		s := text[t.ByteStart:t.ByteEnd]
		out = append(out, token{t, words.Function(language, s), strings.ContainsFunc(s, unicode.IsDigit)})
		last = t.ByteEnd
	}
	analyzer.Tokens(text, func(t words.Token) {
		if !t.Pair {
			add(t)
			return
		}
		for i, r := range text[t.ByteStart:t.ByteEnd] { // pairs overlap by one character
			if b, e := t.ByteStart+i, t.ByteStart+i+utf8.RuneLen(r); b >= last {
				n := t.Start + utf8.RuneCountInString(text[t.ByteStart:b])
				add(words.Token{Term: words.Fold(string(r)), Start: n, End: n + 1, ByteStart: b, ByteEnd: e, Pair: true})
			}
		}
	})
	return out
}

// content counts the tokens with a meaning of their own.
func content(tokens []token) (n int) {
	for _, t := range tokens {
		if !t.function {
			n++
		}
	}
	return n
}
