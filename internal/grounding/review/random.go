package review

import (
	"crypto/sha256"
	"encoding/binary"
)

// random is a sequence of numbers that depends on its seed alone (SplitMix64). Package math/rand would do, but does
// not promise the same sequence in later releases, and a batch must be the same whenever its log is replayed.
type random struct{ state uint64 }

func newRandom(seed string) *random {
	sum := sha256.Sum256([]byte(seed))
	return &random{binary.BigEndian.Uint64(sum[:8])}
}

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// intn returns a number from 0 to n-1; 0 if n is below 1.
func (r *random) intn(n int) int {
	if n < 1 {
		return 0
	}
	return int(r.next() % uint64(n))
}

// shuffle puts items into a random order.
func shuffle[T any](r *random, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		j := r.intn(i + 1)
		items[i], items[j] = items[j], items[i]
	}
}
