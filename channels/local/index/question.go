package index

import (
	"slices"

	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
)

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

// functionWeight is the weight of a function word in the query (chosen as the constants of rerank.go).
const functionWeight = 0.5

// usualLength: a passage of PassageChars has fewer terms, unless it is of single letters.
const usualLength = 256

// norm is the length normalisation of BM25.
func (asked *question) norm(terms uint16) float64 {
	if int(terms) < len(asked.norms) {
		return asked.norms[terms]
	}
	return passage.Norm(float64(terms), asked.average)
}

func plainForms(a *words.Analyzer, text string) (out [][]string) {
	a.Tokens(text, func(t words.Token) { out = append(out, []string{t.Term}) })
	return out
}

// wanted returns the words of the query.
func (asked *question) wanted() (words []wanted) {
	for i, terms := range asked.words {
		w := wanted{terms: terms, weight: asked.idf[i], inTitle: asked.titleIDF[i], inName: asked.nameIDF[i]}
		if asked.function[i] {
			w.weight *= functionWeight
			w.inTitle *= functionWeight
			w.inName *= functionWeight
		}
		words = append(words, w)
	}
	return words
}

// wanted is a word that documents are compared by.
type wanted struct {
	terms           []string // its forms in all languages
	weight, inTitle float64  // of a word in texts and in titles: less for a function word; 0 for a word that only the best passages share
	inName          float64  // the same in names of files and folders
	common          float64  // added to the weight in a whole document: the best passages share the word (feedback.go)
}
