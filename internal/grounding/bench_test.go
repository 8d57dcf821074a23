package grounding

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// prose makes text of invented words whose frequencies roughly follow Zipf's law, with numbers, names and
// citation marks as reports have them.
func prose(seed uint64, sentences int) string {
	next := func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int((seed >> 33) % uint64(n))
	}
	var b strings.Builder
	for i := range sentences {
		b.WriteString("The Word")
		for range 14 {
			fmt.Fprintf(&b, " w%s", strings.Repeat(string(rune('a'+next(1+next(26)))), 1+next(1+next(9))))
		}
		fmt.Fprintf(&b, " in %d by %d percent Name%c.", 1900+next(120), next(100), rune('a'+next(26)))
		if i%3 == 0 {
			fmt.Fprintf(&b, " [%d]", 1+next(20))
		}
		b.WriteByte(" \n"[min(1, next(8)/7)])
	}
	return b.String()
}

// benchSources is the usual load: 200 claims with three cited sources each, out of 100 texts of 30 kB.
func benchSources() ([]Source, []Claim) {
	var sources []Source
	for i := range 100 {
		sources = append(sources, Source{ID: fmt.Sprint("S", i), Text: prose(uint64(i), 260)})
	}
	var claims []Claim
	for i := range 200 {
		text := strings.SplitAfter(sources[i%100].Text, ". ")[i%40]
		claims = append(claims, Claim{Text: strings.Replace(text, "w", "v", 1), Citations: cite(fmt.Sprint("S", i%100), fmt.Sprint("S", (i+7)%100), fmt.Sprint("S", (i+13)%100))})
	}
	return sources, claims
}

func BenchmarkNewChecker(b *testing.B) {
	sources, _ := benchSources()
	for b.Loop() {
		NewChecker(sources)
	}
}

func BenchmarkCheck200(b *testing.B) {
	sources, claims := benchSources()
	checker := NewChecker(sources)
	for b.Loop() {
		for _, c := range claims {
			checker.Check(c)
		}
	}
}

// BenchmarkCold reads the sources and checks the claims, as the first question of a session does.
func BenchmarkCold(b *testing.B) {
	sources, claims := benchSources()
	for b.Loop() {
		checker := NewChecker(sources)
		for _, c := range claims {
			checker.Check(c)
		}
	}
}

// BenchmarkPairs checks each of 200 claims against each of 100 texts, on all cores.
func BenchmarkPairs(b *testing.B) {
	sources, claims := benchSources()
	checker := NewChecker(sources)
	for b.Loop() {
		var wg sync.WaitGroup
		for worker := range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for i := worker; i < len(claims); i += runtime.GOMAXPROCS(0) {
					for _, s := range sources {
						checker.Check(Claim{Text: claims[i].Text, Citations: []Citation{{SourceID: s.ID}}})
					}
				}
			})
		}
		wg.Wait()
	}
}

// BenchmarkTexts shows that the cost of a text does not grow with their number.
func BenchmarkTexts(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			sources := make([]Source, n)
			for i := range sources {
				sources[i] = Source{ID: fmt.Sprint("S", i), Text: prose(uint64(i), 26)}
			}
			for b.Loop() {
				NewChecker(sources)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/text")
		})
	}
}

func BenchmarkParseDraft(b *testing.B) {
	text := prose(1, 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ParseDraft(text)
	}
}

// BenchmarkGrowing reads 100 sources one at a time, as a loop does whose host verifies after each.
func BenchmarkGrowing(b *testing.B) {
	sources, _ := benchSources()
	for b.Loop() {
		checker := NewChecker(nil)
		for _, s := range sources {
			checker = checker.With([]Source{s})
		}
	}
}
