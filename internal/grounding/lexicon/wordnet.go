package lexicon

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"strings"
)

// wordnet is the embedded part of WordNet, see wordnet/NOTICE; packaging/wordnet generates it. It is read in place, so
// it costs no memory or time before the first lookup.
//
// The format: "wordnet1"; the number of words and the length of the names, four bytes each (little endian, as all);
// an index with the offset of every sixteenth word in the names and in the records, four bytes each; the names in
// order, each with the length that it shares with the one before, the length of the rest, and the rest; the records.
// A record has its length and five lists (see relation): a count, and word numbers as differences.
//
//go:embed wordnet/wordnet.bin
var wordnet string

type relation int

const (
	strictSynonym relation = iota
	looseSynonym
	antonym
	related
	base
	relations
)

const (
	wordnetMagic = "wordnet1"
	wordnetBlock = 16
)

// net reads the data of WordNet.
type net struct {
	words                 int
	index, names, records string
}

func openNet(data string) (net, bool) {
	rest, ok := strings.CutPrefix(data, wordnetMagic)
	if !ok || len(rest) < 8 {
		return net{}, false
	}
	words, names := number(rest, 0), number(rest, 1)
	rest = rest[8:]
	blocks := (words + wordnetBlock - 1) / wordnetBlock
	if len(rest) < 8*blocks+names {
		return net{}, false
	}
	return net{words: words, index: rest[:8*blocks], names: rest[8*blocks : 8*blocks+names], records: rest[8*blocks+names:]}, true
}

// number reads the i-th number of four bytes.
func number(s string, i int) int {
	return int(s[4*i]) | int(s[4*i+1])<<8 | int(s[4*i+2])<<16 | int(s[4*i+3])<<24
}

// first returns the first word of a block.
func (n net) first(b int) string {
	at := number(n.index, 2*b)
	return n.names[at+2 : at+2+int(n.names[at+1])]
}

// inBlock calls yield with the words of a block and their numbers until it returns false.
func (n net) inBlock(b int, yield func(id int, word []byte) bool) {
	at := number(n.index, 2*b)
	var word []byte
	for id := b * wordnetBlock; id < min(n.words, (b+1)*wordnetBlock); id++ {
		shared, rest := int(n.names[at]), int(n.names[at+1])
		word = append(word[:shared], n.names[at+2:at+2+rest]...)
		at += 2 + rest
		if !yield(id, word) {
			return
		}
	}
}

// find returns the number of a word, or -1.
func (n net) find(word string) int {
	low, high := 0, len(n.index)/8 // the last block whose first word is not after word
	for high-low > 1 {
		if middle := (low + high) / 2; n.first(middle) <= word {
			low = middle
		} else {
			high = middle
		}
	}
	found := -1
	if n.words > 0 {
		n.inBlock(low, func(id int, w []byte) bool {
			if string(w) == word {
				found = id
			}
			return found < 0
		})
	}
	return found
}

func (n net) word(id int) string {
	var s string
	n.inBlock(id/wordnetBlock, func(i int, w []byte) bool {
		if i == id {
			s = string(w)
		}
		return i < id
	})
	return s
}

// list returns the numbers of the words in a relation to a word.
func (n net) list(id int, r relation) []int {
	if id < 0 {
		return nil
	}
	s := n.records[number(n.index, 2*(id/wordnetBlock)+1):]
	for range id % wordnetBlock {
		length, rest := uvarint(s)
		s = rest[length:]
	}
	_, s = uvarint(s)
	for i := relation(0); i < relations; i++ {
		var count, step int
		count, s = uvarint(s)
		var out []int
		last := 0
		for range count {
			step, s = uvarint(s)
			last += step
			out = append(out, last)
		}
		if i == r {
			return out
		}
	}
	return nil
}

func uvarint(s string) (int, string) {
	head := s[:min(len(s), binary.MaxVarintLen32)]
	v, n := binary.Uvarint([]byte(head))
	return int(v), s[max(n, 0):]
}

// related returns the words in a relation to a word form or to one of its base forms.
func (n net) related(form string, r relation) []string {
	var out []string
	for _, b := range n.bases(form) {
		for _, id := range n.list(n.find(b), r) {
			out = addNew(out, strings.ReplaceAll(n.word(id), "_", " "))
		}
	}
	return out
}

// bases returns the known base forms of an English word form, the form itself first.
func (n net) bases(form string) []string {
	form = strings.ReplaceAll(Fold(form), " ", "_")
	var out []string
	if n.find(form) >= 0 {
		out = append(out, form)
	}
	for _, id := range n.list(n.find(form), base) {
		out = addNew(out, n.word(id))
	}
	if len(out) > 1 { // an irregular form is not also a regular one
		return out
	}
	verb, particle, phrasal := strings.Cut(form, "_")
	for _, b := range regularBases(verb) {
		if phrasal {
			b += "_" + particle
		}
		if n.find(b) >= 0 {
			out = addNew(out, b)
		}
	}
	return out
}

// regularBases returns possible base forms of a regular inflection, most likely first; most are not words.
func regularBases(w string) []string {
	var out []string
	add := func(ending string, replacements ...string) {
		stem, ok := strings.CutSuffix(w, ending)
		if !ok || len(stem) < 2 {
			return
		}
		for _, r := range replacements {
			out = append(out, stem+r)
		}
		if k := len(stem); ending != "s" && k > 3 && stem[k-1] == stem[k-2] { // planned, bigger
			out = append(out, stem[:k-1])
		}
	}
	add("ies", "y", "ie")
	add("es", "e", "")
	add("s", "")
	add("ied", "y", "ie")
	add("ed", "e", "")
	add("ying", "ie")
	add("ing", "e", "")
	add("ier", "y")
	add("iest", "y")
	add("er", "e", "")
	add("est", "e", "")
	return out
}

// wordNet returns the words in a relation to an English word; none for other languages.
func (l *Lexicon) wordNet(word string, r relation) []string {
	if l.Language() != "en" {
		return nil
	}
	n, _ := openNet(wordnet)
	return n.related(word, r)
}

// Synonyms returns words with the meaning of an English word in some contexts, in base form. For other languages and
// phrases it returns equivalents.
func (l *Lexicon) Synonyms(words string) []string {
	var out []string
	for _, e := range l.Lookup(words) {
		if e.Kind == Equivalent {
			for _, w := range l.Words(Equivalent, e.Class, e.Name) {
				if Fold(w) != Fold(words) {
					out = addNew(out, w)
				}
			}
		}
	}
	for _, w := range slices.Concat(l.wordNet(words, strictSynonym), l.wordNet(words, looseSynonym)) {
		out = addNew(out, w)
	}
	return out
}

// Derived reports whether two English words belong to one word family by derivation: decide and decision, weak and
// weakened. It follows two steps, so that weaken and weakness are found through weak.
func (l *Lexicon) Derived(a, b string) bool {
	if l.Language() != "en" {
		return false
	}
	n, _ := openNet(wordnet)
	goals := n.bases(b)
	var near []string
	for _, w := range n.bases(a) {
		if slices.Contains(goals, w) {
			return true
		}
		near = append(near, n.related(w, related)...)
	}
	for _, w := range near {
		if slices.Contains(goals, w) {
			return true
		}
	}
	for _, w := range near {
		for _, far := range n.related(w, related) {
			if slices.Contains(goals, far) && sharedPrefix(a, far) >= 4 {
				return true
			}
		}
	}
	return false
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Antonyms returns WordNet's opposites of an English word, in base form. [Lexicon.Opposed] is curated and knows
// inflections; Antonyms has more words.
func (l *Lexicon) Antonyms(word string) []string { return l.wordNet(word, antonym) }

// Bases returns the base forms of an English word form that WordNet knows: "rose" gives rose and rise. For other
// languages it returns the folded form.
func (l *Lexicon) Bases(form string) []string {
	if l.Language() != "en" {
		return []string{Fold(form)}
	}
	n, _ := openNet(wordnet)
	out := n.bases(form)
	for i, w := range out {
		out[i] = strings.ReplaceAll(w, "_", " ")
	}
	return out
}

// Family returns the English words related to a word by derivation, in base form.
func (l *Lexicon) Family(word string) []string { return l.wordNet(word, related) }
