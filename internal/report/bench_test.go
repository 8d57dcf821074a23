package report

import (
	"io"
	"math/rand/v2"
	"testing"
)

// A report of 170 sentences as a page.
func BenchmarkHTML(b *testing.B) {
	d := generated(rand.New(rand.NewPCG(1, 1)), 170)
	for b.Loop() {
		if err := Write(io.Discard, HTML, d); err != nil {
			b.Fatal(err)
		}
	}
}
