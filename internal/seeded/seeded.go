// Package seeded makes random choices that depend on a seed alone, in every release of Go: what was drawn must be the same
// whenever its log is replayed.
package seeded

import (
	"crypto/sha256"
	"encoding/binary"
)

// Random is a sequence of numbers (SplitMix64).
type Random struct{ state uint64 }

// New returns the sequence of a seed.
func New(seed string) *Random {
	sum := sha256.Sum256([]byte(seed))
	return &Random{binary.BigEndian.Uint64(sum[:8])}
}

// Intn returns a number from 0 to n-1. n must be positive.
func (r *Random) Intn(n int) int {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// Shuffle puts items into a random order.
func Shuffle[T any](r *Random, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		j := r.Intn(i + 1)
		items[i], items[j] = items[j], items[i]
	}
}
