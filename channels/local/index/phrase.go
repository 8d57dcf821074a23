package index

import "slices"

// phrase finds documents with a passage in which words follow each other. A single word is the shortest phrase. If a
// word has several terms, in several languages, any of them matches at its position.
type phrase struct {
	*scorer
	lists  [][]*postingList // of each word; none = no document has it
	rarest int              // word, whose lists lead
	count  int              // its postings
}

// newPhrase opens the lists. An empty phrase matches no document.
func (s *scorer) newPhrase(words [][]string) (*phrase, error) {
	p := &phrase{scorer: s, lists: make([][]*postingList, len(words)), count: -1}
	for i, terms := range words {
		count := 0
		for _, name := range terms {
			l, t, err := s.list(fieldText, name)
			if err != nil {
				return nil, err
			}
			if l != nil {
				p.lists[i] = append(p.lists[i], l)
				count += t.count
			}
		}
		if count == 0 {
			return &phrase{scorer: s}, nil
		}
		if p.count < 0 || count < p.count {
			p.rarest, p.count = i, count
		}
	}
	return p, nil
}

// common reports whether finding all documents with the phrase costs more than checking candidates: its words are in more
// passages than there are documents. A single word is cheap.
func (p *phrase) common() bool { return len(p.lists) > 1 && p.count > p.sum.documents }

// all returns the documents among some that have the phrase.
func (p *phrase) all(among *Bits) (*Bits, error) {
	found := NewBits(p.sum.documents)
	if len(p.lists) == 0 {
		return found, nil
	}
	for document, from := 0, uint32(0); ; {
		at, ok := p.lead(from)
		if !ok {
			break
		}
		document = p.documentFrom(document, at)
		if among.Has(document) {
			in, err := p.in(document)
			if err != nil {
				return nil, err
			}
			if in {
				found.Set(document)
			}
		}
		from = p.firstOf[document+1]
	}
	return found, p.err()
}

// in reports whether a document has the phrase. Calls must pass documents in ascending order.
func (p *phrase) in(document int) (bool, error) {
	if len(p.lists) == 0 {
		return false, nil
	}
	end := p.firstOf[document+1]
	for from := p.firstOf[document]; from < end; {
		at, ok := p.lead(from)
		if !ok || at >= end {
			break
		}
		match, err := p.matches(at)
		if match || err != nil {
			return match, err
		}
		from = at + 1
	}
	return false, p.err()
}

// lead returns the first passage, at or after the given one, that has the rarest word.
func (p *phrase) lead(from uint32) (at uint32, ok bool) {
	for _, l := range p.lists[p.rarest] {
		if l.seek(from) && (!ok || l.id < at) {
			at, ok = l.id, true
		}
	}
	return at, ok
}

func (p *phrase) err() error {
	for _, lists := range p.lists {
		for _, l := range lists {
			if l.broken {
				return ErrDamaged
			}
		}
	}
	return nil
}

// rewind restarts at the first document.
func (p *phrase) rewind() {
	for _, lists := range p.lists {
		for _, l := range lists {
			l.rewind()
		}
	}
}

// matches reports whether a passage contains the phrase.
func (p *phrase) matches(at uint32) (bool, error) {
	for _, alternatives := range p.lists {
		if !anyAt(alternatives, at) {
			return false, nil
		}
	}
	if len(p.lists) == 1 {
		return true, nil
	}
	return follow(p.lists, at)
}

// anyAt moves the lists to a passage and reports whether one of them has it.
func anyAt(lists []*postingList, id uint32) bool {
	on := false
	for _, l := range lists {
		on = l.seek(id) && l.id == id || on
	}
	return on
}

// follow reports whether the words follow each other in a passage that has them all.
func follow(lists [][]*postingList, id uint32) (bool, error) {
	var starts []uint32 // where the phrase may begin
	for i, alternatives := range lists {
		var places []uint32
		for _, l := range alternatives {
			if l.ended || l.id != id {
				continue
			}
			p, err := l.places()
			if err != nil {
				return false, err
			}
			if places == nil {
				places = p
			} else {
				places = append(slices.Clone(places), p...)
				slices.Sort(places)
			}
		}
		if i == 0 {
			starts = places
			continue
		}
		starts = slices.DeleteFunc(starts, func(p uint32) bool {
			_, ok := slices.BinarySearch(places, p+uint32(i))
			return !ok
		})
		if len(starts) == 0 {
			return false, nil
		}
	}
	return len(starts) > 0, nil
}
