package local

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
)

// The constants of the ranking were chosen on the development halves of Cranfield's queries and of the questions on documentation
// packages (bench/README.md).
const (
	maxLanguages   = 16 // stems of a word
	functionWeight = 0.5
	relatedWeight  = 0.6

	leastPart    = 5  // letters of the first or last part of a compound
	maxLonger    = 16 // words with one part
	maxPairs     = 400
	maxDateWords = 4 // of a date in words, at the beginning of a query
)

// question is a query in terms.
type question struct {
	query
	analyzers []*words.Analyzer // one for each language of the index
	languages []string
	weights   []float64        // BM25's, of each word and, behind it, of the words related to it
	counts    map[string][]int // which weights a term counts for
	total     float64          // weight of the words
	match     string           // any of the words, for FTS5
	written   []string         // terms that follow each other in what is meant
	inHead    []string         // the same, of its head

	passages                                      int
	averagePassage, averageTitle, averageDocument float64 // terms
}

// ask adds a word in all its forms to what documents are compared by, with the words related to it.
func (asked *question) ask(forms []string, weight float64, related []string, relatedWeight float64) {
	if asked.counts == nil {
		asked.counts = map[string][]int{}
	}
	for i, terms := range [][]string{forms, related} {
		for _, term := range terms {
			asked.counts[term] = append(asked.counts[term], len(asked.weights)+i)
		}
	}
	asked.weights = append(asked.weights, weight, relatedWeight)
	asked.total += weight
}

func average(sum, n int) float64 { return max(1, float64(sum)/float64(max(1, n))) }

// analyse reads a query in the languages of the index, and weighs its words.
func (s *search) analyse(q query) *question {
	asked := &question{query: q}
	var documents, length, titles int
	read(s, func(scan scanner) (_ struct{}, err error) {
		var language string
		var of [4]int
		err = scan(&language, &of[0], &of[1], &of[2], &of[3])
		documents, asked.passages, length, titles = documents+of[0], asked.passages+of[1], length+of[2], titles+of[3]
		if len(asked.languages) < maxLanguages {
			asked.languages = append(asked.languages, language)
			asked.analyzers = append(asked.analyzers, words.NewAnalyzer(language))
		}
		return
	}, `SELECT language, count(*), sum(passages), sum(words), sum(title_words) FROM documents WHERE problem = '' GROUP BY language
		ORDER BY count(*) DESC`)
	asked.averagePassage, asked.averageTitle = average(length, asked.passages), average(titles, documents)
	asked.averageDocument = average(length, documents)
	var plain, function []string
	seen := map[string]bool{}
	for _, text := range slices.Concat(q.words, q.phrases) {
		for _, forms := range asked.forms(text) {
			if seen[forms[0]] || len(seen) == maxTokens {
				continue
			}
			seen[forms[0]] = true
			for _, term := range s.weigh(asked, forms, asked.function(text)) {
				if asked.function(term) {
					function = append(function, term)
				} else {
					plain = append(plain, term)
				}
			}
		}
	}
	if asked.match = anyOf(plain); len(plain) == 0 {
		asked.match = anyOf(function)
	}
	for _, text := range q.stated {
		asked.inHead = append(asked.inHead, asked.terms(text))
	}
	// Dates, numbers, versions, identifiers and names with signs, alone or together.
	for _, text := range append(slices.Clone(q.words), strings.Join(bounded(q.words, maxDateWords), " ")) {
		terms := asked.terms(text)
		if strings.Count(terms, " ") > 2 && strings.ContainsAny(terms, "0123456789._+#") {
			asked.written = append(asked.written, terms)
		}
	}
	return asked
}

// terms returns the terms of a text between spaces, in the most frequent language.
func (asked *question) terms(text string) string {
	if len(asked.analyzers) == 0 {
		return ""
	}
	return " " + joined(terms(asked.analyzers[0], text)) + " "
}

// weigh asks for a word of a query, and for the related ones, and returns its forms.
func (s *search) weigh(asked *question, forms []string, function bool) []string {
	passages, _ := s.having(forms)
	if passages == 0 || oneCharacter(forms[0]) {
		forms = append(forms, s.longer(asked, forms)...)
		passages, _ = s.having(forms)
	}
	weight := asked.weight(passages)
	if function {
		weight *= functionWeight
	}
	var related []string
	for _, form := range forms {
		if slices.Contains(asked.languages, relatedLanguage) {
			related = append(related, relatedTerms()[form]...)
		}
	}
	slices.Sort(related)
	related = slices.DeleteFunc(slices.Compact(related), func(term string) bool { return slices.Contains(forms, term) })
	_, most := s.having(related)
	asked.ask(forms, weight, related, relatedWeight*min(weight, asked.weight(most)))
	return forms
}

// weight is BM25's of a word that so many passages have.
func (asked *question) weight(passages int) float64 {
	return passage.Weight(min(passages, asked.passages), asked.passages)
}

// having counts the passages that have terms: those of all of them, and of the most frequent one.
func (s *search) having(terms []string) (sum, most int) {
	for _, term := range terms {
		for _, n := range read(s, column[int], `SELECT cnt FROM word_counts WHERE term = ? AND col = 'body'`, term) {
			sum, most = sum+n, max(most, n)
		}
	}
	return sum, most
}

// function reports a function word of any language of the index.
func (asked *question) function(word string) bool {
	return slices.ContainsFunc(asked.languages, func(l string) bool { return words.Function(l, word) })
}

// forms lists the words of a text, each with its distinct terms in all languages. How a text is cut into words does not depend on
// the language.
func (asked *question) forms(text string) (out [][]string) {
	for _, a := range asked.analyzers {
		for n, term := range terms(a, text) {
			if n == len(out) {
				out = append(out, nil)
			}
			if !slices.Contains(out[n], term) {
				out[n] = append(out[n], term)
			}
		}
	}
	return out
}

// compounding are languages that write compounds as one word.
var compounding = []string{"da", "de", "fi", "hu", "nb", "nl", "nn", "no", "sv"}

// longer returns the words that begin with a word that no passage has, or else, in a compounding language, those that end with it:
// Wasserstand and Bericht find Wasserstandsbericht. For a character of a script without spaces it returns all pairs with it.
func (s *search) longer(asked *question, forms []string) (out []string) {
	alone, most := oneCharacter(forms[0]), maxLonger
	if alone {
		most = maxPairs
	}
	add := func(condition string, args ...any) {
		out = append(out, read(s, column[string], `SELECT DISTINCT term FROM word_counts WHERE `+condition+` LIMIT `+strconv.Itoa(most),
			args...)...)
	}
	compounds := slices.ContainsFunc(asked.languages, func(l string) bool { return slices.Contains(compounding, l) })
	for _, part := range forms {
		if utf8.RuneCountInString(part) < leastPart && !alone {
			continue
		}
		add(`term > ? AND term < ?`, part, part+string(utf8.MaxRune))
		if alone || compounds && len(out) == 0 { // looks at all words of the index
			add(`term <> ?1 AND substr(term, -length(?1)) = ?1`, part)
		}
	}
	return out
}

// oneCharacter reports a character of a script without spaces, whose words are indexed as pairs of characters.
func oneCharacter(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsLetter(r) && !words.Spaced(r)
}

// anyOf returns a condition of FTS5: any of some terms; "" without terms.
func anyOf(terms []string) string {
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
	}
	return strings.Join(quoted, " OR ")
}

// allOf returns the words of a text for FTS5: all of them in any order, each in the form of any language of the index.
func (asked *question) allOf(text string) string {
	all := []string{}
	for _, word := range asked.forms(text) {
		all = append(all, "("+anyOf(word)+")")
	}
	return `(` + cmp.Or(strings.Join(all, " AND "), `""`) + `)`
}

// has reports a phrase in a document, in the terms of any language.
func (asked *question) has(d *candidate, phrase string) bool {
	return slices.ContainsFunc(asked.analyzers, func(a *words.Analyzer) bool {
		of := joined(terms(a, phrase))
		return of != "" && strings.Contains(d.digest, " "+of+" ")
	})
}

// accepts reports whether a document has the words of the phrases one after the other, and of the excluded phrases not.
func (asked *question) accepts(d *candidate) bool {
	return !slices.ContainsFunc(asked.phrases, func(p string) bool { return !asked.has(d, p) }) &&
		!slices.ContainsFunc(asked.without, func(p string) bool { return asked.has(d, p) })
}

//go:embed related.txt
var relatedText string

// relatedLanguage is the language of the list.
const relatedLanguage = "en"

// relatedTerms are the terms with which texts answer where people ask with a term: "how big" asks for a maximum. They are related,
// not equal.
var relatedTerms = sync.OnceValue(func() map[string][]string {
	out, a := map[string][]string{}, words.NewAnalyzer(relatedLanguage)
	for word, others := range datafile.Pairs(relatedText) {
		for _, term := range terms(a, word) {
			out[term] = append(out[term], terms(a, others)...)
		}
	}
	return out
})
