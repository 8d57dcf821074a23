package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// A text defines an abbreviation once, "World Health Organization (WHO)", and uses it from then on. The two are one name.

const (
	longestAbbreviation = 8  // letters
	maxAbbreviations    = 50 // of a text
)

// abbreviation is a definition that a text gives.
type abbreviation struct {
	short string   // folded
	words []string // of the full name, folded
}

// expansion returns the words that end a text if the abbreviation after it is made of their initials. Short words in lower case
// may have none: "Ministry of Finance (MF)".
func expansion(before, short string) []string {
	if n := utf8.RuneCountInString(short); !abbreviates(short) || n > longestAbbreviation || strings.ContainsFunc(short, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return nil
	}
	words := strings.FieldsFunc(lastBytes(before, 200), func(r rune) bool { return !unicode.IsLetter(r) && r != '.' && r != ',' && r != ';' })
	letters := []rune(passages.Fold(short))
	for n := len(words) - 1; n >= 0; n-- {
		if strings.ContainsAny(words[n], ".,;") {
			return nil
		}
		word := passages.Fold(words[n])
		switch first := firstRune(word); {
		case first == letters[len(letters)-1]:
			if letters = letters[:len(letters)-1]; len(letters) == 0 {
				out := make([]string, 0, len(words)-n)
				for _, w := range words[n:] {
					out = append(out, passages.Fold(w))
				}
				return out
			}
		case len(word) > 3 || words[n] != strings.ToLower(words[n]):
			return nil
		}
	}
	return nil
}

// lastBytes is the end of a text, at most n bytes.
func lastBytes(s string, n int) string {
	if len(s) > n {
		return s[len(s)-n:]
	}
	return s
}

// abbreviationsIn lists what a text defines in brackets.
func abbreviationsIn(text string) []abbreviation {
	var out []abbreviation
	for from := 0; len(out) < maxAbbreviations; {
		open := strings.IndexByte(text[from:], '(')
		if open < 0 {
			break
		}
		from += open + 1
		end := strings.IndexByte(firstBytes(text[from:], 4*longestAbbreviation), ')')
		if end < 0 {
			continue
		}
		if words := expansion(strings.TrimRight(text[:from-1], " "), text[from:from+end]); words != nil {
			out = append(out, abbreviation{passages.Fold(text[from : from+end]), words})
		}
	}
	return out
}

// key is the same for one abbreviation of one full name only.
func (a abbreviation) key() string {
	return abbreviationKey + a.short + "=" + strings.Join(a.words, " ")
}

// unite gives an abbreviation and the words of its full name one key.
func (w *wording) unite(list []abbreviation) {
	for _, a := range list {
		key := a.key()
		for i := range w.tokens {
			if t := &w.tokens[i]; t.fold == a.short && abbreviates(w.text[t.start:t.end]) {
				t.keys = append(slices.Clip(t.keys), key)
			}
		}
	}
	w.uniteNames(list)
}

// uniteNames gives the words of full names the key of their abbreviation. It is enough in a passage for the abbreviations that
// only the claim defines: a bare "ECB" in the passage can be another name than the claim's.
func (w *wording) uniteNames(list []abbreviation) {
	for _, a := range list {
		key := a.key()
		for i := range w.tokens {
			if !w.runs(i, a.words) {
				continue
			}
			for j := i; j < i+len(a.words); j++ {
				if t := &w.tokens[j]; t.content() {
					t.keys = append(slices.Clip(t.keys), key)
				}
			}
		}
	}
}

// abbreviationKey begins the keys that unite adds.
const abbreviationKey = "=abbreviation:"

// runs reports whether words follow each other from token i on.
func (w *wording) runs(i int, words []string) bool {
	if i+len(words) > len(w.tokens) {
		return false
	}
	for n, word := range words {
		if w.tokens[i+n].fold != word {
			return false
		}
	}
	return true
}

// takeNames marks all words of a full name in the passage as taken where the claim has its abbreviation.
func (x *account) takeNames() {
	p := x.passage.tokens
	for i, at := range x.at {
		if at < 0 || p[at].fold == x.claim.tokens[i].fold {
			continue
		}
		for _, key := range p[at].keys[1:] {
			if !strings.HasPrefix(key, abbreviationKey) || !slices.Contains(x.claim.tokens[i].keys, key) {
				continue
			}
			for _, step := range []int{-1, 1} {
				for j := at + step; j >= 0 && j < len(p) && p[j].segment == p[at].segment && (p[j].function || slices.Contains(p[j].keys, key)); j += step {
					if !p[j].function {
						x.taken[j] = true
					}
				}
			}
		}
	}
}
