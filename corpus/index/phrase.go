package index

import "slices"

// havePhrase are the documents, of some, with a passage in which the words stand one after the other. A single word
// is the shortest phrase. No words at all are in no document. Where a word has several terms, in several languages,
// each way to choose among them would be a phrase of its own; what is looked for is a passage in which each place
// has one of them.
func (s *scorer) havePhrase(words [][]string, among *Bits) (*Bits, error) {
	found := NewBits(s.sum.documents)
	if len(words) == 0 {
		return found, nil
	}
	lists := make([][]*postingList, len(words))
	rarest, fewest := 0, -1
	for i, terms := range words {
		count := 0
		for _, name := range terms {
			l, t, err := s.list(fieldText, name)
			if err != nil {
				return nil, err
			}
			if l != nil && l.next() {
				lists[i] = append(lists[i], l)
				count += t.count
			}
		}
		if len(lists[i]) == 0 {
			return found, nil
		}
		if fewest < 0 || count < fewest {
			rarest, fewest = i, count
		}
	}
	for document := 0; ; {
		at, ok := lowest(lists[rarest])
		if !ok {
			break
		}
		// One passage of a document is enough.
		document = s.documentFrom(document, at)
		next := s.firstOf[document+1]
		if among.Has(document) {
			match, err := matches(lists, at)
			if err != nil {
				return nil, err
			}
			if match {
				found.Set(document)
			} else {
				next = at + 1
			}
		}
		for _, l := range lists[rarest] {
			l.seek(next)
		}
	}
	for _, l := range slices.Concat(lists...) {
		if l.broken {
			return nil, ErrDamaged
		}
	}
	return found, nil
}

// matches reports whether a passage has the phrase.
func matches(lists [][]*postingList, at uint32) (bool, error) {
	for _, alternatives := range lists {
		if !stands(alternatives, at) {
			return false, nil
		}
	}
	if len(lists) == 1 {
		return true, nil
	}
	return follow(lists, at)
}

func lowest(lists []*postingList) (id uint32, ok bool) {
	for _, l := range lists {
		if !l.ended && (!ok || l.id < id) {
			id, ok = l.id, true
		}
	}
	return id, ok
}

// stands moves the lists to a passage and reports whether one of them has it.
func stands(lists []*postingList, id uint32) bool {
	on := false
	for _, l := range lists {
		on = l.seek(id) && l.id == id || on
	}
	return on
}

// follow reports whether the words stand one after the other in a passage that has them all.
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
