package grounding

import (
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cputime"
)

// Drafts that make careless code quadratic, besides those of TestHostileInputTakesLinearTime. Each takes a second at most; the limit is wide because machines
// differ.
func TestHostileDraftsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short reads no megabytes; nothing runs beside anything here")
	}
	const limit = time.Minute
	authors := "\n\n## References\n\n" + strings.Repeat("Smith, J. (2021). Otters. https://a.example/x\n\n", 10_000)
	hostile := map[string]string{
		"bracket pairs":          strings.Repeat("[a][b]", 50_000),
		"full-width brackets":    strings.Repeat("［【〔（", 50_000),
		"round brackets":         strings.Repeat("(", 100_000) + "2020" + strings.Repeat(")", 100_000),
		"nested years":           strings.Repeat(strings.Repeat("(", 250)+"2020)", 300) + authors,
		"author years":           strings.Repeat("Smith (2021) and (Jones, 2020; Smith, 2021). ", 5_000) + authors,
		"names without years":    strings.Repeat("Aa Bb Cc Dd ", 50_000) + "(2021)" + authors,
		"citations and a list":   strings.Repeat("Otters swim [1, 2-4]. ", 10_000) + "\n\nReferences\n" + strings.Repeat("[1] https://a.b/c - d\n", 10_000),
		"marks in one sentence":  strings.Repeat("[1] a ", 50_000),
		"covered sentences":      strings.Repeat("Otters swim. ", 50_000) + " [1][2]",
		"a mark a line":          strings.Repeat("\n\n[1]", 20_000),
		"source lines":           "Otters swim.\n" + strings.Repeat("Source: [1]\n\n", 50_000),
		"raised":                 strings.Repeat("a¹ ", 100_000) + strings.Repeat("¹", 100_000),
		"raised ranges":          strings.Repeat("¹⁻²,", 100_000),
		"sup":                    strings.Repeat("<sup>", 50_000) + strings.Repeat("<sup>1</sup>", 20_000),
		"anchors":                strings.Repeat("<a href=\"https://a.b/c\">", 30_000),
		"open tags":              strings.Repeat("<a ", 100_000),
		"carets":                 strings.Repeat("^", 200_000),
		"backslashes":            strings.Repeat("\\[", 100_000),
		"links":                  strings.Repeat("[a](https://b.c) ", 50_000),
		"links in brackets":      strings.Repeat("([a](https://b.c)) ", 20_000),
		"open links":             strings.Repeat("[a](", 100_000),
		"images":                 strings.Repeat("![", 100_000),
		"one address":            "https://" + strings.Repeat("a", 1<<20),
		"address brackets":       "https://a.b/" + strings.Repeat("(", 50_000) + strings.Repeat(")", 60_000),
		"www":                    strings.Repeat("www.a.", 100_000),
		"dois":                   strings.Repeat("10.1000/", 100_000),
		"straight quotes":        strings.Repeat(" \"a", 200_000),
		"apostrophes":            strings.Repeat("‘a’b", 100_000),
		"quotation lines":        strings.Repeat("> a b\n", 50_000),
		"labels":                 "A: " + strings.Repeat("a", 300_000) + strings.Repeat("\nAa: b", 15_000),
		"tables":                 strings.Repeat("| a | b |\n|--|--|\n", 30_000),
		"bars":                   strings.Repeat("a|", 200_000),
		"fences":                 strings.Repeat("```\n", 100_000),
		"formulas":               strings.Repeat("$$\na\n", 50_000),
		"open formulas":          strings.Repeat("\\[\na\n\n", 20_000),
		"comments":               strings.Repeat("<!--\n", 100_000),
		"headings":               strings.Repeat("# a [1]\n", 50_000),
		"underlines":             strings.Repeat("a\n---\n", 20_000),
		"list headings":          strings.Repeat("References\n[1] https://a.b\n\nOtters swim in the river all day long.\n\n", 4_000),
		"list without addresses": "## References\n" + strings.Repeat("1. Otters of the north\nand south\n", 15_000),
		"one entry":              "## References\n[1] " + strings.Repeat("[a](", 250_000),
		"names in the list":      "## References\n" + strings.Repeat("Aa, B., ", 100_000) + "(2020). C\n",
		"talk":                   strings.Repeat("I will search ", 50_000) + ".\n\n" + strings.Repeat("我将搜索", 100_000),
		"Chinese":                strings.Repeat("水獭，", 200_000),
		"spaces":                 strings.Repeat(" ", 1<<20) + "[1]",
		"invalid bytes":          strings.Repeat("\xff[", 1<<18),
	}
	for name, text := range hostile {
		const enough = 300_000 // bytes: what is quadratic takes minutes by then
		if len(text) > enough && !strings.Contains(text, "References") {
			text = text[:enough]
		}
		t.Run(name, func(t *testing.T) {
			start := cputime.Used()
			d := ParseDraft(text)
			took := cputime.Used() - start
			if took > limit {
				t.Errorf("took %v", took)
			}
			if took > time.Second {
				t.Logf("%v for %d bytes, %d sentences", took, len(text), len(d.Sentences))
			}
		})
	}
}

// The marks of a draft with many sources lead where they should, and the last sentence is read as the first.
func TestManyCitations(t *testing.T) {
	const n = 50_000
	d := ParseDraft(strings.Repeat("Otters swim very well [2]. ", n) + numberedList)
	if len(d.Sentences) != n || len(d.References) != 6 {
		t.Fatalf("%d sentences and %d references, want %d and 6", len(d.Sentences), len(d.References), n)
	}
	for _, s := range d.Sentences {
		if e, ok := d.Entry(s.Markers[0]); !ok || e.Title != "Two" || !s.IsClaim || len(s.Markers) != 1 {
			t.Fatalf("sentence %+v leads to %+v", s, e)
		}
	}
}
