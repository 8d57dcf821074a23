package passages

import (
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cputime"
)

// Texts that make careless code quadratic. Each takes well under a second; the limit is wide because machines
// differ, and still far below what quadratic work on a megabyte would take.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	const limit = time.Minute
	hostile := map[string]string{
		"one letter":           strings.Repeat("a", 1<<20),
		"brackets":             strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
		"full stops":           strings.Repeat(".", 1<<20),
		"stops and brackets":   strings.Repeat(".)", 1<<19),
		"stops and spaces":     strings.Repeat(". ", 1<<19),
		"spaces":               strings.Repeat(" ", 1<<20),
		"stop and spaces":      "a." + strings.Repeat(" ", 1<<19) + strings.Repeat("dr. ", 1<<17),
		"marks":                "a." + strings.Repeat("[1]", 1<<18) + "b",
		"letters with points":  strings.Repeat("a.", 1<<19),
		"digits":               strings.Repeat("1,", 1<<19),
		"lines":                strings.Repeat("a\n", 1<<19),
		"one Chinese sentence": strings.Repeat("水", 1<<18),
		"combining marks":      "a" + strings.Repeat("\u0301", 1<<18),
		"invalid bytes":        strings.Repeat("\xff", 1<<20),
		"apostrophes":          strings.Repeat("a'", 1<<19),
	}
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			start := cputime.Used()
			Sentences(text)
			Split(text, 500)
			Terms(text)
			ix := NewIndex()
			ix.Add("x", Split(text, 500))
			ix.Search(text[:min(len(text), 1<<16)], 10)
			Shingles(text)
			if took := cputime.Used() - start; took > limit {
				t.Errorf("took %v", took)
			}
		})
	}
}
