package index

import (
	"encoding/binary"
	"math/bits"
)

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
