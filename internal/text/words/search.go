package words

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// SearchTerm is a term that a text is found by.
type SearchTerm struct {
	Term    string
	Written string // the word as it is written
	Pair    bool   // see [Token]
}

// SearchTerms calls yield with the terms that a text is found by: its tokens, after escapes of HTML and JSON (&uuml;, \u00fc) were
// decoded. C++ and C# are words of their own. Behind the parts of an identifier such as read_level it follows as a whole, and
// .net behind the net of .NET.
func (a *Analyzer) SearchTerms(text string, yield func(SearchTerm)) {
	text = unescaped(text)
	joined, end, parts := 0, 0, 0 // the identifier before the token
	whole := func() {
		if parts > 1 && end-joined <= maxWordBytes {
			yield(SearchTerm{Term: Fold(text[joined:end]), Written: text[joined:end]})
		}
	}
	a.Tokens(text, func(t Token) {
		found := SearchTerm{Term: t.Term, Written: text[t.ByteStart:t.ByteEnd], Pair: t.Pair}
		if parts > 0 && !t.Pair && text[end:t.ByteStart] == "_" {
			parts++
		} else {
			whole()
			joined, parts = t.ByteStart, 1
		}
		if t.Pair { // pairs overlap
			parts = 0
		}
		end = t.ByteEnd
		if sign := signAfter(found.Written, text[t.ByteEnd:]); sign != "" {
			found.Term, found.Written = Fold(found.Written)+sign, found.Written+sign
		}
		yield(found)
		if dotted(text, t) {
			yield(SearchTerm{Term: "." + t.Term, Written: "." + found.Written})
		}
	})
	whole()
}

// signAfter returns the signs that belong to the name before them: C++, C#.
func signAfter(word, after string) string {
	if strings.HasPrefix(after, "++") && !strings.HasPrefix(after, "+++") && len(word) <= maxWordBytes {
		return "++"
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(after, "#"))
	if len(word) == 1 && unicode.IsLetter(rune(word[0])) && strings.HasPrefix(after, "#") && !wordRune(next) {
		return "#"
	}
	return ""
}

// dotted reports whether a point begins a name, as in .NET and .gitignore.
func dotted(text string, t Token) bool {
	before, is := strings.CutSuffix(text[:t.ByteStart], ".")
	if first, _ := utf8.DecodeRuneInString(text[t.ByteStart:]); !is || !unicode.IsLetter(first) {
		return false
	}
	previous, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || unicode.IsSpace(previous) || strings.ContainsRune("(\"'`*/", previous)
}

var (
	entity     = lazyregexp.New(`&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,30});`)
	jsonEscape = lazyregexp.New(`\\(?:u[\da-fA-F]{4}|[nrt])`)
)

// unescaped decodes the escapes of HTML, and those of JSON. \n and \t are escapes only between the strings of JSON: elsewhere
// they may begin a command of TeX or a path.
func unescaped(text string) string {
	if strings.Contains(text, "&") {
		text = entity.ReplaceAllStringFunc(text, html.UnescapeString)
	}
	if !strings.Contains(text, `\`) {
		return text
	}
	data := strings.Contains(text, `":`) || strings.Contains(text, `",`)
	return jsonEscape.ReplaceAllStringFunc(text, func(escape string) string {
		if len(escape) > 2 {
			n, _ := strconv.ParseUint(escape[2:], 16, 16) // the expression has four digits
			return string(rune(n))
		}
		if data {
			return " "
		}
		return escape
	})
}
