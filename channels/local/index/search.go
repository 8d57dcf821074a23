package index

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Part is a segment in a search.
type Part struct {
	*Segment
	Deleted *Bits  // deleted or replaced files; nil = none
	Folder  string // prefix of the paths, for path:
}

// Hit is a document that matches a query, with its best passage.
type Hit struct {
	Part  int // index of its part
	File  int // its number in the segment
	About About
	Passage
	Score float64 // comparable only within one answer
}

// Damage is an error of one part.
type Damage struct {
	Part int
	Err  error
}

// show reads the data of the best documents.
func show(parts []Part, asked *question, all []place, errs []error, limit int) (hits []Hit, damaged []Damage) {
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(b.score, a.score) })
	for n := limit; n < len(all); n++ { // equal ones are ordered by their paths
		if all[n].score < all[limit-1].score {
			all = all[:n]
		}
	}
	for i, err := range errs {
		if err != nil {
			damaged = append(damaged, Damage{i, err})
		}
	}
	for _, p := range all {
		if errs[p.part] != nil {
			continue
		}
		hit, err := parts[p.part].hit(p, asked)
		if err != nil {
			damaged = append(damaged, Damage{p.part, err})
			continue
		}
		hits = append(hits, hit)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(parts[a.Part].Folder, parts[b.Part].Folder),
			strings.Compare(a.About.Path, b.About.Path), strings.Compare(a.About.Part, b.About.Part))
	})
	return hits[:min(len(hits), limit)], damaged
}

// best returns the matching documents, best first; errs are the errors of the parts. All documents with the last score
// are included, so that the choice among them does not depend on their segment.
func best(parts []Part, q Query, limit int) (all []place, asked *question, searches []*search, errs []error) {
	asked = analyse(parts, q)
	searches, errs = make([]*search, len(parts)), make([]error, len(parts))
	results := make([][]ranked, len(parts))
	each(len(parts), func(i int) { searches[i], errs[i] = newSearch(parts[i], asked) })
	asked.weigh(searches)
	each(len(parts), func(i int) {
		if errs[i] == nil {
			results[i], errs[i] = searches[i].run(limit)
		}
	})
	for i := range parts {
		if errs[i] != nil {
			continue
		}
		for _, r := range results[i] {
			all = append(all, place{i, r})
		}
	}
	slices.SortFunc(all, comparePlaces)
	for n := limit; len(all) > n; n++ {
		if n > limit*4 || all[n].score < all[limit-1].score {
			all = all[:n]
		}
	}
	return all, asked, searches, errs
}

type place struct {
	part int
	ranked
}

// comparePlaces orders places, best first.
func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.part, b.part), cmp.Compare(a.document, b.document))
}

// hit reads a document's data and passage. A passage that only repeats the title is replaced by the next one with words
// of the query.
func (p Part) hit(at place, asked *question) (Hit, error) {
	a, err := p.about(at.document)
	if err != nil {
		return Hit{}, err
	}
	nth := 0
	if at.passage >= 0 {
		nth = at.passage - a.first
	}
	h := Hit{Part: at.part, File: a.file, About: a, Score: at.score}
	if a.through == a.first {
		return h, nil
	}
	if h.Passage, err = p.passage(a, nth); err != nil {
		return Hit{}, err
	}
	for next := 0; next < min(a.through-a.first, 50) && onlyTitle(h.Text, a.Title); next++ {
		other, err := p.passage(a, next)
		if err != nil {
			return Hit{}, err
		}
		if !onlyTitle(other.Text, a.Title) && (at.passage < 0 || asked.touches(other.Text)) {
			h.Passage = other
		}
	}
	return h, nil
}

func onlyTitle(text, title string) bool {
	return strings.TrimSpace(strings.TrimLeft(text, "# ")) == strings.TrimSpace(title)
}

// each runs do for 0…n-1 on all processors.
func each(n int, do func(int)) {
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		all.Go(func() error { do(i); return nil })
	}
	_ = all.Wait()
}

// question is a query in terms.
type question struct {
	Query
	analyzers []*words.Analyzer // one for each language of the parts
	names     *words.Analyzer
	words     [][]string // for each word of the query its terms, in all languages
	function  []bool     // which of them are function words of one of the languages
	// conditions are the words of phrases and fields, computed before the parts are searched in parallel: analyzers
	// are not safe for concurrent use.
	conditions map[Field][][]string
	idf        []float64 // of the words
	titleIDF   []float64
	nameIDF    []float64 // in titles and names of files and folders together
	average    float64   // terms in a passage
	norms      []float64 // norm of the usual lengths, computed once
	// averageTitle is the number of terms in a title.
	averageTitle float64
}

func analyse(parts []Part, q Query) *question {
	asked := &question{Query: q, names: words.NewAnalyzer(unstemmed), norms: make([]float64, 0, usualLength)}
	languages := map[string]bool{}
	length, passageCount, titleWords, documents := 0, 0, 0, 0
	for _, p := range parts {
		length += p.sum.words
		passageCount += p.sum.passages
		titleWords += p.sum.titleWords
		documents += p.sum.documents
		for _, l := range p.sum.languages {
			if !languages[l] && len(languages) < maxLanguages {
				languages[l] = true
				asked.analyzers = append(asked.analyzers, words.NewAnalyzer(l))
			}
		}
	}
	asked.average = max(1, float64(length)/float64(max(1, passageCount)))
	for n := range cap(asked.norms) {
		asked.norms = append(asked.norms, passage.Norm(float64(n), asked.average))
	}
	asked.conditions = map[Field][][]string{}
	for _, f := range q.conditions() {
		switch f.Name {
		case FieldAuthor, FieldType:
			asked.conditions[f] = plainForms(asked.names, f.Value)
		case FieldTitle, FieldText:
			asked.conditions[f] = asked.forms(f.Value)
		}
	}
	asked.averageTitle = max(1, float64(titleWords)/float64(max(1, documents)))
	seen := map[string]bool{}
	for _, text := range slices.Concat(q.Words, q.Phrases) {
		function := false
		for l := range languages {
			function = function || words.Function(l, text)
		}
		for _, terms := range asked.forms(text) {
			if len(asked.words) < maxQueryWords && !seen[terms[0]] {
				seen[terms[0]] = true
				asked.words = append(asked.words, terms)
				asked.function = append(asked.function, function)
			}
		}
	}
	return asked
}

// maxLanguages bounds the stems of a word of a query (chosen; ten languages have stemmers).
const maxLanguages = 16

// forms lists the words of a text, each with its distinct terms in all languages. How a text is cut into words
// does not depend on the language.
func (asked *question) forms(text string) [][]string {
	var out [][]string
	for i, a := range asked.analyzers {
		n := 0
		a.Tokens(text, func(t words.Token) {
			switch {
			case i == 0:
				out = append(out, []string{t.Term})
			case n < len(out) && !slices.Contains(out[n], t.Term):
				out[n] = append(out[n], t.Term)
			}
			n++
		})
	}
	return out
}

func (asked *question) touches(text string) bool {
	found := false
	for _, a := range asked.analyzers {
		a.Tokens(text, func(t words.Token) {
			for _, terms := range asked.words {
				found = found || slices.Contains(terms, t.Term)
			}
		})
	}
	return found
}

// weigh computes how common each word is in all parts.
func (asked *question) weigh(searches []*search) {
	n := len(asked.words)
	asked.idf, asked.titleIDF, asked.nameIDF = make([]float64, n), make([]float64, n), make([]float64, n)
	documents, passages := 0, 0
	for _, s := range searches {
		if s != nil {
			documents += s.sum.documents
			passages += s.sum.passages
		}
	}
	for i, terms := range asked.words {
		texts, titles, names := 0, 0, 0
		for _, s := range searches {
			if s != nil {
				texts += s.count(fieldText, terms)
				titles += s.count(fieldTitle, terms)
				names += s.count(fieldName, terms)
			}
		}
		asked.idf[i] = passage.Weight(min(texts, passages), passages)
		asked.titleIDF[i] = passage.Weight(min(titles, documents), documents)
		asked.nameIDF[i] = passage.Weight(min(titles+names, documents), documents)
	}
}

// usualLength: a passage of PassageChars has fewer terms, unless it is of single letters.
const usualLength = 256

// norm is the length normalisation of BM25.
func (asked *question) norm(terms uint16) float64 {
	if int(terms) < len(asked.norms) {
		return asked.norms[terms]
	}
	return passage.Norm(float64(terms), asked.average)
}
