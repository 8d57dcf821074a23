package local

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/text/words"
)

const (
	maxNamed      = 5    // documents that a query names; more are no name (chosen)
	maxNameTokens = 16   // of a query (chosen)
	namedShare    = 0.25 // what a named document's score is above the best other one, as a share of it (chosen, as for statements)
)

// nameAsked is a query that is nothing but the name or the number of a document: EIP-7702, eip-7702.md, 7702, rfc 9110.
type nameAsked struct {
	tokens []string
	number string   // "" = none
	prefix []string // words before the number
}

// nameIn reads a query as a name.
func nameIn(query string) (n nameAsked, ok bool) {
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

// nameTokens returns the words and numbers of a name: rfc9110 is RFC 9110, and 0020 is 20.
func nameTokens(name string) (out []string) {
	kind, last := 0, 0
	for _, r := range words.Fold(name) {
		switch {
		case unicode.IsDigit(r):
			kind = 2
		case unicode.IsLetter(r):
			kind = 1
		default:
			kind = 0
		}
		if kind != 0 && kind != last {
			out = append(out, "")
		}
		if last = kind; kind != 0 {
			out[len(out)-1] += string(r)
		}
	}
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

// fits returns how well a document's name fits: 3 it is the name, 2 its number and the words before it are there, 1 the name is a
// part of it or its head states the number, 0 not at all.
func (n nameAsked) fits(folder, file string, a stored) int {
	dir, base := path.Split(strings.TrimSuffix(file, ".gz"))
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	name := nameTokens(stem)
	if slices.Contains(generic, words.Fold(stem)) && dir != "" {
		name = nameTokens(path.Base(dir))
	}
	if slices.Equal(n.tokens, name) || slices.Equal(n.tokens, append(nameTokens(stem), nameTokens(ext)...)) {
		return 3
	}
	if n.number != "" && slices.Contains(name, n.number) {
		around := append(append(nameTokens(path.Join(path.Base(folder), dir)), name...), nameTokens(a.Title)...)
		for _, s := range a.Head {
			around = append(around, nameTokens(s.Name)...)
		}
		if !slices.ContainsFunc(n.prefix, func(word string) bool { return !slices.Contains(around, word) && !slices.Contains(around, word+"s") }) {
			return 2
		}
	}
	for i := range name {
		if len(n.tokens) > 1 && i+len(n.tokens) <= len(name) && slices.Equal(n.tokens, name[i:i+len(n.tokens)]) {
			return 1
		}
	}
	if n.number != "" && slices.ContainsFunc(a.Head, n.states) {
		return 1
	}
	return 0
}

// states reports whether a statement is the number: eip: 7702, kep-number: 2000, Request for Comments: 9110.
func (n nameAsked) states(s statement) bool {
	if len(s.Values) != 1 || !slices.Equal(nameTokens(s.Values[0]), []string{n.number}) {
		return false
	}
	name := nameTokens(s.Name)
	initials := ""
	for _, word := range name {
		initials += word[:1]
	}
	return len(n.prefix) == 1 && (slices.Contains(name, n.prefix[0]) || initials == n.prefix[0]) ||
		len(n.prefix) == 0 && len(n.number) > 2 && (len(s.Name) <= 4 || slices.Contains(name, "number") || s.Name == "request-for-comments")
}

// withNamed puts the documents that a query names before all others: those with the best kind of fit, unless they are many.
func (c *Corpus) withNamed(ctx context.Context, text string, found []*candidate, limit int) ([]*candidate, error) {
	n, ok := nameIn(text)
	if !ok {
		return found, nil
	}
	folders, err := c.indexed(ctx)
	if err != nil {
		return nil, err
	}
	type named struct {
		in   searched
		id   int64
		file string
		fit  int
	}
	var best []named
	for _, f := range folders {
		part := "%" + cmp.Or(n.number, n.tokens[0]) + "%"
		err := f.each(ctx, func(scan func(...any) error) error {
			at, about, a := named{in: f}, []byte(nil), stored{}
			if err := scan(&at.id, &at.file, &about); err != nil {
				return err
			}
			if err := json.Unmarshal(about, &a); err != nil {
				return errDamaged
			}
			at.fit = n.fits(f.root, at.file, a)
			if len(best) > 0 && best[0].fit < at.fit {
				best = nil
			}
			if at.fit > 0 && (len(best) == 0 || best[0].fit == at.fit) && len(best) <= maxNamed {
				best = append(best, at)
			}
			return nil
		}, `SELECT d.id, f.path, d.about FROM documents d JOIN files f ON f.id = d.file WHERE d.part = '' AND (f.path LIKE ? OR d.about LIKE ?)`, part, part)
		if err != nil {
			return nil, err
		}
	}
	if len(best) == 0 || len(best) > maxNamed {
		return found, nil
	}
	slices.SortFunc(best, func(a, b named) int { // prose before data: README.md before kep.yaml
		data := func(at named) int {
			return slices.Index([]string{".yaml", ".yml", ".json", ".toml"}, path.Ext(at.file))
		}
		return cmp.Or(cmp.Compare(min(data(a), 0), min(data(b), 0)), compareNames(a.file, b.file))
	})
	var first []*candidate
	for i, at := range best {
		d, err := at.in.document(ctx, at.id)
		if err != nil {
			return nil, err
		}
		d.score = float64(len(best) - i)
		if len(found) > 0 {
			d.score = found[0].score * (1 + namedShare*float64(len(best)-i)/float64(len(best)))
		}
		if same := slices.IndexFunc(found, func(f *candidate) bool { return f.folder == d.folder && f.id == d.id }); same >= 0 {
			d.passage, d.scores = found[same].passage, found[same].scores
		}
		first = append(first, d)
	}
	return before(first, found, limit), nil
}

// compareNames orders names with their numbers as numbers: eip-20 is before eip-1000.
func compareNames(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		m, n := digitsOf(x), digitsOf(y)
		if m != "" && n != "" {
			x, y = x[len(m):], y[len(n):]
			m, n = strings.TrimLeft(m, "0"), strings.TrimLeft(n, "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
			continue
		}
		if x[0] != y[0] {
			return int(x[0]) - int(y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digitsOf returns the digits with which a text begins.
func digitsOf(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }
