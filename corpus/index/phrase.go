package index

import "slices"

// havePhrase are the documents with a passage in which the words stand one after the other. A single word is
// the shortest phrase. No words at all are in no document.
func (s *scorer) havePhrase(words [][]string) (*Bits, error) {
	found := NewBits(s.sum.documents)
	err := s.eachPhrase(words, func(passage uint32) { found.Set(s.documentOf(passage)) })
	return found, err
}

// eachPhrase yields the passages that have a phrase. Where a word has several terms, in several languages, each
// way to choose among them would be a phrase of its own; what is looked for is a passage in which each place has
// one of them.
func (s *scorer) eachPhrase(words [][]string, yield func(passage uint32)) error {
	if len(words) == 0 {
		return nil
	}
	lists := make([][]*postingList, len(words))
	rarest, fewest := 0, -1
	for i, terms := range words {
		count := 0
		for _, name := range terms {
			l, t, err := s.list(fieldText, name)
			if err != nil {
				return err
			}
			if l != nil && l.next() {
				lists[i] = append(lists[i], l)
				count += t.count
			}
		}
		if len(lists[i]) == 0 {
			return nil
		}
		if fewest < 0 || count < fewest {
			rarest, fewest = i, count
		}
	}
	for {
		at, ok := lowest(lists[rarest])
		if !ok {
			break
		}
		in := true
		for i := range lists {
			in = in && stands(lists[i], at)
		}
		if in && len(words) == 1 {
			yield(at)
		} else if in {
			match, err := follow(lists, at)
			if err != nil {
				return err
			}
			if match {
				yield(at)
			}
		}
		for _, l := range lists[rarest] {
			if !l.ended && l.id == at {
				l.next()
			}
		}
	}
	for _, l := range slices.Concat(lists...) {
		if l.broken {
			return ErrDamaged
		}
	}
	return nil
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
