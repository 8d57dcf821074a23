package index

import (
	"encoding/binary"
	"math/bits"
)

// Numbers of a whole block of postings are packed: each has as many bits as the largest of them, the lowest first,
// without gaps. They unpack without a branch, where numbers of bytes would cost one each.

// padBytes is how far behind packed numbers unpack may look: bytes are loaded eight at a time.
const padBytes = 8

// maxWidth is the most bits that a packed number has; with it, eight bytes hold any number wherever it begins.
const maxWidth = 32

// widthOf is how many bits the largest of the numbers needs.
func widthOf(numbers *[blockPostings]uint32) int {
	all := uint32(0)
	for _, n := range numbers {
		all |= n
	}
	return bits.Len32(all)
}

// packedBytes is the size of a block of numbers of a width.
func packedBytes(width int) int { return blockPostings / 8 * width }

// pack appends a block of numbers.
func pack(b []byte, numbers *[blockPostings]uint32, width int) []byte {
	open, have := uint64(0), 0 // bits that wait for whole bytes
	for _, n := range numbers {
		open |= uint64(n) << have
		for have += width; have >= 8; have -= 8 {
			b = append(b, byte(open))
			open >>= 8
		}
	}
	return b
}

// unpack reads a block of numbers, behind which there must be padBytes more.
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
