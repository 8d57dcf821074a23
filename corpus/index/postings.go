package index

import "encoding/binary"

// blockPostings is how many postings one block has: what a skip can leave out at once (chosen; the usual size).
const blockPostings = 128

// A list of postings is, in this order,
//
//	the table of blocks, where there is more than one: for each block its last id, as the difference to the one
//	    before, and the number of bytes of its postings and of its positions
//	the postings: for each the difference to the id before, doubled, plus one where the term occurs once there;
//	    else the number of occurrences follows
//	the positions: for each posting, the place of each occurrence among the terms of its passage, as differences
//
// Its lengths stand in the dictionary. All numbers are varints.

// listBuilder gathers one term's list. Ids come in ascending order.
type listBuilder struct {
	postings, positions, table []byte
	count                      uint32 // postings
	most                       uint32 // the largest number of occurrences in one passage
	last                       uint32 // id of the last posting
	blockLast                  uint32 // last id of the last whole block
	blockPostings, blockPlaces int    // where the open block begins
	// The passage that is being read.
	open, times, place uint32
}

// occurs notes an occurrence in passage id at a place among its terms, and reports whether it is the first there.
func (l *listBuilder) occurs(id, place uint32) (first bool) {
	if first = l.times == 0 || l.open != id; first {
		l.open, l.times, l.place = id, 0, 0
	}
	l.positions = binary.AppendUvarint(l.positions, uint64(place-l.place))
	l.place = place
	l.times++
	return first
}

// close ends the passage that is being read.
func (l *listBuilder) close() {
	delta := uint64(l.open - l.last)
	l.last = l.open
	if l.times == 1 {
		l.postings = binary.AppendUvarint(l.postings, delta<<1|1)
	} else {
		l.postings = binary.AppendUvarint(l.postings, delta<<1)
		l.postings = binary.AppendUvarint(l.postings, uint64(l.times))
	}
	l.most = max(l.most, l.times)
	l.times = 0
	if l.count++; l.count%blockPostings == 0 {
		l.endBlock()
	}
}

func (l *listBuilder) endBlock() {
	l.table = binary.AppendUvarint(l.table, uint64(l.last-l.blockLast))
	l.table = binary.AppendUvarint(l.table, uint64(len(l.postings)-l.blockPostings))
	l.table = binary.AppendUvarint(l.table, uint64(len(l.positions)-l.blockPlaces))
	l.blockLast, l.blockPostings, l.blockPlaces = l.last, len(l.postings), len(l.positions)
}

// parts are the bytes of the list: the table is empty where there is one block.
func (l *listBuilder) parts() (table, postings, positions []byte) {
	if l.count <= blockPostings {
		return nil, l.postings, l.positions
	}
	if l.count%blockPostings != 0 {
		l.endBlock()
	}
	return l.table, l.postings, l.positions
}

// block is one entry of a table of blocks.
type block struct {
	last                uint32 // id
	postings, positions int    // where they end, from the list's beginning
}

// postingList walks one term's list in one segment.
type postingList struct {
	blocks   []block // nil: one block
	postings []byte
	loadPos  func() ([]byte, error) // reads the positions
	pos      []byte
	count    int
	ids      uint32 // every id is below it

	at     int    // block
	rest   cursor // of the block's postings
	left   int    // postings left in the block
	nth    int    // of the current posting in its block, from 0
	id     uint32
	times  uint32
	ended  bool
	broken bool

	posBlock int    // the block that posRest is in; -1 = none
	posNth   int    // how many postings' positions of it were passed
	posRest  cursor // positions of what comes
	skips    []uint32
	found    []uint32
}

// newPostingList reads the table; the list stands before its first posting.
func newPostingList(table, postings []byte, count int, ids uint32) (*postingList, bool) {
	l := &postingList{postings: postings, count: count, ids: ids, posBlock: -1}
	if count > blockPostings {
		c := cursor{b: table}
		n := (count + blockPostings - 1) / blockPostings
		if n > len(table) {
			return nil, false
		}
		l.blocks = make([]block, n)
		var last, p, q uint64
		for i := range l.blocks {
			last += c.uvarint()
			p += c.uvarint()
			q += c.uvarint()
			if c.bad || last >= uint64(ids) || p > uint64(len(postings)) || q > maxSize {
				return nil, false
			}
			l.blocks[i] = block{uint32(last), int(p), int(q)}
		}
	}
	l.enter(0, 0)
	return l, true
}

// enter stands before the first posting of a block; base is the last id of the block before.
func (l *postingList) enter(at int, base uint32) {
	l.at, l.nth, l.id = at, -1, base
	begin, end := 0, len(l.postings)
	l.left = l.count - at*blockPostings
	if l.blocks != nil {
		if at > 0 {
			begin = l.blocks[at-1].postings
		}
		end = max(begin, l.blocks[at].postings)
		l.left = min(l.left, blockPostings)
	}
	l.rest = cursor{b: l.postings[begin:end]}
}

// next goes to the next posting.
func (l *postingList) next() bool {
	if l.ended {
		return false
	}
	if l.left == 0 {
		if l.at+1 >= len(l.blocks) {
			l.ended = true
			return false
		}
		l.enter(l.at+1, l.blocks[l.at].last)
	}
	v := l.rest.uvarint()
	l.id += uint32(v >> 1)
	l.times = 1
	if v&1 == 0 {
		l.times = uint32(l.rest.uvarint())
	}
	if l.rest.bad || l.id >= l.ids {
		l.broken, l.ended = true, true
		return false
	}
	l.left--
	l.nth++
	return true
}

// seek goes to the first posting with at least this id. The list must stand on a posting.
func (l *postingList) seek(id uint32) bool {
	if l.ended {
		return false
	}
	if l.id >= id {
		return true
	}
	if l.blocks != nil && l.blocks[l.at].last < id {
		// Gallop, then halve.
		low, step := l.at+1, 1
		for low+step < len(l.blocks) && l.blocks[low+step].last < id {
			low, step = low+step, step*2
		}
		high := min(low+step, len(l.blocks))
		for low < high {
			mid := (low + high) / 2
			if l.blocks[mid].last < id {
				low = mid + 1
			} else {
				high = mid
			}
		}
		if low == len(l.blocks) {
			l.ended = true
			return false
		}
		l.enter(low, l.blocks[low-1].last)
	}
	for l.next() {
		if l.id >= id {
			return true
		}
	}
	return false
}

// places are the positions of the current posting, valid until the next call. They must be asked for in
// ascending order.
func (l *postingList) places() ([]uint32, error) {
	if l.pos == nil {
		pos, err := l.loadPos()
		if err != nil {
			return nil, err
		}
		l.pos = pos
	}
	if l.posBlock != l.at {
		begin, end, postings := 0, len(l.pos), 0
		if l.blocks != nil {
			if l.at > 0 {
				begin, postings = l.blocks[l.at-1].positions, l.blocks[l.at-1].postings
			}
			end = l.blocks[l.at].positions
		}
		if begin > end || end > len(l.pos) {
			return nil, ErrDamaged
		}
		l.posBlock, l.posNth, l.posRest = l.at, 0, cursor{b: l.pos[begin:end]}
		// How often each posting of the block occurs, to know how much to pass over.
		stop := len(l.postings)
		if l.blocks != nil {
			stop = l.blocks[l.at].postings
		}
		c := cursor{b: l.postings[postings:max(postings, stop)]}
		l.skips = l.skips[:0]
		for len(c.b) > 0 {
			times := uint32(1)
			if c.uvarint()&1 == 0 {
				times = uint32(c.uvarint())
			}
			l.skips = append(l.skips, times)
		}
	}
	if l.nth >= len(l.skips) || l.nth < l.posNth {
		return nil, ErrDamaged
	}
	for ; l.posNth < l.nth; l.posNth++ {
		for range l.skips[l.posNth] {
			if l.posRest.uvarint(); l.posRest.bad {
				return nil, ErrDamaged
			}
		}
	}
	l.found = l.found[:0]
	place := uint32(0)
	for range l.times {
		place += uint32(l.posRest.uvarint())
		if l.posRest.bad {
			return nil, ErrDamaged
		}
		l.found = append(l.found, place)
	}
	l.posNth++
	return l.found, nil
}
