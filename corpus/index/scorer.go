package index

import (
	"encoding/binary"
	"maps"
	"slices"
)

// scorer ranks the documents of one part.
type scorer struct {
	Part
	asked  *question
	lists  []*rankedList // of words
	titles []*rankedList
}

// rankedList is a list that gives a score.
type rankedList struct {
	*postingList
	word  int     // of the question
	upper float64 // no passage gets more from it
	idf   float64
}

// newScorer opens the lists. What they say of how common a word is goes into the weights before run.
func newScorer(p Part, asked *question) (*scorer, error) {
	s := &scorer{Part: p, asked: asked}
	for word, terms := range asked.words {
		for _, name := range terms {
			for _, field := range []byte{fieldText, fieldTitle} {
				l, t, err := p.list(field, name)
				if err != nil {
					return nil, err
				}
				if l == nil {
					continue
				}
				r := &rankedList{postingList: l, word: word}
				if field == fieldTitle {
					s.titles = append(s.titles, r)
					continue
				}
				most := float64(t.most)
				r.upper = most * (bm25K1 + 1) / (most + bm25K1*(1-bm25B))
				s.lists = append(s.lists, r)
			}
		}
	}
	return s, nil
}

// ranked is a document with its best passage.
type ranked struct {
	document int
	passage  int // -1 = the title alone, or the fields
	score    float64
}

// run returns the best documents of the part, best first.
func (s *scorer) run(limit int) ([]ranked, error) {
	allowed, err := s.allowed()
	if err != nil {
		return nil, err
	}
	best := &bestDocuments{limit: limit, of: map[int]int{}}
	if len(s.asked.words) == 0 { // fields alone
		for d := range s.sum.documents {
			if allowed == nil || allowed.Has(d) {
				best.offer(ranked{d, -1, 0})
			}
		}
		return best.sorted(), nil
	}
	bonus, most, err := s.titleScores()
	if err != nil {
		return nil, err
	}
	if err := s.passages(best, allowed, bonus, most); err != nil {
		return nil, err
	}
	for _, d := range slices.Sorted(maps.Keys(bonus)) {
		if allowed == nil || allowed.Has(d) {
			best.offer(ranked{d, -1, bonus[d]})
		}
	}
	return best.sorted(), nil
}

// titleScores is what each document gets for the words of the query in its title, and the most that one gets. It is
// the score of the title as a text, times the part of the query that the title has, by the weight of its words:
// a query that is a title finds its document, and a long one that shares a word with many titles does not find
// all those.
func (s *scorer) titleScores() (map[int]float64, float64, error) {
	scores, covered := map[int]float64{}, map[int]float64{}
	whole := 0.0
	for _, idf := range s.asked.idf {
		whole += idf
	}
	for _, l := range s.titles {
		weight := titleWeight * s.asked.titleIDF[l.word] * (bm25K1 + 1)
		for l.next() {
			d := int(l.id)
			scores[d] += weight / (1 + bm25K1*(1-bm25B+bm25B*float64(s.inTitle[d])/s.asked.averageTitle))
			covered[d] += s.asked.idf[l.word]
		}
		if l.broken {
			return nil, 0, ErrDamaged
		}
	}
	most := 0.0
	for d := range scores {
		scores[d] *= min(1, covered[d]/whole)
		most = max(most, scores[d])
	}
	return scores, most, nil
}

// passages walks the lists of words together, passage by passage.
func (s *scorer) passages(best *bestDocuments, allowed *Bits, bonus map[int]float64, mostBonus float64) error {
	lists := make([]*rankedList, 0, len(s.lists))
	for _, l := range s.lists {
		l.idf = s.asked.idf[l.word]
		l.upper *= l.idf
		if l.next() {
			lists = append(lists, l)
		} else if l.broken {
			return ErrDamaged
		}
	}
	slices.SortFunc(lists, func(a, b *rankedList) int {
		switch {
		case a.upper < b.upper:
			return -1
		case a.upper > b.upper:
			return 1
		}
		return a.word - b.word
	})
	below := make([]float64, len(lists)+1) // the most that the first lists give together
	for i, l := range lists {
		below[i+1] = below[i] + l.upper
	}
	norm := func(passage uint32) float64 {
		n := float64(binary.LittleEndian.Uint16(s.lengths[2*passage:]))
		return bm25K1 * (1 - bm25B + bm25B*n/s.asked.average)
	}
	document := 0 // of the passage before
	for essential := 0; ; {
		for essential < len(lists) && below[essential+1]+mostBonus <= best.threshold() {
			essential++
		}
		const none = ^uint32(0)
		at := none
		for _, l := range lists[essential:] {
			if !l.ended && l.id < at {
				at = l.id
			}
		}
		if at == none {
			break
		}
		document = s.documentFrom(document, at)
		if allowed != nil && !allowed.Has(document) { // on to the next document that is
			next := allowed.Next(document + 1)
			for _, l := range lists[essential:] {
				if next < 0 {
					l.ended = true
				} else {
					l.seek(s.firstOf[next])
				}
			}
			continue
		}
		score, k := 0.0, norm(at)
		for _, l := range lists[essential:] {
			if !l.ended && l.id == at {
				tf := float64(l.times)
				score += l.idf * tf * (bm25K1 + 1) / (tf + k)
				l.next()
			}
		}
		extra := bonus[document]
		for i := essential - 1; i >= 0; i-- {
			if score+below[i+1]+extra <= best.threshold() {
				break
			}
			if l := lists[i]; l.seek(at) && l.id == at {
				tf := float64(l.times)
				score += l.idf * tf * (bm25K1 + 1) / (tf + k)
			}
		}
		best.offer(ranked{document, int(at), score + extra})
	}
	for _, l := range lists {
		if l.broken {
			return ErrDamaged
		}
	}
	return nil
}

// documentFrom is the document of a passage, searched from the document of an earlier one.
func (s *scorer) documentFrom(document int, passage uint32) int {
	if passage < s.firstOf[document] {
		return s.documentOf(passage)
	}
	for step := 0; step < 16; step++ {
		if passage < s.firstOf[document+1] {
			return document
		}
		document++
	}
	return s.documentOf(passage)
}
