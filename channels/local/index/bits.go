package index

import (
	"encoding/binary"
	"math/bits"
)

// Bits is a set of small numbers, stored as a bitmap.
type Bits struct{ words []uint64 }

// NewBits returns an empty set for numbers below n.
func NewBits(n int) *Bits { return &Bits{words: make([]uint64, (n+63)/64)} }

// Has reports whether i is in the set. A nil set is empty.
func (b *Bits) Has(i int) bool {
	return b != nil && i>>6 < len(b.words) && b.words[i>>6]&(1<<(i&63)) != 0
}

// Set adds i, which must be below n.
func (b *Bits) Set(i int) { b.words[i>>6] |= 1 << (i & 63) }

// Count returns the number of elements.
func (b *Bits) Count() int {
	if b == nil {
		return 0
	}
	n := 0
	for _, w := range b.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Clone returns a copy for numbers below n.
func (b *Bits) Clone(n int) *Bits {
	c := NewBits(n)
	if b != nil {
		copy(c.words, b.words)
	}
	return c
}

// keep removes the numbers that other has not, or has.
func (b *Bits) keep(other *Bits, without bool) {
	for i, word := range other.words {
		if without {
			word = ^word
		}
		b.words[i] &= word
	}
}

// Bytes encodes the set; BitsFrom decodes it.
func (b *Bits) Bytes() []byte {
	if b == nil {
		return nil
	}
	out, _ := binary.Append(nil, binary.LittleEndian, b.words) // fails only for other types
	return out
}

// BitsFrom decodes a set of numbers below n.
func BitsFrom(raw []byte, n int) *Bits {
	b := NewBits(n)
	whole := make([]byte, 8*len(b.words))
	copy(whole, raw)
	_, _ = binary.Decode(whole, binary.LittleEndian, b.words) // fails only for too few bytes
	if n&63 != 0 {
		b.words[len(b.words)-1] &= 1<<(n&63) - 1
	}
	return b
}
