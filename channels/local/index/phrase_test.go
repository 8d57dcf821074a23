package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Phrases, exclusions and titles select the documents whose texts say so, for random conditions over random folders with
// deleted files.
func TestConditionsAreThoseOfTheTexts(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 8))
		in := newInvented(seed, []int{5, 40, 400}[seed])
		p := Part{Segment: segmentOf(t, func(b *Builder) {
			for i := range 60 {
				d := Document{Text: in.text([]int{30, 600, 4000}[r.IntN(3)]), Title: in.word() + " " + in.word(), Language: "it"}
				add(t, b, fmt.Sprintf("%03d.txt", i), d)
			}
		})}
		p.Deleted = NewBits(p.Files())
		p.Deleted.Set(r.IntN(60))
		for i := range 40 {
			pair := in.word() + " " + in.word()
			q := Parse([]string{`"` + pair + `"`, `-"` + pair + `"`, "-" + in.word(), "title:" + in.word()}[i%4])
			asked := analyse([]Part{p}, q)
			s, err := newSearch(p, asked)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.conditions()
			if err != nil {
				t.Fatal(err)
			}
			want := NewBits(p.Documents())
			for d := range p.Documents() {
				if s.textMeets(t, d) {
					want.Set(d)
				}
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(Bits{})); diff != "" {
				t.Fatalf("seed %d, %+v (-texts +lists)\n%s", seed, q, diff)
			}
		}
	}
}

// textMeets reads a document's passages to see whether it meets the conditions.
func (s *search) textMeets(t *testing.T, d int) bool {
	t.Helper()
	a, err := s.About(d)
	if err != nil {
		t.Fatal(err)
	}
	has := func(f Field) bool {
		if f.Name == FieldTitle {
			return inRow(s.asked.forms(a.Title), s.asked.conditions[f])
		}
		for n := range a.through - a.first {
			p, err := s.passage(a, n)
			if err != nil {
				t.Fatal(err)
			}
			if inRow(s.asked.forms(p.Text), s.asked.conditions[f]) {
				return true
			}
		}
		return false
	}
	for _, p := range s.asked.Phrases {
		if !has(Field{FieldText, p}) {
			return false
		}
	}
	return !s.Deleted.Has(d) && !slices.ContainsFunc(s.asked.Without, has) && !slices.ContainsFunc(s.asked.Fields, func(f Field) bool { return !has(f) })
}

func inRow(text, words [][]string) bool {
	for i := 0; i+len(words) <= len(text); i++ {
		if slices.EqualFunc(text[i:i+len(words)], words, func(a, b []string) bool { return a[0] == b[0] }) {
			return true
		}
	}
	return false
}
