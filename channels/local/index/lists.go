package index

import "cmp"

// search is the search of one part: the lists that it has read, and what its documents score.
type search struct {
	Part
	asked   *question
	lists   map[string]*postingList // by field and term; nil = nothing has it
	allowed *Bits                   // documents that meet the conditions; nil = all
	scores  []ranked                // of all documents
}

// newSearch reads the lists of the words. Their counts determine the weights, before run.
func newSearch(p Part, asked *question) (*search, error) {
	s := &search{Part: p, asked: asked, lists: map[string]*postingList{}}
	for _, terms := range asked.words {
		for _, name := range terms {
			for _, field := range []byte{fieldText, fieldTitle, fieldName} {
				if _, err := s.list(field, name); err != nil {
					return nil, err
				}
			}
		}
	}
	return s, nil
}

// list reads a list once; nil = nothing has the term.
func (s *search) list(field byte, name string) (*postingList, error) {
	key := string(field) + name
	if l, ok := s.lists[key]; ok {
		return l, nil
	}
	l, err := s.Segment.list(field, name)
	if err != nil {
		return nil, err
	}
	s.lists[key] = l
	return l, nil
}

// count returns how many passages or documents have a word, and adds up its terms.
func (s *search) count(field byte, terms []string) (n int) {
	for _, name := range terms {
		n += len(s.lists[string(field)+name].all())
	}
	return n
}

// ranked is a document with its best passage.
type ranked struct {
	document int
	passage  int // -1 = only the title or the fields
	score    float64
}

// better orders documents, best first.
func better(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.document, b.document))
}
