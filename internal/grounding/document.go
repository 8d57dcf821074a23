package grounding

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// document is a source made ready for checks.
type document struct {
	Source
	sentences []passages.Passage
	bytes     []int32           // where each sentence starts in Text
	postings  map[int32][]int32 // term -> sentences that have it, ascending
	title     map[int32]bool    // terms of the title
	numbers   []placedQuantity  // by sentence; those of the title first, as sentence -1

	letters  func() *letters            // for quotes
	shingles func() map[uint64]struct{} // for near-duplicates
	sketch   func() passages.Sketch     // of the shingles
	folded   func() string              // lower-case text, for names in other forms
	language func() string              // subtag of BCP 47
	short    func() []abbreviation      // that the text defines

	readRuns sync.Once
	runs     []uint32 // the runs of four letters of its words, ascending
}

type placedQuantity struct {
	quantity
	sentence int32
}

// vocabulary numbers the terms of all sources.
type vocabulary struct {
	ids       map[string]int32
	terms     []string // by id
	analyzer  passages.Analyzer
	analyzers *sync.Pool // of *passages.Analyzer: sketches made one after the other share their stems

	words []int32 // by the analyzer's number of a word: its id + 1

	// scratch of postings
	found []posting
	lists []postingList
	slots []int32 // by id: index in lists + 1
}

// posting is a sentence that has a term.
type posting struct{ id, sentence int32 }

// postingList is where the sentences of a term are in one array.
type postingList struct{ id, from, to int32 }

// extended returns a copy that can take more terms. The terms keep their numbers.
func (v *vocabulary) extended() vocabulary {
	out := vocabulary{ids: maps.Clone(v.ids), terms: slices.Clip(v.terms), analyzers: v.analyzers}
	if out.ids == nil {
		out.ids, out.analyzers = make(map[string]int32), new(sync.Pool)
	}
	return out
}

// release drops what only the reading of texts needs.
func (v *vocabulary) release() {
	stems := v.analyzer // for the sketches, until memory is short
	v.analyzers.Put(&stems)
	v.analyzer = passages.Analyzer{}
	v.words, v.found, v.lists, v.slots = nil, nil, nil, nil
}

func (v *vocabulary) id(term string) int32 {
	id, ok := v.ids[term]
	if !ok {
		id = int32(len(v.ids))
		v.ids[term] = id
		v.terms = append(v.terms, term)
	}
	return id
}

// idOf is id for a token of the vocabulary's analyzer.
func (v *vocabulary) idOf(t passages.Token) int32 {
	if t.Word == 0 {
		return v.id(t.Term)
	}
	for t.Word >= len(v.words) {
		v.words = append(v.words, 0)
	}
	if v.words[t.Word] == 0 {
		v.words[t.Word] = v.id(t.Term) + 1
	}
	return v.words[t.Word] - 1
}

// postings lists the sentences of each term in v.found, which is in the order of sentences, and empties it.
func (v *vocabulary) postings() map[int32][]int32 {
	for len(v.slots) < len(v.terms) {
		v.slots = append(v.slots, 0)
	}
	v.lists = v.lists[:0]
	for _, p := range v.found {
		if v.slots[p.id] == 0 {
			v.lists = append(v.lists, postingList{id: p.id})
			v.slots[p.id] = int32(len(v.lists))
		}
		v.lists[v.slots[p.id]-1].to++
	}
	from := int32(0)
	for i := range v.lists {
		l := &v.lists[i]
		l.from, l.to, from = from, from, from+l.to
	}
	all := make([]int32, len(v.found))
	for _, p := range v.found {
		if l := &v.lists[v.slots[p.id]-1]; l.to == l.from || all[l.to-1] != p.sentence {
			all[l.to] = p.sentence
			l.to++
		}
	}
	out := make(map[int32][]int32, len(v.lists))
	for _, l := range v.lists {
		out[l.id] = all[l.from:l.to:l.to]
		v.slots[l.id] = 0
	}
	v.found = v.found[:0]
	return out
}

func newDocument(s Source, v *vocabulary) *document {
	d := &document{Source: s, sentences: passages.Sentences(s.Text), title: make(map[int32]bool)}
	for _, q := range quantitiesOf(s.Title, &v.analyzer) {
		d.numbers = append(d.numbers, placedQuantity{q, -1})
	}
	pos, char := 0, 0
	for i, p := range d.sentences {
		for ; char < p.Start; char++ {
			_, w := utf8.DecodeRuneInString(s.Text[pos:])
			pos += w
		}
		d.bytes = append(d.bytes, int32(pos))
		pos, char = pos+len(p.Text), p.End
		n := int32(i)
		v.analyzer.Tokens(p.Text, func(t passages.Token) {
			v.found = append(v.found, posting{v.idOf(t), n})
		})
		for _, q := range quantitiesOf(p.Text, &v.analyzer) {
			d.numbers = append(d.numbers, placedQuantity{q, n})
		}
	}
	d.postings = v.postings()
	v.analyzer.Tokens(s.Title, func(t passages.Token) { d.title[v.id(t.Term)] = true })
	d.letters = sync.OnceValue(func() *letters { return newLetters(s.Text) })
	d.shingles = sync.OnceValue(func() map[uint64]struct{} { return passages.Shingles(s.Text) })
	analyzers := v.analyzers // a document must not hold the vocabulary: a later checker has its own
	d.sketch = sync.OnceValue(func() passages.Sketch {
		a, ok := analyzers.Get().(*passages.Analyzer)
		if !ok {
			a = new(passages.Analyzer)
		}
		defer analyzers.Put(a)
		sketch, _ := a.Sketch(s.Text)
		return sketch
	})
	d.folded = sync.OnceValue(func() string { return passages.Fold(s.Title + "\n" + s.Text) })
	d.language = sync.OnceValue(func() string { return sourceLanguage(s.Text) })
	d.short = sync.OnceValue(func() []abbreviation { return abbreviationsIn(s.Text) })
	return d
}

// letterRuns returns the runs of four letters of the document's words. terms are those of the checker.
func (d *document) letterRuns(terms []string) []uint32 {
	d.readRuns.Do(func() {
		var runs []uint32
		for id := range d.postings {
			fourLetters(terms[id], func(run uint32) { runs = append(runs, run) })
		}
		slices.Sort(runs) // the order of the map does not show
		d.runs = slices.Clip(slices.Compact(runs))
	})
	return d.runs
}

// numbersIn lists the numbers of one sentence.
func (d *document) numbersIn(sentence int) []placedQuantity {
	from := sort.Search(len(d.numbers), func(i int) bool { return int(d.numbers[i].sentence) >= sentence })
	to := from
	for to < len(d.numbers) && int(d.numbers[to].sentence) == sentence {
		to++
	}
	return d.numbers[from:to]
}

// evidence is the stretch from sentence first to sentence last.
func (d *document) evidence(first, last int) Evidence {
	a, b := d.sentences[first], d.sentences[last]
	return Evidence{SourceID: d.ID, Start: a.Start, End: b.End, Text: d.Text[d.bytes[first] : int(d.bytes[last])+len(b.Text)]}
}

// spells reports whether the text spells word, such as WHO, by the initials of neighbouring words.
func (d *document) spells(word string) bool {
	initials := strings.ToUpper(word)
	if len(initials) < 2 || len(initials) > 8 {
		return false
	}
	run := make([]byte, 0, len(d.Text)/6)
	start := true
	for i := 0; i < len(d.Text); i++ {
		c := d.Text[i]
		switch {
		case c >= 'A' && c <= 'Z' && start:
			run = append(run, c)
			start = false
		case c >= 'a' && c <= 'z' && start:
			if w := asciiWord(d.Text[i:]); !isStop(w) {
				run = append(run, ' ')
			}
			start = false
		case c == '.' || c == '\n':
			run = append(run, ' ')
			start = true
		case c == ' ' || c == '-' || c == '/':
			start = true
		}
	}
	return strings.Contains(string(run), initials)
}
