package index

import (
	"encoding/binary"
	"slices"
)

// A list of postings is one varint for each posting: the difference of its id to the one before, doubled, plus one where
// the term occurs once there; else the number of occurrences follows. The positions, for each posting the places of
// its occurrences among the terms of the passage, are differences as well, and apart: only phrases read them. The
// dictionary holds the lengths of both.

// listBuilder builds one term's list. Ids come in ascending order.
//
// Fields that every occurrence touches come first, so that they share a cache line: cache misses dominate building.
type listBuilder struct {
	times, place        uint32 // in the passage that is being read: occurrences, and the last one's place
	count               uint32 // postings
	last                uint32 // id of the last posting
	postings, positions []byte
}

// occurs adds an occurrence in the current passage, at a position among its terms, and reports whether it is the first
// there.
func (l *listBuilder) occurs(place uint32) (first bool) {
	if first = l.times == 0; first {
		l.place = 0
	}
	l.positions = binary.AppendUvarint(l.positions, uint64(place-l.place))
	l.place = place
	l.times++
	return first
}

// close ends the current passage.
func (l *listBuilder) close(id uint32) {
	delta := uint64(id - l.last)
	l.last = id
	if l.times == 1 {
		l.postings = binary.AppendUvarint(l.postings, delta<<1|1)
	} else {
		l.postings = binary.AppendUvarint(l.postings, delta<<1)
		l.postings = binary.AppendUvarint(l.postings, uint64(l.times))
	}
	l.times = 0
	l.count++
}

// posting is a passage, document or link that has a term.
type posting struct {
	id, times uint32
}

// postingList is one term's list in one segment, in the order of the ids.
type postingList struct {
	postings []posting
	loadPos  func() ([]byte, error)
	pos      cursor // positions after those that were read
	read     int    // postings whose positions were read; -1 = none were loaded
}

// newPostingList decodes a list whose ids must be below a limit; ok is false if it is damaged.
func newPostingList(raw []byte, count int, limit uint32) (l *postingList, ok bool) {
	if count > len(raw) { // a posting has a byte at least
		return nil, false
	}
	l = &postingList{postings: make([]posting, count), read: -1}
	c := cursor{b: raw}
	id := uint64(0)
	for i := range l.postings {
		v := c.uvarint()
		times := uint64(1)
		if v&1 == 0 {
			times = c.uvarint()
		}
		id += v >> 1
		if c.bad || id >= uint64(limit) || times == 0 || times > maxSize || i > 0 && v>>1 == 0 {
			return nil, false
		}
		l.postings[i] = posting{uint32(id), uint32(times)}
	}
	return l, len(c.b) == 0
}

// seek returns the index of the first posting with at least this id.
func (l *postingList) seek(id uint32) int {
	at, _ := slices.BinarySearchFunc(l.postings, id, func(p posting, id uint32) int { return int(p.id) - int(id) })
	return at
}

// all returns the postings. A nil list has none.
func (l *postingList) all() []posting {
	if l == nil {
		return nil
	}
	return l.postings
}

// between returns the postings with ids in [from, to). A nil list has none.
func (l *postingList) between(from, to uint32) []posting {
	if l == nil {
		return nil
	}
	return l.postings[l.seek(from):l.seek(to)]
}

// places returns the positions of a posting. Calls in ascending order are the fastest.
func (l *postingList) places(nth int) ([]uint32, error) {
	if l.read < 0 || nth < l.read {
		raw, err := l.loadPos()
		if err != nil {
			return nil, err
		}
		l.pos, l.read = cursor{b: raw}, 0
	}
	pass := 0
	for ; l.read < nth; l.read++ {
		pass += int(l.postings[l.read].times)
	}
	l.pos.skip(pass)
	var found []uint32
	place := uint32(0)
	for range l.postings[nth].times {
		place += uint32(l.pos.uvarint())
		if l.pos.bad {
			l.read = -1
			return nil, ErrDamaged
		}
		found = append(found, place)
	}
	l.read++
	return found, nil
}
