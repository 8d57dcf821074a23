package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Pseudo relevance feedback: the words that the best passages have in common say what the query is about. The constants were
// chosen on the development halves (bench/README.md).
const (
	feedbackDocuments = 5
	feedbackTerms     = 20
	feedbackLooked    = 60  // terms whose frequency is looked up
	feedbackWeight    = 0.8 // of the best of these terms, relative to a word of the query
	leastFeedback     = 3   // minimum letters of such a term
)

// common is a word of the best passages.
type common struct {
	terms  []string
	share  float64 // of the passages' words, then times its rarity
	rarity float64
}

// withFeedback adds the words that are frequent in the best passages and rare elsewhere. If a word of the query is among
// them, its weight in a whole document grows. A part that turns out to be damaged is noted in errs.
func (asked *question) withFeedback(parts []*search, all []place, wants []wanted, errs []error) []wanted {
	list := asked.shared(parts, all[:min(len(all), feedbackDocuments)], errs)
	order := func(a, b common) int {
		return cmp.Or(cmp.Compare(b.share, a.share), strings.Compare(a.terms[0], b.terms[0]))
	}
	slices.SortFunc(list, order)
	list = list[:min(len(list), feedbackLooked)]
	for i := range list {
		list[i].rarity = rarity(parts, list[i].terms, errs)
		list[i].share *= list[i].rarity
	}
	slices.SortFunc(list, order)
	for _, c := range list[:min(len(list), feedbackTerms)] {
		if c.share == 0 {
			continue
		}
		at := slices.IndexFunc(wants, func(w wanted) bool { return w.terms[0] == c.terms[0] })
		if at < 0 {
			at, wants = len(wants), append(wants, wanted{terms: c.terms})
		}
		wants[at].common = feedbackWeight * c.share / list[0].share * c.rarity
	}
	return wants
}

// shared returns the words of the places' best passages.
func (asked *question) shared(parts []*search, places []place, errs []error) []common {
	found := map[string]common{}
	for _, at := range places {
		if at.passage < 0 || at.score <= 0 || errs[at.part] != nil {
			continue
		}
		p := parts[at.part]
		about, err := p.About(at.document)
		if err != nil {
			errs[at.part] = err
			continue
		}
		text, err := p.passage(about, at.passage-about.first)
		if err != nil {
			errs[at.part] = err
			continue
		}
		forms := asked.forms(withoutFunctionWords(text.Text, primary(about.Language)))
		for _, terms := range forms {
			if len(terms[0]) >= leastFeedback {
				found[terms[0]] = common{terms: terms, share: found[terms[0]].share + at.score/places[0].score/float64(len(forms))}
			}
		}
	}
	list := make([]common, 0, len(found))
	for _, c := range found {
		list = append(list, c)
	}
	return list
}

func withoutFunctionWords(text, language string) string {
	var b strings.Builder
	words.NewAnalyzer(unstemmed).Tokens(text, func(t words.Token) {
		if word := text[t.ByteStart:t.ByteEnd]; !words.Function(language, word) {
			b.WriteString(word)
			b.WriteByte(' ')
		}
	})
	return b.String()
}

// rarity is BM25's weight of a word in the passages of all parts.
func rarity(parts []*search, terms []string, errs []error) float64 {
	having, all := 0, 0
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
				having += t.count
			}
		}
	}
	return passage.Weight(min(having, all), all)
}
