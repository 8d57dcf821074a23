package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Query is a parsed query. A document matches if it has one of Words (if there are any), all Phrases, all Fields, and
// nothing of Without.
type Query struct {
	Words   []string // for ranking, together with the words of phrases
	Phrases []string // words that follow each other in one passage
	Fields  []Field
	Without []Field
	// Stated are words that follow each other as documents state them of themselves: "status Withdrawn" for status: Withdrawn.
	// Documents that have them come first.
	Stated []string
}

// Field is a condition on a part of a document.
type Field struct {
	Name  string // FieldText, FieldTitle, FieldAuthor, FieldPath or FieldType
	Value string
}

// The fields of a query.
const (
	FieldText   = ""       // words or a phrase of the text
	FieldTitle  = "title"  // these words in the title
	FieldAuthor = "author" // these words in the names of the authors, or the sender of a message
	FieldPath   = "path"   // a part of the path, ignoring case
	FieldType   = "type"   // pdf, html, markdown, text, epub, docx or mail
)

// Limits of a query; the rest is ignored. Chosen far above what people and models write.
const (
	maxQueryWords  = 64
	maxQueryFields = 16
)

// fieldNames maps the words before a colon to fields.
func fieldNames() map[string]string {
	return map[string]string{
		"title": FieldTitle, "intitle": FieldTitle, "author": FieldAuthor, "from": FieldAuthor,
		"path": FieldPath, "file": FieldPath, "type": FieldType, "filetype": FieldType, "ext": FieldType,
	}
}

// typeNames are other names of the types.
func typeNames() map[string]string {
	return map[string]string{
		"md": "markdown", "htm": "html", "xhtml": "html", "txt": "text", "plain": "text", "word": "docx",
		"mbox": "mail", "eml": "mail", "email": "mail", "message": "mail",
	}
}

// Parse reads a query as people write it: words; "a phrase" in straight, curly or angle quotation marks; -word and
// -"phrase" to exclude; title:, author:, path: (or file:) and type: before a word or a phrase, also with a minus before
// them. Everything else is words: an unclosed quotation mark, an unknown field, a lone minus, a negative number.
func Parse(text string) Query {
	var q Query
	fields := fieldNames()
	for rest := strings.TrimLeftFunc(text, unicode.IsSpace); rest != ""; rest = strings.TrimLeftFunc(rest, unicode.IsSpace) {
		without := false
		if after, ok := strings.CutPrefix(rest, "-"); ok {
			if r, _ := utf8.DecodeRuneInString(after); unicode.IsLetter(r) || closing(r) != "" {
				without, rest = true, after
			}
		}
		name := ""
		if colon := strings.IndexByte(rest, ':'); colon > 0 && colon+1 < len(rest) {
			next, _ := utf8.DecodeRuneInString(rest[colon+1:])
			if field, ok := fields[strings.ToLower(rest[:colon])]; ok && !unicode.IsSpace(next) {
				name, rest = field, rest[colon+1:]
			}
		}
		value, quoted, after := nextValue(rest)
		rest = after
		if strings.TrimSpace(value) == "" {
			continue
		}
		field := Field{name, value}
		if name == FieldType {
			field.Value = strings.TrimPrefix(strings.ToLower(value), ".")
			if full, ok := typeNames()[field.Value]; ok {
				field.Value = full
			}
		}
		switch {
		case without && len(q.Without) < maxQueryFields:
			q.Without = append(q.Without, field)
		case without:
		case name != "" && len(q.Fields) < maxQueryFields:
			q.Fields = append(q.Fields, field)
		case name != "":
		case quoted && len(q.Phrases) < maxQueryFields:
			q.Phrases = append(q.Phrases, value)
		default:
			q.Words = append(q.Words, value)
		}
	}
	q.Words = q.Words[:min(len(q.Words), maxQueryWords)]
	q.Stated = stated(q.Words)
	return q
}

// maxStatedWords is the length of the longest statement (chosen): "status: Last Call" has three.
const maxStatedWords = 8

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

// conditions returns the phrases, the fields and the exclusions, in this order.
func (q Query) conditions() []Field {
	var all []Field
	for _, p := range q.Phrases {
		all = append(all, Field{FieldText, p})
	}
	return slices.Concat(all, q.Fields, q.Without)
}

// empty reports whether a query has no conditions.
func (q Query) empty() bool {
	return len(q.Words) == 0 && len(q.conditions()) == 0
}
