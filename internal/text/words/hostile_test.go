package words

import (
	"os"
	"strings"
	"testing"
)

// Texts that make careless code quadratic: with that, the test would run into the time limit of go test.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("a", 1<<20), strings.Repeat("[", 1<<17) + strings.Repeat("]", 1<<17), strings.Repeat(".", 1<<20),
		strings.Repeat(".)", 1<<19), strings.Repeat(". ", 1<<19), strings.Repeat(" ", 1<<20),
		"a." + strings.Repeat(" ", 1<<19) + strings.Repeat("dr. ", 1<<17), "a." + strings.Repeat("[1]", 1<<18) + "b",
		strings.Repeat("a.", 1<<19), strings.Repeat("1,", 1<<19), strings.Repeat("a\n", 1<<19), strings.Repeat("水", 1<<18),
		"a" + strings.Repeat("\u0301", 1<<18), strings.Repeat("\xff", 1<<20), strings.Repeat("a'", 1<<19), strings.Repeat("3. [", 1<<18),
	} {
		if os.Getenv("CITELOOP_TEST_LONG") == "" { // a tenth shows what fails, and the whole what is slow
			text = text[:len(text)/10]
		}
		Sentences(text)
		Terms(text)
		Cut(text, 500)
		Language(text)
	}
}
