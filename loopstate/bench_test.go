package loopstate

import (
	"fmt"
	"testing"
)

// The cost of a call must not grow with the loop: compare "empty" and "large" of each benchmark.

// grown returns a loop with a number of sources and hits. The last 200 of its 500 searches are in the open round.
func grown(t failer, sources, evidence int) *history {
	h := begin(t, StartInput{Query: "q", Complexity: "complex", Budget: BudgetInput{Tokens: pointer(1_000_000_000)}, Gaps: gaps("a", "b", "c")})
	const batch = 100
	for i := 0; i < evidence; i += batch {
		h.find(batch)
		var urls []string
		for j := i * sources / evidence; j < (i+batch)*sources/evidence; j++ {
			urls = append(urls, page(i+len(urls)+1).URL)
		}
		h.read(urls...)
		if i > 0 && i%(evidence/5) == 0 && i < evidence*4/5 {
			h.close(CloseInput{})
		}
	}
	h.log = nil
	return h
}

func BenchmarkUpdate(b *testing.B) {
	for _, size := range []struct {
		name              string
		sources, evidence int
	}{{"empty", 0, 0}, {"large", 10_000, 50_000}} {
		b.Run(size.name, func(b *testing.B) {
			h := begin(b, StartInput{Query: "q"})
			if size.evidence > 0 {
				h = grown(b, size.sources, size.evidence)
			}
			data := []byte(written(b, h.state))
			seq, n := h.state.Seq, size.evidence
			s, err := UnmarshalSnapshot(data)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if s.Seq == seq+500 { // restart before the loop's own updates change its size
					b.StopTimer()
					if s, err = UnmarshalSnapshot(data); err != nil {
						b.Fatal(err)
					}
					n = size.evidence
					b.StartTimer()
				}
				in := UpdateInput{Query: fmt.Sprintf("query %d", s.Seq), Evidence: make([]Evidence, 0, 10)}
				for range 8 {
					n++
					in.Evidence = append(in.Evidence, page(n))
				}
				in.Evidence = append(in.Evidence, page(n), page(n-1)) // and two known ones
				p, err := s.Update(in)
				if err != nil {
					b.Fatal(err)
				}
				e, err := NewEvent("loop", s.Seq+1, testStart, fmt.Sprintf("op-%d", s.Seq), p)
				if err != nil {
					b.Fatal(err)
				}
				if s, err = Apply(s, e); err != nil {
					b.Fatal(err)
				}
				if d := Decide(s); d.Rule == "" {
					b.Fatal("no decision")
				}
			}
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, size := range []struct {
		name              string
		sources, evidence int
	}{{"empty", 0, 0}, {"large", 10_000, 50_000}} {
		b.Run(size.name, func(b *testing.B) {
			h := begin(b, StartInput{Query: "q", Gaps: gaps("a", "b", "c")})
			if size.evidence > 0 {
				h = grown(b, size.sources, size.evidence)
			}
			b.ReportAllocs()
			for b.Loop() {
				if d := Decide(h.state); d.Rule == "" {
					b.Fatal("no decision")
				}
			}
		})
	}
}

// BenchmarkRestore measures loading a large loop.
func BenchmarkRestore(b *testing.B) {
	data := []byte(written(b, grown(b, 10_000, 50_000).state))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := UnmarshalSnapshot(data); err != nil {
			b.Fatal(err)
		}
	}
}
