package local

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// token is a part of a query: a word, "a phrase" in straight, curly or angle quotation marks, or status:Final; with a minus before
// it, to exclude.
type token struct {
	name    string // before the colon, lower case with hyphens; "" = none
	written string // the same as it was written
	value   string // without quotation marks
	quoted  bool
	without bool
}

// Limits of a query; the rest is ignored. Chosen far above what people and models write.
const (
	maxQueryWords  = 64
	maxQueryFields = 16
	maxStatedWords = 8 // "status: Last Call" has three
)

var fieldName = lazyregexp.New(`^([\pL_][\pL\d_.-]*):`)

// tokensOf reads a query. An unclosed quotation mark, a lone minus and a negative number are words.
func tokensOf(text string) (out []token) {
	for rest := strings.TrimLeftFunc(text, unicode.IsSpace); rest != ""; rest = strings.TrimLeftFunc(rest, unicode.IsSpace) {
		var t token
		if after, ok := strings.CutPrefix(rest, "-"); ok {
			if r, _ := utf8.DecodeRuneInString(after); unicode.IsLetter(r) || closing(r) != "" {
				t.without, rest = true, after
			}
		}
		if m := fieldName.FindStringSubmatch(rest); m != nil {
			t.written = m[1]
			t.name, rest = strings.ReplaceAll(strings.ToLower(m[1]), "_", "-"), rest[len(m[0]):]
		}
		if r, _ := utf8.DecodeRuneInString(rest); t.name == "" || rest != "" && !unicode.IsSpace(r) {
			t.value, t.quoted, rest = nextValue(rest)
		}
		if t.name != "" || strings.TrimSpace(t.value) != "" {
			out = append(out, t)
		}
	}
	return out
}

// nextValue cuts a quoted string or a word from the front of a text.
func nextValue(text string) (value string, quoted bool, rest string) {
	r, w := utf8.DecodeRuneInString(text)
	if marks := closing(r); marks != "" {
		if end := strings.IndexAny(text[w:], marks); end >= 0 {
			_, closer := utf8.DecodeRuneInString(text[w+end:])
			return text[w : w+end], true, text[w+end+closer:]
		}
		text = text[w:] // not closed: the rest is words
	}
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	return text[:end], false, text[end:]
}

// closing returns the marks that may close a quotation that r opens, or "" if r is not an opening mark.
func closing(r rune) string {
	return map[rune]string{'"': `"`, '“': "“”\"", '”': "“”\"", '„': "“”\"", '«': "»", '»': "«", '「': "」"}[r]
}

// valueAt returns the value of a named token, which may be the words after it, up to the next name or AND, and the number of tokens.
func valueAt(tokens []token) (value string, n int) {
	value = tokens[0].value
	for n = 1; tokens[0].value == "" && n < len(tokens); n++ {
		if next := tokens[n]; next.name != "" || next.without || next.value == "AND" {
			break
		}
		value = strings.TrimSpace(value + " " + tokens[n].value)
	}
	return value, n
}

// query is a parsed query. A document matches if it has one of words (if there are any), all phrases, all fields, and nothing of
// without.
type query struct {
	words   []string // for ranking, together with the words of phrases
	phrases []string // words that follow each other
	fields  []field
	without []field
	// stated are words that follow each other as documents state them of themselves: "status Withdrawn" for status: Withdrawn.
	// Documents that have them come first.
	stated []string
}

// field is a condition on a part of a document.
type field struct {
	name  string // "" = the text, title, author, path or type
	value string
}

// fieldNames maps the words before a colon to fields.
var fieldNames = map[string]string{
	"title": "title", "intitle": "title", "author": "author", "from": "author", "path": "path", "file": "path",
	"type": "type", "filetype": "type", "ext": "type",
}

// typeNames are other names of the types.
var typeNames = map[string]string{
	"md": "markdown", "htm": "html", "xhtml": "html", "txt": "text", "plain": "text", "word": "docx",
	"mbox": "mail", "eml": "mail", "email": "mail", "message": "mail",
}

// parseQuery reads the query of a search: title:, author:, path: (or file:) and type: before a word or a phrase are fields. Other
// names, and these before a space, are words.
func parseQuery(text string) (q query) {
	tokens := tokensOf(text)
	for i, t := range tokens {
		f := field{fieldNames[t.name], t.value}
		known := f.name != "" && t.value != ""
		if !known {
			f = field{"", strings.Trim(t.written+":"+t.value, ":")}
		}
		if f.name == "type" {
			f.value = strings.TrimPrefix(strings.ToLower(f.value), ".")
			if full, ok := typeNames[f.value]; ok {
				f.value = full
			}
		}
		switch {
		case t.without:
			q.without = append(q.without, f)
		case known:
			q.fields = append(q.fields, f)
		case t.quoted && t.name == "":
			q.phrases = append(q.phrases, f.value)
		default:
			q.words = append(q.words, f.value)
		}
		if t.name != "" && !known && !t.without && !strings.ContainsAny(t.value, ":/") {
			value, n := valueAt(tokens[i:])
			if value != "" && n <= maxStatedWords {
				q.stated = append(q.stated, t.written+" "+value)
			}
		}
	}
	bound := func(fields []field) []field { return slices.Clip(fields[:min(len(fields), maxQueryFields)]) }
	q.words, q.fields, q.without = q.words[:min(len(q.words), maxQueryWords)], bound(q.fields), bound(q.without)
	q.phrases, q.stated = q.phrases[:min(len(q.phrases), maxQueryFields)], q.stated[:min(len(q.stated), maxQueryFields)]
	return q
}
