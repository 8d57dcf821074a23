package local

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/channels/local/index"
	"github.com/citeloop/citeloop/internal/text/words"
)

const (
	maxNamed       = 5      // documents that a query names; more are no name (chosen)
	maxNameTokens  = 16     // of a query (chosen)
	maxHeadsLooked = 20_000 // documents whose heads are looked at for a number: 0.2 s (chosen)
	namedShare     = 0.25   // what a named document's score is above the best other one, as a share of it (chosen, as for statements)
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

// fits returns how well a file's name fits: 3 it is the name, 2 its number and the words before it are there, 1 it is a part of
// it, 0 not at all. about reads the document, for words of its title and head.
func (n nameAsked) fits(folder, file string, about func() (index.About, bool)) int {
	if !strings.Contains(words.Fold(file), cmp.Or(n.number, n.tokens[0])) { // most files
		return 0
	}
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
		around := append(nameTokens(path.Join(path.Base(folder), dir)), name...)
		if !n.named(around) {
			if a, ok := about(); ok {
				around = append(around, nameTokens(a.Title)...)
				for _, s := range a.Head {
					around = append(around, nameTokens(s.Name)...)
				}
			}
		}
		if n.named(around) {
			return 2
		}
	}
	if len(n.tokens) > 1 {
		for i := range name {
			if i+len(n.tokens) <= len(name) && slices.Equal(n.tokens, name[i:i+len(n.tokens)]) {
				return 1
			}
		}
	}
	return 0
}

// named reports whether all words before the number are among some, which may be plural.
func (n nameAsked) named(among []string) bool {
	for _, word := range n.prefix {
		if !slices.Contains(among, word) && !slices.Contains(among, word+"s") {
			return false
		}
	}
	return true
}

// states reports whether a document states the number: eip: 7702, kep-number: 2000, Request for Comments: 9110.
func (n nameAsked) states(a index.About) bool {
	for _, s := range a.Head {
		if len(s.Values) != 1 || !slices.Equal(nameTokens(s.Values[0]), []string{n.number}) {
			continue
		}
		name := nameTokens(s.Name)
		initials := ""
		for _, word := range name {
			initials += word[:1]
		}
		if len(n.prefix) == 1 && (slices.Contains(name, n.prefix[0]) || initials == n.prefix[0]) ||
			len(n.prefix) == 0 && len(n.number) > 2 && (len(s.Name) <= 4 || slices.Contains(name, "number") || s.Name == "request-for-comments") {
			return true
		}
	}
	return false
}

// namedAt is a document that a query names.
type namedAt struct {
	part, document int
	file           string
	fit            int
}

// namedBy returns the documents that a query names, the best kind of fit alone.
func (n nameAsked) namedBy(parts []index.Part) (best []namedAt) {
	documents := 0
	keep := func(at namedAt) {
		if len(best) > 0 && best[0].fit < at.fit {
			best = nil
		}
		if at.fit > 0 && (len(best) == 0 || best[0].fit == at.fit) && len(best) <= maxNamed {
			best = append(best, at)
		}
	}
	for i, p := range parts {
		for number, f := range p.EachFile() {
			documents += f.Documents()
			if p.Deleted.Has(number) || f.Documents() != 1 {
				continue
			}
			document := f.First()
			keep(namedAt{i, document, f.Path, n.fits(p.Folder, f.Path, func() (index.About, bool) {
				a, err := p.About(document)
				return a, err == nil
			})})
		}
	}
	if len(best) == 0 && n.number != "" && documents <= maxHeadsLooked {
		for i, p := range parts {
			_ = p.EachDocument(func(document int, a index.About) bool { // a search notices damage
				if a.Part == "" && n.states(a) {
					keep(namedAt{i, document, a.Path, 1})
				}
				return true
			})
		}
	}
	if len(best) > maxNamed {
		return nil
	}
	slices.SortFunc(best, func(a, b namedAt) int { // prose before data: README.md before kep.yaml
		data := func(at namedAt) int {
			return b2i(slices.Contains([]string{".yaml", ".yml", ".json", ".toml"}, path.Ext(at.file)))
		}
		return cmp.Or(data(a)-data(b), compareNames(a.file, b.file))
	})
	return best
}

// withNamed puts the documents that a query names before all others.
func withNamed(parts []index.Part, query string, found []index.Hit, limit int) []index.Hit {
	asked, ok := nameIn(query)
	if !ok {
		return found
	}
	named := asked.namedBy(parts)
	var first []index.Hit
	for i, at := range named {
		restricted := index.Parse(query)
		restricted.Stated, restricted.Fields = nil, []index.Field{{Name: index.FieldPath, Value: parts[at.part].Folder + "/" + at.file}}
		hits, _ := index.Find(parts[at.part:at.part+1], restricted, maxNamed)
		if len(hits) == 0 { // its text has no word of the query
			restricted.Words, restricted.Phrases = nil, nil
			hits, _ = index.Find(parts[at.part:at.part+1], restricted, maxNamed)
		}
		for _, h := range hits {
			if h.About.Path == at.file {
				h.Part = at.part
				if h.Score = float64(len(named) - i); len(found) > 0 {
					h.Score = found[0].Score * (1 + namedShare*float64(len(named)-i)/float64(len(named)))
				}
				first = append(first, h)
			}
		}
	}
	for _, h := range found {
		if !slices.ContainsFunc(first, func(f index.Hit) bool { return f.Part == h.Part && f.File == h.File }) {
			first = append(first, h)
		}
	}
	return first[:min(len(first), limit)]
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareNames orders names with their numbers as numbers: eip-20 is before eip-1000.
func compareNames(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		m, n := digitsOf(x), digitsOf(y)
		if m != "" && n != "" {
			x, y = x[len(m):], y[len(n):]
			m, n = strings.TrimLeft(m, "0"), strings.TrimLeft(n, "0")
			if len(m) != len(n) {
				return len(m) - len(n)
			}
			if m != n {
				return strings.Compare(m, n)
			}
			continue
		}
		if x[0] != y[0] {
			return int(x[0]) - int(y[0])
		}
		x, y = x[1:], y[1:]
	}
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	return strings.Compare(a, b)
}

// digitsOf returns the digits with which a text begins.
func digitsOf(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}
