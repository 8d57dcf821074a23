package index

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// Constants of pseudo relevance feedback: the words that the best passages have in common.
const (
	feedbackDocuments = 5
	feedbackTerms     = 20
	feedbackLooked    = 60  // terms whose frequency is looked up
	feedbackWeight    = 0.8 // of the best of these terms, relative to a word of the query
	leastFeedback     = 3   // minimum letters of such a term
)

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
			words = append(words, wanted{terms: c.terms, common: weight})
			continue
		}
		words[known].common += weight
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
