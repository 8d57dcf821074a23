package local

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

const (
	maxNamed    = 5 // documents that a query names; more are no name (chosen)
	leastNumber = 3 // digits of a number that is a name without the word before it (chosen)
)

// name is the name or the number of a document in a query: EIP-7702, eip-7702.md, 7702, rfc 9110.
type name struct {
	words  string // see spelled
	number string // "" = none
	prefix string // the word before the number
	least  int    // how well a document must fit, see fits
}

// nameInside matches a word and a number in a query that may ask for more: what does PEP 8 say of names?
var nameInside = lazyregexp.New(`(?:^|\s)"?(\pL+)[- ]?(\pN+)"?(?:$|[\s?,.;:)])`)

// nameIn finds a name in a query: a word with a number, or else all of the query if it is a number or words joined by punctuation.
func nameIn(query string) (n name, ok bool) {
	fields := strings.Fields(strings.Trim(strings.TrimSpace(query), `"`))
	m := nameInside.FindStringSubmatch(query)
	switch {
	case m != nil && (len(fields) == 1 || !words.Function("en", strings.ToLower(m[1]))):
		n = name{words: spelled(m[1] + " " + m[2]), number: strings.TrimSpace(spelled(m[2])), prefix: words.Fold(m[1]), least: 3}
		if len(fields) <= 2 {
			n.least = 1
		}
		return n, true
	case len(fields) != 1 || strings.HasPrefix(fields[0], "-") || strings.Contains(fields[0], ":"):
		return name{}, false
	}
	n = name{words: spelled(fields[0]), least: 1}
	parts := strings.Fields(n.words)
	if len(parts) == 1 && isNumber(parts[0]) {
		n.number = parts[0]
	}
	return n, n.number != "" || strings.ContainsAny(fields[0], "-_.") && len(parts) > 1
}

var wordOrNumber = lazyregexp.New(`\pN+|\pL+`)

// spelled returns the words and numbers of a text between spaces, folded: rfc9110 is RFC 9110, and 0020 is 20.
func spelled(text string) string {
	out := wordOrNumber.FindAllString(words.Fold(text), -1)
	for i, word := range out {
		if isNumber(word) {
			out[i] = cmp.Or(strings.TrimLeft(word, "0"), "0")
		}
	}
	return " " + strings.Join(out, " ") + " "
}

func isNumber(word string) bool { return word[0] >= '0' && word[0] <= '9' }

// has reports words or a number, or the plural of a word, in a spelled text.
func has(text, word string) bool {
	return strings.Contains(text, " "+word+" ") || strings.Contains(text, " "+word+"s ")
}

// generic are names of files that say nothing: their folder's name counts.
var generic = []string{"readme", "index", "kep", "main", "metadata"}

// fits returns how well a document's name fits: 4 it is the name, 3 it or the first number that the document states is the number, with
// the word before it near, 2 the name is a part of it, 1 it has the number, 0 not at all.
func (n name) fits(d row) int {
	stem := path.Base(withoutExtension(d.path))
	if dir := path.Dir(d.path); slices.Contains(generic, words.Fold(stem)) && dir != "." {
		stem = path.Base(dir)
	}
	own, around := spelled(stem), spelled(d.Path+" "+d.Title)
	stated := ""
	if at := slices.IndexFunc(d.Head, statesNumber); at >= 0 { // Request for Comments: 9110
		called := spelled(d.Head[at].Name)
		for word := range strings.FieldsSeq(called) {
			stated += word[:1]
		}
		stated = " " + stated + called + spelled(d.Head[at].Values[0])
	}
	numbered := n.number != "" && has(own+stated, n.number)
	switch {
	case n.words == own, n.words == spelled(path.Base(d.path)):
		return 4
	case numbered && (n.prefix == "" || has(around+stated, n.prefix)):
		return 3
	case strings.Count(n.words, " ") > 2 && strings.Contains(own, n.words):
		return 2
	case numbered && len(n.number) >= leastNumber:
		return 1
	}
	return 0
}

// statesNumber reports a statement that is a number.
func statesNumber(s extract.Statement) bool {
	value := strings.Fields(spelled(strings.Join(s.Values, " ")))
	return len(value) == 1 && isNumber(value[0])
}

// named returns the ids of the documents that a query names: those with the best kind of fit, unless they are many.
func (s *search) named(query string) (best []int64) {
	n, ok := nameIn(query)
	if !ok {
		return nil
	}
	part := "%" + cmp.Or(n.number, strings.Fields(n.words)[0]) + "%"
	for _, d := range s.documents(`(path LIKE ? OR about LIKE ?) ORDER BY path`, part, part) {
		fit := n.fits(d)
		if fit > n.least {
			n.least, best = fit, nil
		}
		if fit == n.least {
			best = append(best, d.id)
		}
	}
	if len(best) > maxNamed {
		return nil
	}
	return best
}
