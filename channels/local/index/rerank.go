package index

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// A document becomes a candidate by its best passage, or by the texts of the links to it (linked.go). Then whole documents are compared, by the words of the query
// and by those that the best passages have in common (pseudo relevance feedback). All constants were chosen on half of
// Cranfield's queries and half of the questions on Debian's documentation (bench/README.md).
const (
	candidates        = 50
	documentWeight    = 1.0
	feedbackDocuments = 5
	feedbackTerms     = 20
	feedbackLooked    = 60  // terms whose frequency is looked up
	feedbackWeight    = 0.8 // of the best of these terms, relative to a word of the query
	leastFeedback     = 3   // minimum letters of such a term
	functionWeight    = 0.5 // of a function word in the query
)

// Find is Search followed by a comparison of the best documents as a whole.
func Find(parts []Part, q Query, limit int) (hits []Hit, damaged []Damage) {
	if limit < 1 || q.empty() {
		return nil, nil
	}
	all, asked, errs := best(parts, q, max(limit, candidates))
	if len(asked.words) > 0 {
		words := asked.wanted()
		links := asked.linkScores(parts, words, errs)
		if all = asked.addLinked(parts, all, links, errs); len(all) > 1 {
			asked.rerank(parts, all, words, errs)
			for i, at := range all {
				if t, ok := parts[at.part].targetOf(at.document); ok {
					all[i].score += linkWeight * links[t]
				}
			}
			foldFormats(parts, all)
		}
	}
	return show(parts, asked, all, errs, limit)
}

// wanted is a word that documents are compared by, with its forms in all languages.
type wanted struct {
	terms  []string
	weight float64 // with its rarity
}

// wanted returns the words of the query.
func (asked *question) wanted() (words []wanted) {
	for i, terms := range asked.words {
		weight := asked.idf[i]
		if asked.function[terms[0]] {
			weight *= functionWeight
		}
		words = append(words, wanted{terms, weight})
	}
	return words
}

// rerank adds to each place's score that of its document. A part that turns out to be damaged is noted in errs.
func (asked *question) rerank(parts []Part, all []place, words []wanted, errs []error) {
	if len(all) > feedbackDocuments { // fewer would be compared with themselves
		words = asked.withFeedback(parts, all, words, errs)
	}
	length, documents := 0, 0
	for i, p := range parts {
		if errs[i] == nil {
			length += p.sum.words
			documents += p.sum.documents
		}
	}
	average := max(1, float64(length)/float64(max(1, documents)))
	byPart := make(map[int][]*place)
	for i := range all {
		byPart[all[i].part] = append(byPart[all[i].part], &all[i])
	}
	each(len(parts), func(i int) {
		if errs[i] == nil && len(byPart[i]) > 0 {
			errs[i] = parts[i].addDocumentScores(byPart[i], words, average)
		}
	})
}

// addDocumentScores adds the BM25 scores of whole documents to places.
func (p Part) addDocumentScores(places []*place, words []wanted, average float64) error {
	slices.SortFunc(places, func(a, b *place) int { return cmp.Compare(a.document, b.document) })
	norms, sums := make([]float64, len(places)), make([]float64, len(places))
	for i, at := range places {
		terms := 0
		for passage := p.firstOf[at.document]; passage < p.firstOf[at.document+1]; passage++ {
			terms += int(p.length(passage))
		}
		norms[i] = bm25K1 * (1 - bm25B + bm25B*float64(terms)/average)
	}
	times := make([]int, len(places))
	for _, w := range words {
		clear(times)
		for _, name := range w.terms {
			list, _, err := p.list(fieldText, name)
			if err != nil {
				return err
			}
			if list == nil {
				continue
			}
			for i, at := range places {
				end := p.firstOf[at.document+1]
				for ok := list.seek(p.firstOf[at.document]); ok && list.id < end; ok = list.next() {
					times[i] += int(list.times)
				}
			}
			if list.broken {
				return ErrDamaged
			}
		}
		for i, n := range times {
			if n > 0 {
				sums[i] += gain(w.weight, float64(n), norms[i])
			}
		}
	}
	for i, at := range places {
		at.score += documentWeight * sums[i]
	}
	return nil
}

// withFeedback adds the words that are frequent in the best passages and rare elsewhere. If a word of the query is
// among them, its weight grows.
func (asked *question) withFeedback(parts []Part, all []place, words []wanted, errs []error) []wanted {
	type common struct {
		terms []string
		share float64
	}
	found := map[string]*common{}
	for _, at := range all[:min(len(all), feedbackDocuments)] {
		if at.passage < 0 || at.score <= 0 || errs[at.part] != nil {
			continue
		}
		p := parts[at.part]
		about, err := p.about(at.document)
		if err != nil {
			errs[at.part] = err
			continue
		}
		text, err := p.passage(about, at.passage-about.first)
		if err != nil {
			errs[at.part] = err
			continue
		}
		forms := asked.forms(withoutFunctionWords(text.Text, about.Language))
		for _, terms := range forms {
			if len(terms[0]) < leastFeedback {
				continue
			}
			c := found[terms[0]]
			if c == nil {
				c = &common{terms: terms}
				found[terms[0]] = c
			}
			c.share += at.score / all[0].score / float64(len(forms))
		}
	}
	list := make([]*common, 0, len(found))
	for _, c := range found {
		list = append(list, c)
	}
	order := func(a, b *common) int {
		return cmp.Or(cmp.Compare(b.share, a.share), strings.Compare(a.terms[0], b.terms[0]))
	}
	slices.SortFunc(list, order)
	list = list[:min(len(list), feedbackLooked)]
	for _, c := range list {
		c.share *= asked.rarity(parts, c.terms, errs)
	}
	slices.SortFunc(list, order)
	list = list[:min(len(list), feedbackTerms)]
	for _, c := range list {
		weight := feedbackWeight * c.share / math.Max(list[0].share, math.SmallestNonzeroFloat64) * asked.rarity(parts, c.terms, errs)
		known := slices.IndexFunc(words, func(w wanted) bool { return w.terms[0] == c.terms[0] })
		if known < 0 {
			words = append(words, wanted{c.terms, weight})
			continue
		}
		words[known].weight += weight
	}
	return words
}

// withoutFunctionWords blanks the function words of a text.
func withoutFunctionWords(text, language string) string {
	words := lexicon.For(primary(language))
	if words == nil {
		words = lexicon.For("en")
	}
	var b strings.Builder
	passages.NewAnalyzer(unstemmed).Tokens(text, func(t passages.Token) {
		word := text[t.ByteStart:t.ByteEnd]
		if _, function := words.Is(lexicon.Function, word); !function {
			b.WriteString(word)
			b.WriteByte(' ')
		}
	})
	return b.String()
}

// isFunction reports whether a word is a function word of a language that has a lexicon.
func isFunction(word string) bool {
	for _, language := range lexicon.Languages() {
		if _, is := lexicon.For(language).Is(lexicon.Function, word); is {
			return true
		}
	}
	return false
}

// rarity is the idf of a word by the passages of all parts.
func (asked *question) rarity(parts []Part, terms []string, errs []error) float64 {
	df, all := 0, 0
	for i, p := range parts {
		if errs[i] != nil {
			continue
		}
		all += p.sum.passages
		for _, name := range terms {
			t, ok, err := p.dict.find(string(rune(fieldText)) + name)
			if err != nil {
				errs[i] = err
			} else if ok {
				df += t.count
			}
		}
	}
	return idf(df, all)
}
