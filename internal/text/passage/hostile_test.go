package passage

import (
	"strings"
	"testing"
)

// Texts that make careless code quadratic, besides those of package words: with that, the test would run into the time limit of go test.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts, read by one goroutine")
	}
	for _, text := range []string{
		strings.Repeat("a.", 1<<17), strings.Repeat("1,", 1<<17), strings.Repeat("水", 1<<16), strings.Repeat("a'", 1<<17),
		strings.Repeat("<!-- {# x #} ", 1<<14), strings.Repeat("<!---->", 1<<15), strings.Repeat("[a](", 1<<16),
		strings.Repeat("a\n\n", 1<<16),
	} {
		ix := NewIndex()
		ix.Add("x", Split(text, 500))
		ix.Search(text[:min(len(text), 1<<14)], 10, nil)
		Excerpt(text, text[:min(len(text), 1<<10)], 5_000)
	}
}
