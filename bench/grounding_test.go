package bench

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/grounding"
)

// prose generates text of invented words with roughly the frequencies of Zipf's law, numbers and names as in reports,
// and about 115 bytes a sentence.
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

func groundingSources(texts, sentences int) []grounding.Source {
	sources := make([]grounding.Source, texts)
	for i := range sources {
		sources[i] = grounding.Source{ID: fmt.Sprint("S", i), Text: prose(uint64(i), sentences)}
	}
	return sources
}

// groundingClaims returns sentences of the sources with one changed word, each citing its source and two others.
func groundingClaims(n int, sources []grounding.Source) []grounding.Claim {
	claims := make([]grounding.Claim, n)
	for i := range claims {
		text := strings.SplitAfter(sources[i%len(sources)].Text, ". ")[i%20]
		claims[i].Text = strings.Replace(text, "w", "v", 1)
		for _, step := range []int{0, 7, 13} {
			claims[i].Citations = append(claims[i].Citations, grounding.Citation{SourceID: sources[(i+step)%len(sources)].ID})
		}
	}
	return claims
}

const (
	usualTexts     = 100
	usualSentences = 300 // about 30 kB
	usualClaims    = 200
)

// reportProcessor reports the processor time of an iteration: on a busy machine the elapsed time tells little.
func reportProcessor(b *testing.B, before time.Duration) {
	b.ReportMetric(1e3*(processorTime()-before).Seconds()/float64(b.N), "cpu-ms/op")
}

// BenchmarkGroundingCold indexes the texts and checks the claims, like the first check of a session.
func BenchmarkGroundingCold(b *testing.B) {
	sources := groundingSources(usualTexts, usualSentences)
	claims := groundingClaims(usualClaims, sources)
	b.ReportAllocs()
	before := processorTime()
	for b.Loop() {
		checkAll(grounding.NewChecker(sources), claims)
	}
	reportProcessor(b, before)
	b.ReportMetric(float64(len(sources[0].Text))/1e3, "kB/text")
}

// BenchmarkGroundingBuilt checks the claims with a warm checker.
func BenchmarkGroundingBuilt(b *testing.B) {
	sources := groundingSources(usualTexts, usualSentences)
	claims := groundingClaims(usualClaims, sources)
	checker := grounding.NewChecker(sources)
	checkAll(checker, claims)
	b.ReportAllocs()
	before := processorTime()
	for b.Loop() {
		checkAll(checker, claims)
	}
	b.StopTimer()
	reportProcessor(b, before)
	b.ReportMetric(liveMB(), "MB-live")
	runtime.KeepAlive(checker)
}

// BenchmarkGroundingPairs checks each claim against each text, on -cpu cores.
func BenchmarkGroundingPairs(b *testing.B) {
	sources := groundingSources(usualTexts, usualSentences)
	claims := groundingClaims(usualClaims, sources)
	checker := grounding.NewChecker(sources)
	for b.Loop() {
		workers := runtime.GOMAXPROCS(0)
		var wg sync.WaitGroup
		for worker := range workers {
			wg.Go(func() {
				for i := worker; i < len(claims); i += workers {
					for _, s := range sources {
						checker.Check(grounding.Claim{Text: claims[i].Text, Citations: []grounding.Citation{{SourceID: s.ID}}})
					}
				}
			})
		}
		wg.Wait()
	}
	b.StopTimer()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/1e6, "MB-from-system") // never decreases: the peak of the run so far
	runtime.KeepAlive(checker)
}

// BenchmarkGroundingTexts shows that time and memory for each text do not grow with the number of texts.
func BenchmarkGroundingTexts(b *testing.B) {
	for _, texts := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(texts), func(b *testing.B) {
			sources := groundingSources(texts, 30)
			var checker *grounding.Checker
			before := liveMB()
			for b.Loop() {
				checker = grounding.NewChecker(sources)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*texts), "µs/text")
			b.ReportMetric((liveMB()-before)*1e3/float64(texts), "kB/text")
			b.StopTimer()
			runtime.KeepAlive(checker)
		})
	}
}

func checkAll(checker *grounding.Checker, claims []grounding.Claim) {
	for _, c := range claims {
		checker.Check(c)
	}
}

func liveMB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// The texts have the stated sizes.
func TestGroundingLoad(t *testing.T) {
	sources := groundingSources(3, usualSentences)
	for _, s := range sources {
		if len(s.Text) < 25_000 || len(s.Text) > 40_000 {
			t.Errorf("%s has %d bytes, want about 30,000", s.ID, len(s.Text))
		}
	}
	for _, c := range groundingClaims(5, sources) {
		if v := grounding.NewChecker(sources).Check(c); v.Status == "" || len(v.Passages) == 0 {
			t.Errorf("%q: %+v", c.Text, v)
		}
	}
}
