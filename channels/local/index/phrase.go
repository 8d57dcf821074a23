package index

import "slices"

// phrase finds documents with a passage in which words follow each other. A single word is the shortest phrase. If a
// word has several terms, in several languages, any of them matches at its position.
type phrase struct {
	lists  [][]*postingList // of each word; none = no document has it
	rarest int              // word, whose lists lead
}

// newPhrase reads the lists. An empty phrase matches no document.
func (s *search) newPhrase(words [][]string) (phrase, error) {
	p := phrase{lists: make([][]*postingList, len(words))}
	least := -1
	for i, terms := range words {
		count := 0
		for _, name := range terms {
			l, err := s.list(fieldText, name)
			if err != nil {
				return phrase{}, err
			}
			if l != nil {
				p.lists[i] = append(p.lists[i], l)
				count += len(l.postings)
			}
		}
		if count == 0 {
			return phrase{}, nil
		}
		if least < 0 || count < least {
			p.rarest, least = i, count
		}
	}
	return p, nil
}

// withPhrase returns the documents among some that have the phrase.
func (s *search) withPhrase(words [][]string, among *Bits) (*Bits, error) {
	found := NewBits(s.sum.documents)
	p, err := s.newPhrase(words)
	if err != nil || len(p.lists) == 0 {
		return found, err
	}
	for d := range s.sum.documents {
		if !among.Has(d) {
			continue
		}
		for _, at := range p.candidates(s.firstOf[d], s.firstOf[d+1]) {
			in, err := p.in(at)
			if err != nil {
				return nil, err
			}
			if in {
				found.Set(d)
				break
			}
		}
	}
	return found, nil
}

// candidates returns the passages in [from, to) that have the rarest word, in order.
func (p phrase) candidates(from, to uint32) (ids []uint32) {
	for _, l := range p.lists[p.rarest] {
		for _, posting := range l.between(from, to) {
			ids = append(ids, posting.id)
		}
	}
	if len(p.lists[p.rarest]) > 1 {
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	return ids
}

// in reports whether the words follow each other in a passage.
func (p phrase) in(id uint32) (bool, error) {
	var starts []uint32 // where the phrase may begin
	for i, alternatives := range p.lists {
		var places []uint32
		for _, l := range alternatives {
			nth := l.seek(id)
			if nth == len(l.postings) || l.postings[nth].id != id {
				continue
			}
			if len(p.lists) == 1 {
				return true, nil
			}
			more, err := l.places(nth)
			if err != nil {
				return false, err
			}
			places = append(places, more...)
		}
		slices.Sort(places)
		if i == 0 {
			starts = places
		}
		starts = slices.DeleteFunc(starts, func(start uint32) bool {
			_, ok := slices.BinarySearch(places, start+uint32(i))
			return !ok
		})
		if len(starts) == 0 {
			return false, nil
		}
	}
	return true, nil
}
