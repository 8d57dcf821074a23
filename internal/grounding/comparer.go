package grounding

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// comparer compares one claim with passages.
type comparer struct {
	claims *reader
	claim  *wording
	given  map[string]bool // what the question says, by key
	read   map[sentenceKey]*wording

	same    map[string]map[string]bool
	against map[string][]string

	identities map[*document]map[string]bool
	frames     []lexicon.Match // phrases of attribution in the claim
	short      []abbreviation  // that the claim defines
	aligner    aligner
}

type sentenceKey struct {
	doc      *document
	sentence int
}

func newComparer(claim Claim, reader *reader, docs []*document) *comparer {
	k := &comparer{claims: reader, same: make(map[string]map[string]bool), against: make(map[string][]string), read: make(map[sentenceKey]*wording), given: make(map[string]bool), identities: make(map[*document]map[string]bool)}
	k.claim = k.claims.read(cutChars(stripMarks(claim.Text), maxClaimChars), 0)
	k.short = abbreviationsIn(k.claim.text)
	k.claim.unite(k.short)
	for _, d := range docs {
		k.claim.unite(d.short())
	}
	for _, m := range k.claims.lexicon.Scan(k.claim.text) {
		if m.Kind == lexicon.Attribution && m.Class == "phrase" {
			k.frames = append(k.frames, m)
		}
	}
	k.hideFrames()
	for _, t := range k.claims.read(cutChars(claim.Given, maxClaimChars), 0).tokens {
		if !t.function {
			k.given[t.keys[0]] = true
		}
	}
	k.hideHeads()
	return k
}

// headTokens bounds the head of a column.
const headTokens = 6

// hideHeads takes the weight from the heads of columns in a claim that is a row of a table, "Mint; Gains: repels moths": no source
// need say them.
func (k *comparer) hideHeads() {
	t, text := k.claim.tokens, k.claim.text
	for i := range t {
		if i > 0 && !strings.Contains(text[t[i-1].end:t[i].start], ";") {
			continue
		}
		for j := i; j < len(t) && j < i+headTokens && (t[j].function || k.given[t[j].keys[0]]); j++ {
			if strings.HasPrefix(text[t[j].end:], ":") {
				for n := i; n <= j; n++ {
					t[n].function = true
				}
				break
			}
		}
	}
}

// sentence takes a sentence of a document apart, once.
func (k *comparer) sentence(d *document, n int) *wording {
	key := sentenceKey{d, n}
	w, ok := k.read[key]
	if !ok {
		w = k.claims.read(cutChars(d.sentences[n].Text, maxClaimChars), n)
		w.uniteNames(k.short)
		w.unite(d.short())
		k.read[key] = w
	}
	return w
}

func (k *comparer) passage(d *document, first, last int) *wording {
	list := make([]*wording, 0, last-first+1)
	for n := first; n <= last; n++ {
		list = append(list, k.sentence(d, n))
	}
	return k.claims.join(list)
}

// known reports whether a source is known by a word.
func (k *comparer) known(d *document, t token) bool {
	identity := k.identity(d)
	return slices.ContainsFunc(t.keys, func(key string) bool { return identity[key] })
}

// identity is what a source is known by: the words of its title, publisher, authors and host.
func (k *comparer) identity(d *document) map[string]bool {
	if known, ok := k.identities[d]; ok {
		return known
	}
	parts := append([]string{d.Title, d.Publisher, strings.ReplaceAll(d.host(), ".", " ")}, d.Authors...)
	known := make(map[string]bool)
	for _, t := range k.claims.read(cutChars(strings.Join(parts, "\n"), maxClaimChars), 0).tokens {
		for _, key := range t.keys {
			known[key] = true
		}
	}
	k.identities[d] = known
	return known
}

// generic reports whether a word names a source as such: the article, the manual.
func (k *comparer) generic(word string) bool {
	return slices.ContainsFunc(k.claims.lexicon.Lookup(word), func(e lexicon.Entry) bool { return e.Kind == lexicon.Attribution && e.Class == "noun" })
}
