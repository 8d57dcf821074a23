package seeded

import "testing"

// The values are part of every log: they must never change.
func TestRandom(t *testing.T) {
	r, got := New("a"), 0
	for range 6 {
		got = 10*got + r.Intn(10)
	}
	items := []int{1, 2, 3, 4, 5}
	Shuffle(r, items)
	for _, n := range items {
		got = 10*got + n
	}
	const want = 12615835124
	if got != want {
		t.Errorf("%d, want %d", got, want)
	}
}
