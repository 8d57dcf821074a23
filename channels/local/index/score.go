package index

import (
	"cmp"
	"slices"

	"github.com/citeloop/citeloop/internal/text/passage"
)

// run returns the best documents of the part that meet the conditions, best first.
func (s *search) run(limit int) (best []ranked, err error) {
	if s.allowed, err = s.conditions(); err != nil {
		return nil, err
	}
	s.score()
	for _, r := range s.scores {
		if s.matches(r) {
			best = append(best, r)
		}
	}
	slices.SortFunc(best, better)
	return best[:min(len(best), limit)], nil
}

// matches reports whether a document meets the conditions and has one of the words, if there are any.
func (s *search) matches(r ranked) bool {
	return (r.score > 0 || len(s.asked.words) == 0) && (s.allowed == nil || s.allowed.Has(r.document))
}

// score ranks the documents by their best passage and their title. Scores are sums in the order of the words' rarity, which is
// the same in all parts, so they are identical to the last bit in any part.
func (s *search) score() {
	order := make([]int, len(s.asked.words))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.asked.idf[b], s.asked.idf[a]) })
	scores := make([]float64, s.sum.passages)
	for _, word := range order {
		for _, name := range s.asked.words[word] {
			for _, p := range s.lists[string(byte(fieldText))+name].all() {
				scores[p.id] += passage.Gain(s.asked.idf[word], float64(p.times), s.asked.norm(s.length(p.id)))
			}
		}
	}
	bonus := s.titleScores()
	s.scores = make([]ranked, s.sum.documents)
	for d := range s.scores {
		best := ranked{document: d, passage: -1, score: bonus[d]}
		for id := s.firstOf[d]; id < s.firstOf[d+1]; id++ {
			if score := scores[id] + bonus[d]; scores[id] > 0 && (best.passage < 0 || score > best.score) {
				best.passage, best.score = int(id), score
			}
		}
		s.scores[d] = best
	}
}

// titleScores returns, for each document, the score of the title, with the names of file and folder, as a text, times the
// weighted share of the query's words in the title. So a query that is a title finds its document, and a long query is not
// dominated by titles that share one word.
func (s *search) titleScores() []float64 {
	n := s.sum.documents
	bonus, covered := make([]float64, n), make([]float64, n)
	byName, coveredByName := make([]float64, n), make([]float64, n)
	whole := 0.0
	for word, terms := range s.asked.words {
		whole += s.asked.idf[word]
		for _, name := range terms {
			s.addTitles(bonus, covered, fieldTitle, name, s.asked.titleIDF[word], s.asked.idf[word])
			s.addTitles(byName, coveredByName, fieldName, name, s.asked.nameIDF[word], s.asked.idf[word])
		}
	}
	for d := range bonus {
		if covered[d]+coveredByName[d] >= leastNamed*whole {
			bonus[d] += byName[d]
			covered[d] += coveredByName[d]
		}
		if whole > 0 {
			bonus[d] *= min(1, covered[d]/whole)
		}
	}
	return bonus
}

func (s *search) addTitles(bonus, covered []float64, field byte, name string, rarity, weight float64) {
	for _, p := range s.lists[string(rune(field))+name].all() {
		norm := passage.Norm(float64(s.inTitle[p.id]), s.asked.averageTitle)
		bonus[p.id] += passage.Gain(titleWeight*rarity, 1, norm)
		covered[p.id] += weight
	}
}

// titleWeight is how much a title counts against a passage. Chosen by known items of SQLite's and PostgreSQL's
// documentation (bench/README.md): of 568 titles 83 % come first with it, 27 % without; of 386 sentences 71 % come
// first, 70 % without. Weights of 3 and more rank sentences worse.
const titleWeight = 1.5

// leastNamed is the share of a query that title and names must have for the names to count (chosen): of a question, a folder's
// name has a word by chance.
const leastNamed = 0.5
