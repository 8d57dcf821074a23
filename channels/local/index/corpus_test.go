package index

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// invented generates texts of invented words with frequencies by Zipf's law.
type invented struct {
	rand  *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newInvented(seed uint64, vocabulary int) *invented {
	r := rand.New(rand.NewPCG(seed, 1))
	in := &invented{rand: r, zipf: rand.NewZipf(r, 1.1, 4, uint64(vocabulary-1))}
	syllables := strings.Fields("ka to mi re lun sor ven tal pri os qua den fer il mar nox ber cal dur em gan hol iv jor")
	for i := range vocabulary {
		var w strings.Builder
		for n := i; ; n /= len(syllables) {
			w.WriteString(syllables[n%len(syllables)])
			if n < len(syllables) {
				break
			}
		}
		in.words = append(in.words, w.String())
	}
	return in
}

func (in *invented) word() string { return in.words[in.zipf.Uint64()] }

// text returns sentences and paragraphs of about n bytes.
func (in *invented) text(n int) string {
	var b strings.Builder
	for b.Len() < n {
		for range 3 + in.rand.IntN(5) {
			for i := range 8 + in.rand.IntN(12) {
				w := in.word()
				if i == 0 {
					w = strings.ToUpper(w[:1]) + w[1:]
				} else {
					b.WriteByte(' ')
				}
				b.WriteString(w)
			}
			b.WriteString(". ")
		}
		b.WriteString("\n\n")
	}
	return b.String()
}

func segmentOf(t testing.TB, add func(b *Builder)) *Segment {
	t.Helper()
	return reopened(t, encoded(t, add))
}

func encoded(t testing.TB, add func(b *Builder)) []byte {
	t.Helper()
	b, err := NewBuilder()
	if err != nil {
		t.Fatal(err)
	}
	add(b)
	var out bytes.Buffer
	if _, err := b.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func reopened(t testing.TB, raw []byte) *Segment {
	t.Helper()
	s, err := Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func add(t testing.TB, b *Builder, path string, d Document) {
	t.Helper()
	if err := b.Add(File{Path: path, Size: int64(len(d.Text))}, []Document{d}); err != nil {
		t.Fatal(err)
	}
}

// naive ranks by the formula, for every passage and every word.
func naive(s *Segment, words []string, titles bool) map[int]float64 {
	df := map[string]int{}
	tf := make([]map[string]int, s.Passages())
	documentOf := make([]int, s.Passages())
	total := 0
	for d := range s.Documents() {
		a, err := s.About(d)
		if err != nil {
			return nil
		}
		for i := a.first; i < a.through; i++ {
			p, err := s.passage(a, i-a.first)
			if err != nil {
				return nil
			}
			tf[i], documentOf[i] = map[string]int{}, d
			for _, w := range strings.FieldsFunc(strings.ToLower(p.Text), func(r rune) bool { return r < 'a' || r > 'z' }) {
				tf[i][w]++
				total++
			}
			for w := range tf[i] {
				df[w]++
			}
		}
	}
	average := float64(total) / float64(len(tf))
	best := map[int]float64{}
	for i, counts := range tf {
		n := 0
		for _, c := range counts {
			n += c
		}
		score := 0.0
		for _, w := range words {
			f := float64(counts[w])
			score += math.Log(1+(float64(len(tf)-df[w])+0.5)/(float64(df[w])+0.5)) * f * 2.2 / (f + 1.2*(0.25+0.75*float64(n)/average))
		}
		if score > 0 {
			best[documentOf[i]] = max(best[documentOf[i]], score)
		}
	}
	return best
}
