package loops_test

import (
	"fmt"
	"strings"
	"testing"
)

// One more source in a loop of 200, each of 30 kB.
func BenchmarkNearSources(b *testing.B) {
	h := newHarness(b)
	loop := h.start("lamps")
	for i := range 10 {
		var urls []string
		for j := range 20 {
			url := fmt.Sprintf("https://example.org/%d", i*20+j)
			h.web.put(url, "Lamps", numbered((i*20+j)*5_000, 5_000))
			urls = append(urls, url)
		}
		h.read(loop, urls...)
	}
	n := 1_000
	for b.Loop() {
		url := fmt.Sprintf("https://example.org/%d", n)
		h.web.put(url, "Lamps", numbered(n*5_000, 5_000))
		h.read(loop, url)
		n++
	}
}

// numbered is a text of n different words from the ith on.
func numbered(from, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("word%d", from+i)
	}
	return strings.Join(words, " ")
}
