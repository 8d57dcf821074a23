package reader

import (
	"crypto/sha256"
	"encoding/binary"
)

// random is a sequence of numbers that depends on its seed alone (SplitMix64), in every release of Go: a batch must be the
// same whenever its log is replayed.
type random struct{ state uint64 }

func newRandom(seed string) *random {
	sum := sha256.Sum256([]byte(seed))
	return &random{binary.BigEndian.Uint64(sum[:8])}
}

// intn returns a number from 0 to n-1.
func (r *random) intn(n int) int {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// shuffle puts items into a random order.
func shuffle[T any](r *random, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		j := r.intn(i + 1)
		items[i], items[j] = items[j], items[i]
	}
}
