package index

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"
)

// block is one entry of the table of blocks.
type block struct {
	last                uint32 // id
	wide, wideTimes     uint8  // bits of its packed numbers
	postings, positions int    // offsets within the list
	impacts, impactsEnd int    // offsets within the table
}

// postingList iterates over one term's list in one segment. It unpacks a block when it enters it.
type postingList struct {
	blocks   []block
	one      [1]block // of a list that has no table
	table    []byte
	postings []byte // followed by padBytes more
	loadPos  func() ([]byte, error)
	pos      []byte // positions; nil = not read yet
	count    int
	limit    uint32 // every id is below it

	at          int // the block that is unpacked; -1 = none
	n, nth      int // number of its postings, and the current one; -1 = before the first
	ids, others [blockPostings]uint32
	id, times   uint32 // of the current posting
	ended       bool
	broken      bool

	posBlock int    // the block that posRest is in; -1 = none
	posNth   int    // number of its postings whose positions were read
	posRest  cursor // the positions after those
	found    []uint32
}

// newPostingList reads the table. The list is positioned before its first posting. Damage in the list itself is detected
// while iterating. postings must be followed by padBytes more.
func newPostingList(table, postings []byte, count int, limit uint32) (*postingList, bool) {
	l := &postingList{table: table, postings: postings, count: count, limit: limit, at: -1, nth: -1, posBlock: -1}
	if count < blockPostings {
		// Its only block has no entry: it is read now, for its last id.
		l.blocks = l.one[:]
		if count < 1 || !l.unpackRest(0, count) {
			return nil, false
		}
		l.one[0].last = l.ids[count-1]
		l.at, l.n = 0, count
		return l, true
	}
	n := (count + blockPostings - 1) / blockPostings
	const least = 3 // bytes of an entry
	if n > len(table)/least {
		return nil, false
	}
	l.blocks = make([]block, n)
	c := cursor{b: table}
	last, at, pos := uint64(0), 0, 0
	for i := range l.blocks {
		b := block{postings: at, positions: pos}
		last += c.uvarint()
		b.last = uint32(last)
		if (i+1)*blockPostings <= count {
			b.wide, b.wideTimes = uint8(c.count(maxWidth)), uint8(c.count(maxWidth))
			at += packedBytes(int(b.wide)) + packedBytes(int(b.wideTimes))
		}
		pos += c.count(maxSize)
		size := c.count(len(c.b))
		b.impacts = len(table) - len(c.b)
		b.impactsEnd = b.impacts + size
		c.bytes(size)
		if c.bad || last >= uint64(limit) || at > len(postings) || pos > maxSize {
			return nil, false
		}
		l.blocks[i] = b
	}
	return l, true
}

// unpack reads a block and positions the list before its first posting.
func (l *postingList) unpack(at int) bool {
	l.n = min(blockPostings, l.count-at*blockPostings)
	base := uint64(0)
	if at > 0 {
		base = uint64(l.blocks[at-1].last)
	}
	if b := &l.blocks[at]; l.n < blockPostings {
		if !l.unpackRest(uint32(base), l.n) {
			return l.fail()
		}
	} else {
		from := l.postings[b.postings : len(l.postings)+padBytes]
		unpack(&l.ids, from, int(b.wide))
		unpack(&l.others, from[packedBytes(int(b.wide)):], int(b.wideTimes))
		for i := range l.ids {
			base += uint64(l.ids[i])
			l.ids[i] = uint32(base)
		}
		if base != uint64(b.last) { // this id is below the limit, so all others are too
			return l.fail()
		}
	}
	l.at, l.nth = at, -1
	return true
}

// unpackRest reads the n postings of an incomplete block.
func (l *postingList) unpackRest(base uint32, n int) bool {
	c := cursor{b: l.postings[l.blocks[len(l.blocks)-1].postings:]}
	id := uint64(base)
	for i := range n {
		delta, times := c.posting()
		id += uint64(delta)
		if c.bad || id >= uint64(l.limit) {
			return false
		}
		l.ids[i], l.others[i] = uint32(id), times-1
	}
	return true
}

func (l *postingList) fail() bool {
	l.broken, l.ended = true, true
	return false
}

// moveTo goes to a posting of the unpacked block.
func (l *postingList) moveTo(nth int) bool {
	l.nth, l.id, l.times = nth, l.ids[nth], l.others[nth]+1
	return true
}

// next goes to the next posting.
func (l *postingList) next() bool {
	switch {
	case l.ended:
		return false
	case l.at >= 0 && l.nth+1 < l.n:
		return l.moveTo(l.nth + 1)
	case l.at+1 == len(l.blocks):
		l.ended = true
		return false
	}
	return l.unpack(l.at+1) && l.moveTo(0)
}

// seek goes forward to the first posting with at least this id.
func (l *postingList) seek(id uint32) bool {
	if l.ended {
		return false
	}
	if l.nth >= 0 && l.id >= id {
		return true
	}
	if at := l.blockOf(max(l.at, 0), id); at == len(l.blocks) {
		l.ended = true
		return false
	} else if at != l.at && !l.unpack(at) {
		return false
	}
	from := max(l.nth, 0)
	at, _ := slices.BinarySearch(l.ids[from:l.n], id)
	if from+at == l.n { // only if the table and the postings disagree
		return l.fail()
	}
	return l.moveTo(from + at)
}

// rewind positions the list before its first posting.
func (l *postingList) rewind() {
	l.ended, l.posBlock = l.broken, -1
	if l.nth = -1; l.at > 0 {
		l.at = -1
	}
}

// blockOf returns the first block, at or after from, whose last id is at least id.
func (l *postingList) blockOf(from int, id uint32) int {
	low, step := from, 1
	if l.blocks[low].last >= id {
		return low
	}
	for low+step < len(l.blocks) && l.blocks[low+step].last < id {
		low, step = low+step, step*2
	}
	low++
	return low + sort.Search(min(low+step, len(l.blocks))-low, func(i int) bool { return l.blocks[low+i].last >= id })
}

// places returns the positions of the current posting, valid until the next call. Calls must be in ascending order of
// postings.
func (l *postingList) places() ([]uint32, error) {
	if l.pos == nil {
		pos, err := l.loadPos()
		if err != nil {
			return nil, err
		}
		l.pos = pos
	}
	if l.posBlock != l.at {
		begin, end := l.blocks[l.at].positions, len(l.pos)
		if l.at+1 < len(l.blocks) {
			end = l.blocks[l.at+1].positions
		}
		if begin > end || end > len(l.pos) {
			return nil, ErrDamaged
		}
		l.posBlock, l.posNth, l.posRest = l.at, 0, cursor{b: l.pos[begin:end]}
	}
	if l.nth < l.posNth {
		return nil, ErrDamaged
	}
	pass := 0
	for ; l.posNth < l.nth; l.posNth++ {
		pass += int(l.others[l.posNth]) + 1
	}
	if l.posRest.skip(pass); l.posRest.bad {
		return nil, ErrDamaged
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

// Numbers of a complete block of postings are packed: each has as many bits as the largest of them, lowest bits first,
// without gaps. They unpack without a branch for each number.

// padBytes is how far unpack may read beyond packed numbers: it loads eight bytes at a time.
const padBytes = 8

// maxWidth is the largest width of a packed number: eight bytes then hold any number at any bit offset.
const maxWidth = 32

// widthOf returns the bits that the largest of the numbers needs.
func widthOf(numbers *[blockPostings]uint32) int {
	all := uint32(0)
	for _, n := range numbers {
		all |= n
	}
	return bits.Len32(all)
}

// packedBytes returns the size of a block of numbers of a width.
func packedBytes(width int) int { return blockPostings / 8 * width }

// pack appends a block of numbers.
func pack(b []byte, numbers *[blockPostings]uint32, width int) []byte {
	open, have := uint64(0), 0 // bits that do not fill a byte yet
	for _, n := range numbers {
		open |= uint64(n) << have
		for have += width; have >= 8; have -= 8 {
			b = append(b, byte(open))
			open >>= 8
		}
	}
	return b
}

// unpack reads a block of numbers, which padBytes more must follow.
func unpack(numbers *[blockPostings]uint32, b []byte, width int) {
	if width == 0 {
		*numbers = [blockPostings]uint32{}
		return
	}
	b = b[:packedBytes(width)+padBytes]
	mask := uint64(1)<<(width&63) - 1
	for i, bit := 0, 0; i < blockPostings; i, bit = i+1, bit+width {
		numbers[i] = uint32(binary.LittleEndian.Uint64(b[bit>>3:]) >> (bit & 7) & mask)
	}
}
