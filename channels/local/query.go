package local

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// Limits of a query; the rest is ignored. Chosen far above what people and models write.
const (
	maxQueryWords  = 64
	maxQueryFields = 16
	maxStatedWords = 8 // "status: Last Call" has three
)

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

// parseQuery reads a query as people write it: words; "a phrase" in straight, curly or angle quotation marks; -word and -"phrase" to
// exclude; title:, author:, path: (or file:) and type: before a word or a phrase, also with a minus before them. Everything else is
// words: an unclosed quotation mark, an unknown field, a lone minus, a negative number.
func parseQuery(text string) query {
	var q query
	for rest := strings.TrimLeftFunc(text, unicode.IsSpace); rest != ""; rest = strings.TrimLeftFunc(rest, unicode.IsSpace) {
		without := false
		if after, ok := strings.CutPrefix(rest, "-"); ok {
			if r, _ := utf8.DecodeRuneInString(after); unicode.IsLetter(r) || closing(r) != "" {
				without, rest = true, after
			}
		}
		f := field{}
		if colon := strings.IndexByte(rest, ':'); colon > 0 && colon+1 < len(rest) {
			next, _ := utf8.DecodeRuneInString(rest[colon+1:])
			if name, ok := fieldNames[strings.ToLower(rest[:colon])]; ok && !unicode.IsSpace(next) {
				f.name, rest = name, rest[colon+1:]
			}
		}
		var quoted bool
		if f.value, quoted, rest = nextValue(rest); strings.TrimSpace(f.value) == "" {
			continue
		}
		if f.name == "type" {
			f.value = strings.TrimPrefix(strings.ToLower(f.value), ".")
			if full, ok := typeNames[f.value]; ok {
				f.value = full
			}
		}
		switch {
		case without:
			q.without = append(q.without, f)
		case f.name != "":
			q.fields = append(q.fields, f)
		case quoted:
			q.phrases = append(q.phrases, f.value)
		default:
			q.words = append(q.words, f.value)
		}
	}
	q.words = q.words[:min(len(q.words), maxQueryWords)]
	q.phrases = q.phrases[:min(len(q.phrases), maxQueryFields)]
	q.fields, q.without = q.fields[:min(len(q.fields), maxQueryFields)], q.without[:min(len(q.without), maxQueryFields)]
	q.stated = stated(q.words)
	return q
}

// stated returns the statements among the words of a query: a word before a colon with the words after it, up to the next one.
func stated(words []string) (out []string) {
	for i, word := range words {
		name, value, colon := strings.Cut(word, ":")
		if r, _ := utf8.DecodeRuneInString(name); !colon || !unicode.IsLetter(r) || strings.ContainsAny(value, ":/") {
			continue
		}
		said := []string{name, value}
		for _, next := range words[i+1:] {
			if value != "" || strings.Contains(next, ":") {
				break
			}
			said = append(said, next)
		}
		if len(strings.Fields(strings.Join(said, " "))) > 1 && len(said) <= maxStatedWords && len(out) < maxQueryFields {
			out = append(out, strings.Join(said, " "))
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
	switch r {
	case '"':
		return `"`
	case '“', '”', '„':
		return "“”\""
	case '«':
		return "»"
	case '»':
		return "«"
	case '「':
		return "」"
	}
	return ""
}
