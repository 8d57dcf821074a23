package local

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

const (
	maxNamed      = 5  // documents that a query names; more are no name (chosen)
	maxNameTokens = 16 // of a query (chosen)
	leastNumber   = 3  // digits of a number that is a name without the words before it (chosen)
)

// nameAsked is the name or the number of a document in a query: EIP-7702, eip-7702.md, 7702, rfc 9110.
type nameAsked struct {
	tokens []string
	number string   // "" = none
	prefix []string // words before the number
	least  int      // how well a document must fit, see fits
}

// nameInside matches a word and a number in a query that asks for more: what does PEP 8 say of names?
var nameInside = lazyregexp.New(`(?:^|\s)(\pL+)[- ]?(\pN+)(?:$|[\s?,.;:)])`)

// nameIn finds a name in a query.
func nameIn(query string) (n nameAsked, ok bool) {
	if n, ok = nameOnly(query); ok {
		return n, true
	}
	m := nameInside.FindStringSubmatch(query)
	if m == nil || words.Function("en", strings.ToLower(m[1])) {
		return n, false
	}
	tokens := nameTokens(m[1] + " " + m[2])
	return nameAsked{tokens, tokens[1], tokens[:1], 3}, true
}

// nameOnly reads a query that is nothing but a name.
func nameOnly(query string) (n nameAsked, ok bool) {
	n.least = 1
	fields := strings.Fields(strings.Trim(strings.TrimSpace(query), `"`))
	if len(fields) == 0 || len(fields) > 2 || strings.HasPrefix(fields[0], "-") || strings.Contains(query, ":") {
		return n, false
	}
	n.tokens = nameTokens(strings.Join(fields, " "))
	last := len(n.tokens) - 1
	if last < 0 || last >= maxNameTokens {
		return n, false
	}
	if isNumber(n.tokens[last]) && !slices.ContainsFunc(n.tokens[:last], isNumber) {
		n.number, n.prefix = n.tokens[last], n.tokens[:last]
	}
	if len(fields) == 2 { // two words are a question, but for RFC 9110
		return n, n.number != "" && !strings.ContainsFunc(fields[1], unicode.IsLetter) && len(n.prefix) == 1
	}
	return n, n.number != "" || strings.ContainsAny(fields[0], "-_.") && last > 0
}

var nameToken = lazyregexp.New(`\pN+|\pL+`)

// nameTokens returns the words and numbers of a name: rfc9110 is RFC 9110, and 0020 is 20.
func nameTokens(name string) []string {
	out := nameToken.FindAllString(words.Fold(name), -1)
	for i, token := range out {
		if isNumber(token) {
			out[i] = cmp.Or(strings.TrimLeft(token, "0"), "0")
		}
	}
	return out
}

func isNumber(token string) bool { return token != "" && token[0] >= '0' && token[0] <= '9' }

// generic are names of files that say nothing: their folder's name counts.
var generic = []string{"readme", "index", "kep", "main", "metadata"}

// fits returns how well a document's name fits: 4 it is the name, 3 its number and the words before it are there, 2 the name is a
// part of it or its head states the number, 1 it has the number, 0 not at all.
func (n nameAsked) fits(root, file string, a stored) int {
	stem := path.Base(withoutExtension(file))
	name := nameTokens(stem)
	if dir := path.Dir(file); slices.Contains(generic, words.Fold(stem)) && dir != "." {
		name = nameTokens(path.Base(dir))
	}
	around := append(append(nameTokens(path.Base(root)), nameTokens(file)...), nameTokens(a.Title)...)
	for _, s := range a.Head {
		around = append(around, nameTokens(s.Name)...)
	}
	without := func(word string) bool { return !slices.Contains(around, word) && !slices.Contains(around, word+"s") }
	numbered := n.number != "" && slices.Contains(name, n.number)
	inside := func(i int) bool {
		return i+len(n.tokens) <= len(name) && slices.Equal(n.tokens, name[i:i+len(n.tokens)])
	}
	part := false
	for i := range name {
		part = part || len(n.tokens) > 1 && inside(i)
	}
	switch {
	case slices.Equal(n.tokens, name), slices.Equal(n.tokens, nameTokens(path.Base(file))):
		return 4
	case numbered && !slices.ContainsFunc(n.prefix, without):
		return 3
	case part, n.number != "" && slices.ContainsFunc(a.Head, n.states):
		return 2
	case numbered && len(n.number) >= leastNumber:
		return 1
	}
	return 0
}

// states reports whether a statement is the number: eip: 7702, kep-number: 2000, Request for Comments: 9110.
func (n nameAsked) states(s statement) bool {
	if len(s.Values) != 1 || !slices.Equal(nameTokens(s.Values[0]), []string{n.number}) {
		return false
	}
	name, initials := nameTokens(s.Name), ""
	for _, word := range name {
		initials += word[:1]
	}
	return len(n.prefix) == 1 && (slices.Contains(name, n.prefix[0]) || initials == n.prefix[0]) ||
		len(n.prefix) == 0 && len(n.number) >= leastNumber && (len(s.Name) <= 4 || slices.Contains(name, "number") ||
			s.Name == "request-for-comments")
}

// named returns the documents that a query names: those with the best kind of fit, unless they are many.
func (s search) named(query string) ([]*candidate, error) {
	n, ok := nameIn(query)
	if !ok {
		return nil, nil
	}
	type fitting struct {
		id   int64
		path string
	}
	var best []fitting
	most, part := n.least, "%"+cmp.Or(n.number, n.tokens[0])+"%"
	err := s.each(s.ctx, func(scan scanner) error {
		var f fitting
		var folder int
		var about []byte
		if err := scan(&f.id, &folder, &f.path, &about); err != nil {
			return err
		}
		var a stored
		if json.Unmarshal(about, &a) != nil {
			return errDamaged
		}
		fit := n.fits(s.roots[folder], f.path, a)
		if fit > most {
			most, best = fit, nil
		}
		if fit == most && len(best) <= maxNamed {
			best = append(best, f)
		}
		return nil
	}, `SELECT d.id, f.folder, f.path, d.about FROM `+documentsInFiles+`
		WHERE d.part = '' AND (f.path LIKE ? OR d.about LIKE ?) AND `+s.present(), part, part)
	if err != nil || len(best) == 0 || len(best) > maxNamed {
		return nil, err
	}
	data := func(f fitting) int { // prose before data: README.md before kep.yaml
		return min(0, slices.Index([]string{".yaml", ".yml", ".json", ".toml"}, path.Ext(f.path)))
	}
	slices.SortFunc(best, func(a, b fitting) int {
		return cmp.Or(cmp.Compare(data(a), data(b)), strings.Compare(sortKey(a.path), sortKey(b.path)))
	})
	var ids []int64
	for _, f := range best {
		ids = append(ids, f.id)
	}
	found, err := s.documents(ids)
	for _, d := range found {
		d.rate(&question{})
	}
	return found, err
}

var digits = lazyregexp.New(`\d+`)

// sortKey returns a name to be compared with its numbers as numbers: eip-20 is before eip-1000.
func sortKey(name string) string {
	return digits.ReplaceAllStringFunc(name, func(n string) string {
		n = strings.TrimLeft(n, "0")
		return strings.Repeat("0", max(0, 20-len(n))) + n
	})
}
