package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/google/go-cmp/cmp"
)

// plain ranks by reading every posting of every list and checks the conditions of every document. A search that skips
// postings must return identical results, to the last bit of the scores.
func plain(t *testing.T, parts []Part, q Query, limit int) []ranked {
	t.Helper()
	asked := analyse(parts, q)
	scorers := make([]*scorer, len(parts))
	for i, p := range parts {
		var err error
		if scorers[i], err = newScorer(p, asked); err != nil {
			t.Fatal(err)
		}
	}
	asked.weigh(scorers)
	var all []place
	for i, s := range scorers {
		if err := s.titleScores(); err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, s.sum.passages)
		found := make([]bool, s.sum.passages)
		order := slices.Clone(s.lists)
		slices.SortStableFunc(order, func(a, b *rankedList) int {
			switch x, y := asked.idf[a.word], asked.idf[b.word]; {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return a.word - b.word
		})
		for _, l := range order {
			for l.next() {
				scores[l.id] += passage.Gain(asked.idf[l.word], float64(l.times), asked.norm(s.length(l.id)))
				found[l.id] = true
			}
		}
		var of []place
		for d := range s.sum.documents {
			if !s.plainlyMeets(t, d) {
				continue
			}
			best := ranked{document: d, passage: -1}
			if s.bonus != nil {
				best.score = s.bonus[d]
			}
			for p := s.firstOf[d]; p < s.firstOf[d+1]; p++ {
				score := scores[p]
				if s.bonus != nil {
					score += s.bonus[d]
				}
				if found[p] && (best.passage < 0 || score > best.score) {
					best.passage, best.score = int(p), score
				}
			}
			if best.score > 0 || len(asked.words) == 0 {
				of = append(of, place{i, best})
			}
		}
		slices.SortFunc(of, func(a, b place) int { return better(a.ranked, b.ranked) })
		all = append(all, of[:min(limit, len(of))]...)
	}
	slices.SortStableFunc(all, func(a, b place) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	var out []ranked
	for i, p := range all {
		if i < limit || p.score == all[limit-1].score {
			p.document += p.part * 1_000_000
			out = append(out, p.ranked)
		}
	}
	return out
}

// plainlyMeets reads a document's passages to see whether it meets the conditions.
func (s *scorer) plainlyMeets(t *testing.T, d int) bool {
	t.Helper()
	if s.Deleted.Has(int(s.fileOf[d])) {
		return false
	}
	a, err := s.about(d)
	if err != nil {
		t.Fatal(err)
	}
	has := func(f Field) bool {
		if f.Name == FieldTitle {
			return hasAll(s.asked.forms(a.Title), s.asked.conditions[f])
		}
		for n := range a.through - a.first {
			p, err := s.passage(a, n)
			if err != nil {
				t.Fatal(err)
			}
			if hasInRow(s.asked.forms(p.Text), s.asked.conditions[f]) {
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
	return !slices.ContainsFunc(s.asked.Without, has) && !slices.ContainsFunc(s.asked.Fields, func(f Field) bool { return !has(f) })
}

func hasAll(text, words [][]string) bool {
	for _, w := range words {
		if !slices.ContainsFunc(text, func(have []string) bool { return have[0] == w[0] }) {
			return false
		}
	}
	return len(words) > 0
}

func hasInRow(text, words [][]string) bool {
	for i := 0; len(words) > 0 && i+len(words) <= len(text); i++ {
		if slices.EqualFunc(text[i:i+len(words)], words, func(a, b []string) bool { return a[0] == b[0] }) {
			return true
		}
	}
	return false
}

// pruned returns the results of a search before its hits are read, in the form of plain.
func pruned(t *testing.T, parts []Part, q Query, limit int) []ranked {
	t.Helper()
	var out []ranked
	all, _, errs := best(parts, q, limit)
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range all {
		if i < limit || p.score == all[limit-1].score {
			p.document += p.part * 1_000_000
			out = append(out, p.ranked)
		}
	}
	return out
}

// Skipping never changes the answer, for random queries over random folders. The folders have equal documents, titles
// of common words, long and short texts and deleted files, and several divisions into segments.
func TestPruningKeepsTheResults(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 3
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 8))
		in := newInvented(seed, []int{5, 40, 400}[seed%3])
		var parts []Part
		var last string
		for range 1 + r.IntN(4) {
			files := 1 + r.IntN(80)
			s := segmentOf(t, func(b *Builder) {
				for i := range files {
					d := Document{Text: in.text([]int{30, 600, 4000, 15_000}[r.IntN(4)]), Language: "it"}
					if r.IntN(4) == 0 && last != "" {
						d.Text = last // equal documents
					}
					if last = d.Text; r.IntN(2) == 0 {
						d.Title = in.word() + " " + in.word()
					}
					add(t, b, fmt.Sprintf("%03d.txt", i), d)
				}
			})
			p := Part{Segment: s}
			if r.IntN(2) == 0 {
				p.Deleted = NewBits(s.Files())
				for range r.IntN(s.Files()) {
					p.Deleted.Set(r.IntN(s.Files()))
				}
			}
			parts = append(parts, p)
		}
		for range 15 {
			var words []string
			for range 1 + r.IntN(7) {
				words = append(words, in.word())
			}
			text := strings.Join(words, " ")
			switch r.IntN(6) {
			case 0:
				text += ` "` + in.word() + " " + in.word() + `"`
			case 1:
				text += " -" + in.word()
			case 2:
				text += ` -"` + in.word() + " " + in.word() + `"`
			case 3:
				text = `"` + in.word() + " " + in.word() + `"`
			case 4:
				text += " title:" + in.word()
			}
			for _, limit := range []int{1, 3, 10, 500} {
				q := Parse(text)
				if diff := cmp.Diff(plain(t, parts, q, limit), pruned(t, parts, q, limit), cmp.AllowUnexported(ranked{})); diff != "" {
					t.Fatalf("seed %d, %q, %d (-plain +pruned)\n%s", seed, text, limit, diff)
				}
			}
		}
	}
}

// Lists are read and searched as they were written, at the sizes where blocks begin and end and at all widths.
func TestPostingListsRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, count := range []int{1, 2, 127, 128, 129, 255, 256, 257, 1000} {
		for _, gap := range []int{1, 2, 200, 1 << 16} {
			var b listBuilder
			var ids, times []uint32
			var places [][]uint32
			id := uint32(r.IntN(gap))
			for range count {
				var at []uint32
				place := uint32(0)
				for range 1 + r.IntN(1+r.IntN(40)) {
					at = append(at, place)
					b.occurs(place)
					place += 1 + uint32(r.IntN(300))
				}
				b.close(id, nil)
				ids, times, places = append(ids, id), append(times, uint32(len(at))), append(places, at)
				id += 1 + uint32(r.IntN(gap))
			}
			table, postings, positions := b.parts(nil)
			open := func() *postingList {
				padded := append(slices.Clone(postings), make([]byte, padBytes)...)
				l, ok := newPostingList(table, padded[:len(postings)], count, id+1)
				if !ok {
					t.Fatalf("%d postings: not opened", count)
				}
				l.loadPos = func() ([]byte, error) { return positions, nil }
				return l
			}
			l := open()
			for i := range ids {
				if !l.next() || l.id != ids[i] || l.times != times[i] {
					t.Fatalf("%d postings, gap %d: the %d. is %d, %d times, want %d, %d", count, gap, i, l.id, l.times, ids[i], times[i])
				}
				if i%3 == 0 {
					got, err := l.places()
					if diff := cmp.Diff(places[i], got); diff != "" || err != nil {
						t.Fatalf("%d postings, the places of the %d.: %v (-want +got)\n%s", count, i, err, diff)
					}
				}
			}
			if l.next() || !l.ended || l.broken {
				t.Fatalf("%d postings: one more", count)
			}
			for l, at := open(), uint32(0); ; at += uint32(1 + r.IntN(3*gap)) {
				i, _ := slices.BinarySearch(ids, at)
				if got := l.seek(at); got != (i < len(ids)) {
					t.Fatalf("%d postings, seek %d: %v", count, at, got)
				}
				if i == len(ids) {
					break
				}
				if l.id != ids[i] {
					t.Fatalf("%d postings, seek %d: %d, want %d", count, at, l.id, ids[i])
				}
				at = l.id
			}
		}
	}
}
