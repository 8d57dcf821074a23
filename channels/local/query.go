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
		t := token{name: strings.ReplaceAll(strings.ToLower(m[2]), "_", "-"), written: m[2], without: m[1] != "",
			value: strings.Join(m[3:8], "") + bare, quoted: m[8] == ""}
		if first, _ := utf8.DecodeRuneInString(bare); t.without && t.name == "" && !t.quoted && !unicode.IsLetter(first) {
			t.without, t.value = false, "-"+bare
		}
		if t.name != "" || strings.TrimSpace(t.value) != "" {
			out = append(out, t)
		}
	}
	return bounded(out, maxTokens)
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
var filterNames = []string{"title", "author", "path", "file", "type", "ext"}

// parseQuery reads the query of a search: title:, author:, path: (or file:) and type: (or ext:) before a word or a phrase are filters.
// Other names, and these before a space, are words.
func parseQuery(text string) (q query) {
	tokens := tokensOf(text)
	for i, t := range tokens {
		said := strings.Trim(t.written+":"+t.value, ":")
		switch {
		case t.value != "" && slices.Contains(filterNames, t.name):
			q.filters = append(q.filters, newFilter(t, t.value))
		case t.without:
			q.without = append(q.without, said)
		case t.quoted && t.name == "":
			q.phrases = append(q.phrases, said)
		default:
			q.words = append(q.words, said)
			value, n := valueAt(tokens[i:])
			if t.name != "" && value != "" && n <= maxStatedWords && !strings.ContainsAny(t.value, ":/") {
				q.stated = append(q.stated, t.written+" "+value)
			}
		}
	}
	return q
}

// isPhrase reports several words.
func isPhrase(text string) bool { return strings.ContainsFunc(text, unicode.IsSpace) }

func bounded[T any](all []T, most int) []T { return all[:min(len(all), most)] }
