package loops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Sizes of a loop. The cost of a call must not grow with them.
var sizes = []struct {
	name              string
	sources, evidence int
}{{"empty", 0, 0}, {"large", 10_000, 50_000}}

// snippet returns a different short text for each n.
func snippet(n int) string {
	return fmt.Sprintf("In year %d the keeper of tower %s wrote that lamp %s had burned through the night, that %s ships had passed, and that the stores of %s oil would last until the boat of captain %s came back from harbour %s.",
		n, letters(n), letters(n/3), letters(n*5), letters(n*11), letters(n*17), letters(n*23))
}

// grown returns a loop with a number of sources and hits.
func (h *harness) grown(b *testing.B, sources, evidence int) string {
	b.Helper()
	tokens := 1_000_000_000
	a, err := h.Start(b.Context(), loopstate.StartInput{Query: "q", Complexity: "breaking", Budget: loopstate.BudgetInput{Tokens: &tokens}})
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; i < evidence; i += 500 {
		in := loopstate.UpdateInput{Query: fmt.Sprintf("query %d", i)}
		for j := i; j < min(i+500, evidence); j++ {
			in.Evidence = append(in.Evidence, hit(fmt.Sprintf("https://site%d.example/%d", j%97, j), "Log "+letters(j), snippet(j)))
		}
		if _, err := h.Update(b.Context(), a.StateID, "", in); err != nil {
			b.Fatal(err)
		}
	}
	for i := 0; i < sources; i += loops.MaxURLs {
		var urls []string
		for j := i; j < min(i+loops.MaxURLs, sources); j++ {
			u := fmt.Sprintf("https://site%d.example/%d", j%97, j)
			h.web.put(u, "Log "+letters(j), snippet(j)+snippet(j+1_000_000))
			urls = append(urls, u)
		}
		h.read(a.StateID, urls...)
	}
	return a.StateID
}

func BenchmarkUpdate(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			h := newHarness(b)
			loop := h.grown(b, size.sources, size.evidence)
			n := size.evidence
			b.ResetTimer()
			for b.Loop() {
				in := loopstate.UpdateInput{Query: fmt.Sprintf("more %d", n)}
				for range 10 {
					n++
					in.Evidence = append(in.Evidence, hit(fmt.Sprintf("https://new.example/%d", n), "Log "+letters(n), snippet(n)))
				}
				if _, err := h.Update(b.Context(), loop, "", in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBrief(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			h := newHarness(b)
			loop := h.grown(b, size.sources, size.evidence)
			b.ResetTimer()
			for b.Loop() {
				if _, err := h.State(b.Context(), loops.ViewInput{Loop: loop}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLedger measures showing a part of a text: one that was shown before, and a new one, which needs an event.
func BenchmarkLedger(b *testing.B) {
	for _, fresh := range []bool{false, true} {
		b.Run(map[bool]string{false: "shown before", true: "new"}[fresh], func(b *testing.B) {
			h := newHarness(b)
			loop := h.start("q")
			h.web.put("https://example.org/long", "Long", letters(12345)+strings.Repeat(snippet(1), 1_200))
			if _, err := h.Read(b.Context(), loops.ReadInput{Loop: loop, URLs: []string{"https://example.org/long"}, Show: firstChars(100)}); err != nil {
				b.Fatal(err)
			}
			n := 200
			for b.Loop() {
				start := 10
				if fresh {
					start, n = n, n+20
				}
				if _, err := h.ReadSpan(b.Context(), loop, "S1", start, start+10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

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
