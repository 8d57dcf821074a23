package index

import "encoding/binary"

// blockPostings is the number of postings in a block, the unit of skipping (chosen; the usual size).
const blockPostings = 128

// A list of postings is, in this order,
//
//	the table of blocks, unless there is one and that is not whole: for each block its last id, as the difference to the one
//	    before; of a whole block the widths of its packed numbers; the bytes of its positions; and the bytes of
//	    its impacts (impact.go), and those
//	the postings: of a whole block the differences of the ids, each to the one before, packed (postings.go), and then
//	    the numbers of occurrences, less one, packed; of the rest, for each posting the difference, doubled, plus
//	    one where the term occurs once there; else the number of occurrences follows
//	the positions: for each posting, the place of each occurrence among the terms of its passage, as differences
//
// The dictionary holds the lengths of these parts. All numbers that are not packed are varints.

// listBuilder builds one term's list. Ids come in ascending order. The postings of the open block are stored unpacked, and
// packed once the block is complete.
//
// Fields that every occurrence touches come first, so that they share a cache line: cache misses dominate building.
type listBuilder struct {
	times, place        uint32 // in the passage that is being read: occurrences, and the last one's place
	count               uint32 // postings
	last                uint32 // id of the last posting
	postings, positions []byte

	table                      []byte
	blockLast                  uint32 // last id of the last whole block
	blockPostings, blockPlaces int    // where the open block begins
}

// occurs adds an occurrence in the current passage, at a position among its terms, and reports whether it is the first
// there.
func (l *listBuilder) occurs(place uint32) (first bool) {
	if first = l.times == 0; first {
		l.place = 0
	}
	if delta := place - l.place; delta < 0x80 {
		l.positions = append(l.positions, byte(delta))
	} else {
		l.positions = binary.AppendUvarint(l.positions, uint64(delta))
	}
	l.place = place
	l.times++
	return first
}

// close ends the current passage. lengths are those of all passages, two bytes each, this one included; nil if the ids
// are not passages.
func (l *listBuilder) close(id uint32, lengths []byte) {
	delta := uint64(id - l.last)
	l.last = id
	if l.times == 1 {
		l.postings = binary.AppendUvarint(l.postings, delta<<1|1)
	} else {
		l.postings = binary.AppendUvarint(l.postings, delta<<1)
		l.postings = binary.AppendUvarint(l.postings, uint64(l.times))
	}
	l.times = 0
	if l.count++; l.count%blockPostings == 0 {
		l.endBlock(lengths)
	}
}

// endBlock packs the open block if it is complete, and writes its table entry.
func (l *listBuilder) endBlock(lengths []byte) {
	var deltas, others [blockPostings]uint32 // others: occurrences less one
	var im impacts
	c := cursor{b: l.postings[l.blockPostings:]}
	id, n := l.blockLast, 0
	for ; len(c.b) > 0; n++ {
		var times uint32
		deltas[n], times = c.posting()
		others[n] = times - 1
		if id += deltas[n]; lengths != nil {
			im.add(times, binary.LittleEndian.Uint16(lengths[2*id:]))
		}
	}
	l.table = binary.AppendUvarint(l.table, uint64(l.last-l.blockLast))
	if n == blockPostings {
		wide, wideOthers := widthOf(&deltas), widthOf(&others)
		l.postings = pack(l.postings[:l.blockPostings], &deltas, wide)
		l.postings = pack(l.postings, &others, wideOthers)
		l.table = append(l.table, byte(wide), byte(wideOthers))
	}
	l.table = binary.AppendUvarint(l.table, uint64(len(l.positions)-l.blockPlaces))
	var pairs [3 * len(im.shortest)]byte
	encoded := im.encode(pairs[:0])
	l.table = binary.AppendUvarint(l.table, uint64(len(encoded)))
	l.table = append(l.table, encoded...)
	l.blockLast, l.blockPostings, l.blockPlaces = l.last, len(l.postings), len(l.positions)
}

// posting reads an unpacked posting.
func (c *cursor) posting() (delta, times uint32) {
	v := c.uvarint()
	if v&1 == 0 {
		return uint32(v >> 1), uint32(c.uvarint())
	}
	return uint32(v >> 1), 1
}

// parts returns the bytes of the list. There is no table if its only block is incomplete.
func (l *listBuilder) parts(lengths []byte) (table, postings, positions []byte) {
	if l.count%blockPostings != 0 && l.count > blockPostings {
		l.endBlock(lengths)
	}
	if l.count < blockPostings {
		return nil, l.postings, l.positions
	}
	return l.table, l.postings, l.positions
}
