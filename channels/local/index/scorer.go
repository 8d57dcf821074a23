package index

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/citeloop/citeloop/internal/text/passage"
)

// scorer ranks the documents of one part.
type scorer struct {
	Part
	asked  *question
	lists  []*rankedList // of words
	titles []*rankedList // of titles, and of the names of files and folders
	only   *Bits         // documents to rank; nil = all
	// bonus is each document's score for the words of the query in its title; nil = no title has one. It becomes -1
	// once a passage of the document was found.
	bonus []float64
}

// rankedList is a list that contributes to scores.
type rankedList struct {
	*postingList
	word    int  // of the question
	named   bool // of names instead of titles
	idf     float64
	bounds  []float64 // maximum scores of the blocks
	upper   float64   // the largest of them
	shallow int       // last block of the bounds returned so far
}

// newScorer opens the lists. Their counts determine the weights, before run.
func newScorer(p Part, asked *question) (*scorer, error) {
	s := &scorer{Part: p, asked: asked}
	for word, terms := range asked.words {
		for _, name := range terms {
			for _, field := range []byte{fieldText, fieldTitle, fieldName} {
				l, _, err := p.list(field, name)
				if err != nil {
					return nil, err
				}
				if l == nil {
					continue
				}
				r := &rankedList{postingList: l, word: word, named: field == fieldName}
				if field == fieldText {
					s.lists = append(s.lists, r)
				} else {
					s.titles = append(s.titles, r)
				}
			}
		}
	}
	return s, nil
}

// ranked is a document with its best passage.
type ranked struct {
	document int
	passage  int // -1 = only the title or the fields
	score    float64
}

// run returns the best documents of the part, best first. Documents below the floor may be missing, or have less than
// their score.
func (s *scorer) run(limit int, floor *floor) ([]ranked, error) {
	allowed, err := s.allowed()
	if err != nil {
		return nil, err
	}
	best := &bestDocuments{limit: limit}
	if len(s.asked.words) == 0 { // only fields: all documents are equal, and the first ones are kept
		for d := 0; d < s.sum.documents && len(best.items) < limit; d++ {
			if err := s.offer(best, allowed, ranked{d, -1, 0}); err != nil {
				return nil, err
			}
		}
		return best.sorted(), nil
	}
	if err := s.titleScores(); err != nil {
		return nil, err
	}
	// Scores are sums in the order of the lists, which is the same in all parts. So they are identical to the last bit in
	// any part and by any path of the search.
	for _, l := range s.lists {
		l.idf = s.asked.idf[l.word]
	}
	slices.SortStableFunc(s.lists, func(a, b *rankedList) int { return cmp.Or(cmp.Compare(b.idf, a.idf), a.word-b.word) })
	if err := (&walk{scorer: s, allowed: allowed, best: best, floor: floor}).run(); err != nil {
		return nil, err
	}
	allowed.rewind()
	for d, bonus := range s.bonus {
		if bonus > 0 && bonus >= floor.value() {
			if err := s.offer(best, allowed, ranked{d, -1, bonus}); err != nil {
				return nil, err
			}
		}
	}
	return best.sorted(), nil
}

// offer adds a document without a matching passage.
func (s *scorer) offer(best *bestDocuments, allowed *conditions, r ranked) error {
	ok, err := allowed.meets(r.document)
	if ok {
		best.offer(r)
	}
	return err
}

// titleScores computes the bonus: the score of the title, with the names of file and folder, as a text, times the weighted share of the query's words in the
// title. So a query that is a title finds its document, and a long query is not dominated by titles that share one word.
func (s *scorer) titleScores() error {
	if len(s.titles) == 0 {
		return nil
	}
	s.bonus = make([]float64, s.sum.documents)
	covered := make([]float64, s.sum.documents)
	byName, coveredByName := make([]float64, s.sum.documents), make([]float64, s.sum.documents)
	whole := 0.0
	for _, idf := range s.asked.idf {
		whole += idf
	}
	for _, l := range s.titles {
		weight, bonus, covered := titleWeight*s.asked.titleIDF[l.word], s.bonus, covered
		if l.named {
			weight, bonus, covered = titleWeight*s.asked.nameIDF[l.word], byName, coveredByName
		}
		for l.next() {
			d := int(l.id)
			bonus[d] += passage.Gain(weight, 1, passage.Norm(float64(s.inTitle[d]), s.asked.averageTitle))
			covered[d] += s.asked.idf[l.word]
		}
		if l.broken {
			return ErrDamaged
		}
	}
	for d := range s.bonus {
		if covered[d]+coveredByName[d] >= leastNamed*whole {
			s.bonus[d] += byName[d]
			covered[d] += coveredByName[d]
		}
		s.bonus[d] *= min(1, covered[d]/whole)
	}
	return nil
}

// leastNamed is the share of a query that title and names must have for the names to count (chosen): of a question, a folder's
// name has a word by chance.
const leastNamed = 0.5

// length returns the number of terms in a passage.
func (s *Segment) length(passage uint32) uint16 {
	return binary.LittleEndian.Uint16(s.lengths[2*passage:])
}

// weigh computes the bounds of a list's blocks.
func (l *rankedList) weigh(s *scorer) error {
	l.bounds = make([]float64, len(l.blocks))
	if len(l.blocks) == 1 { // its postings are or will be read anyway
		for l.next() {
			l.bounds[0] = max(l.bounds[0], passage.Gain(l.idf, float64(l.times), s.asked.norm(s.length(l.id))))
		}
		if l.broken {
			return ErrDamaged
		}
		l.rewind()
	} else {
		for i := range l.blocks {
			b := &l.blocks[i]
			l.bounds[i] = most(l.table[b.impacts:b.impactsEnd], l.idf, s.asked)
		}
	}
	l.upper = slices.Max(l.bounds)
	return nil
}

// bound returns the maximum score of passages in [from, to). Calls must go forward.
func (l *rankedList) bound(from, to uint32) float64 {
	if l.ended {
		return 0
	}
	if len(l.blocks) == 1 {
		if !l.seek(from) {
			return 0
		}
	}
	if l.shallow = l.blockOf(l.shallow, from); l.shallow == len(l.blocks) {
		l.shallow-- // the last block still bounds the rest
		return 0
	}
	most := 0.0
	for at := l.shallow; at < len(l.blocks); at++ {
		if at == l.at && l.nth >= 0 && l.id >= to || at > 0 && l.blocks[at-1].last+1 >= to {
			break
		}
		most = max(most, l.bounds[at])
	}
	return most
}

// from returns a lower bound of the list's next passage at or after id.
func (l *rankedList) from(id uint32) (uint32, bool) {
	if l.ended {
		return 0, false
	}
	if l.nth >= 0 && l.id >= id {
		return l.id, true
	}
	if l.shallow = l.blockOf(l.shallow, id); l.shallow == len(l.blocks) {
		l.shallow--
		return 0, false
	}
	if l.shallow > 0 {
		id = max(id, l.blocks[l.shallow-1].last+1)
	}
	return id, true
}
