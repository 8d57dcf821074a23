package draft

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cputime"
)

// Drafts that make careless code quadratic, each takes a second at most; the limit is wide because machines
// differ.
func TestHostileDraftsTakeLinearTime(t *testing.T) {
	const limit = time.Minute
	enough := 150_000                          // bytes: what is quadratic takes minutes by then
	if os.Getenv("CITELOOP_TEST_LONG") == "" { // a tenth shows what fails, and the whole what is slow
		enough /= 10
	}
	hostile := map[string]string{
		"bracket pairs":       strings.Repeat("[a][b]", 50_000),
		"full-width brackets": strings.Repeat("［【〔（", 50_000),
		"round brackets":      strings.Repeat("(", 100_000) + "2020" + strings.Repeat(")", 100_000),
		"citations and a list": strings.Repeat("Otters swim [1, 2-4]. ", 5_000) + "\n\nReferences\n" +
			strings.Repeat("[1] https://a.b/c - d\n", 5_000),
		"marks in one sentence":  strings.Repeat("[1] a ", 50_000),
		"covered sentences":      strings.Repeat("Otters swim. ", 50_000) + " [1][2]",
		"open quotations":        "x " + strings.Repeat("<blockquote>a ", 27_000),
		"raised":                 strings.Repeat("a¹ ", 100_000) + strings.Repeat("¹", 100_000),
		"sup":                    strings.Repeat("<sup>", 50_000) + strings.Repeat("<sup>1</sup>", 20_000),
		"open tags":              strings.Repeat("<a ", 100_000),
		"backslashes":            strings.Repeat("\\[", 100_000),
		"links":                  strings.Repeat("[a](https://b.c) ", 50_000),
		"open links":             strings.Repeat("[a](", 100_000),
		"one address":            "https://" + strings.Repeat("a", 1<<20),
		"address brackets":       "https://a.b/" + strings.Repeat("(", 50_000) + strings.Repeat(")", 60_000),
		"straight quotes":        strings.Repeat(" \"a", 200_000),
		"apostrophes":            strings.Repeat("‘a’b", 100_000),
		"labels":                 "A: " + strings.Repeat("a", 300_000) + strings.Repeat("\nAa: b", 15_000),
		"tables":                 strings.Repeat("| a | b |\n|--|--|\n", 30_000),
		"fences":                 strings.Repeat("```\n", 100_000),
		"open formulas":          strings.Repeat("\\[\na\n\n", 20_000),
		"list headings":          strings.Repeat("References\n[1] https://a.b\n\nOtters swim in the river all day long.\n\n", 4_000),
		"list without addresses": "## References\n" + strings.Repeat("1. Otters of the north\nand south\n", 5_000),
		"one entry":              "## References\n[1] " + strings.Repeat("[a](", 50_000),
		"lines":                  strings.Repeat("[S1:1,2-3; S2:4] (S3:5) ", 12_000),
		"files":                  strings.Repeat("a", 150_000) + strings.Repeat("/a#L1", 30_000),
		"text fragments":         strings.Repeat("https://a.b#:~:text="+strings.Repeat("a,", 900)+" ", 150),
		"inferences":             strings.Repeat("a [1] b [inference] c ", 12_000),
		"Chinese":                strings.Repeat("水獭，", 200_000),
		"spaces":                 strings.Repeat(" ", 1<<20) + "[1]",
		"invalid bytes":          strings.Repeat("\xff[", 1<<18),
	}
	for name, text := range hostile {
		if len(text) > enough && !strings.Contains(text, "References") {
			text = text[:enough]
		}
		t.Run(name, func(t *testing.T) {
			start := cputime.Used()
			Parse(text)
			took := cputime.Used() - start
			if took > limit {
				t.Errorf("took %v", took)
			}
		})
	}
}
