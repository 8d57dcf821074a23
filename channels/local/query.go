package local

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// token is a part of a query: a word, "a phrase" in straight, curly or angle quotation marks, or status:Final; with a minus before
// it, to exclude.
type token struct {
	name, value     string // before and behind the colon, without quotation marks; no name is ""
	quoted, without bool
}

// Limits of a query; the rest is ignored. Chosen far above what people and models write.
const (
	maxTokens      = 64
	maxStatedWords = 8 // "status: Last Call" has three
)

// tokenPattern matches a minus, a name, and a quoted or a bare value, each of which may be missing.
var tokenPattern = lazyregexp.New(`(-)?(?:([\pL_][\pL\d_.-]*):)?` +
	`(?:"([^"]*)"|[“”„]([^“”"]*)[“”"]|«([^»]*)»|»([^«]*)«|「([^」]*)」|(\S+))?`)

// tokensOf reads a query. An unclosed quotation mark, a lone minus and a negative number are words.
func tokensOf(text string) (out []token) {
	for _, m := range tokenPattern.FindAllStringSubmatch(text, -1) {
		bare := strings.TrimLeft(m[8], "\"“”„«»「")
		t := token{name: m[2], value: strings.Join(m[3:8], "") + bare, quoted: m[8] == "", without: m[1] != ""}
		if first, _ := utf8.DecodeRuneInString(bare); t.without && t.name == "" && !t.quoted && !unicode.IsLetter(first) {
			t.without, t.value = false, "-"+bare
		}
		if t.name != "" || strings.TrimSpace(t.value) != "" {
			out = append(out, t)
		}
	}
	return bounded(out, maxTokens)
}

// valueAt returns the value of the first token, which may be the words after it, up to the next name or AND, and the number of tokens.
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

// query is a parsed query. A document matches if it has one of words (if there are any), all phrases, nothing of without, and meets
// the filters.
type query struct {
	words            []string // for ranking, together with the words of phrases
	phrases, without []string // words, which follow each other
	filters          []filter
	// stated are words that follow each other as documents state them of themselves: "status Withdrawn" for status: Withdrawn.
	// Documents that have them come first.
	stated []string
}

// filterNames are the words before a colon that select documents in a search.
var filterNames = []string{"title", "author", "path", "type"}

// parseQuery reads the query of a search: title:, author:, path: (or file:) and type: (or ext:) before a word or a phrase are filters.
// Other names, and these before a space, are words.
func parseQuery(text string) (q query) {
	tokens := tokensOf(text)
	for i, t := range tokens {
		said := strings.Trim(t.name+":"+t.value, ":")
		f := newFilter(t, t.value)
		switch {
		case t.value != "" && slices.Contains(filterNames, f.name):
			q.filters = append(q.filters, f)
		case t.without:
			q.without = append(q.without, said)
		case t.quoted && t.name == "":
			q.phrases = append(q.phrases, said)
		default:
			q.words = append(q.words, said)
			value, n := valueAt(tokens[i:])
			if t.name != "" && value != "" && n <= maxStatedWords && !strings.ContainsAny(t.value, ":/") {
				q.stated = append(q.stated, t.name+" "+value)
			}
		}
	}
	return q
}

// filtersOf reads the filters of a list, all of which a document must meet: status:Final, type:"Standards Track", status: Last
// Call (up to the next field or AND), with a minus before them to exclude, and words of the path or the title. "*" is none.
func filtersOf(query string) (out []filter) {
	tokens := tokensOf(query)
	for len(tokens) > 0 {
		value, n := valueAt(tokens)
		if f := newFilter(tokens[0], value); f.value != "" && (f.name != "" || f.value != "AND" && f.value != "*") {
			out = append(out, f)
		}
		tokens = tokens[n:]
	}
	return out
}

// isPhrase reports several words.
func isPhrase(text string) bool { return strings.ContainsFunc(text, unicode.IsSpace) }

func bounded[T any](all []T, most int) []T { return all[:min(len(all), most)] }

// filter is a condition on what the index knows of a document.
type filter struct {
	name    string // of the field, lower case with hyphens; "" = a part of the document's path or title
	value   string // as it was written
	without bool
}

// newFilter returns a filter by the name of a token.
func newFilter(t token, value string) filter {
	name := strings.ReplaceAll(strings.ToLower(t.name), "_", "-")
	names := map[string]string{"file": "path", "ext": "type"}
	return filter{cmp.Or(names[name], name), strings.TrimSpace(value), t.without}
}

// statements returns what the index knows of a document: what its head states, and the fields of every document.
func (d row) statements() []extract.Statement {
	return append(slices.Clone(d.Head), extract.Statement{Name: "title", Values: []string{d.Title}},
		extract.Statement{Name: "author", Values: d.Authors}, extract.Statement{Name: "date", Values: []string{d.PublishedAt}},
		extract.Statement{Name: "type", Values: []string{d.Type, path.Ext(d.path)}},
		extract.Statement{Name: "language", Values: []string{d.Language}}, extract.Statement{Name: "doi", Values: []string{d.DOI}})
}

// accepts reports whether a document has the words of the value, or has them not, if the filter excludes. In a path and a title it
// finds parts of words.
func (f filter) accepts(d row) bool {
	var values []string
	switch f.name {
	case "":
		values = []string{d.place.path + " " + d.Title}
	case "path":
		values = []string{filepath.ToSlash(d.Path)}
	default:
		for _, s := range d.statements() {
			if s.Name == f.name {
				values = append(values, s.Values...)
			}
		}
	}
	asked := strings.TrimSpace(spelled(f.value))
	return f.without != slices.ContainsFunc(values, func(v string) bool {
		return asked != "" && has(spelled(v), asked) ||
			(f.name == "" || f.name == "path") && strings.Contains(words.Fold(v), words.Fold(f.value))
	})
}
