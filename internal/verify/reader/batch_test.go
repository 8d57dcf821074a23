package reader

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/seeded"
)

// shelf returns candidates that each cite a block of their own, and the blocks.
func shelf(n int) (candidates []Candidate, blocks func(string) []Passage) {
	subjects := []string{"harbour", "granary", "lighthouse", "tannery", "observatory", "brewery", "foundry", "vineyard"}
	verbs := []string{"stored barrels", "housed weavers", "trained pilots", "sold leather", "mapped comets", "brewed ales", "cast bells",
		"pressed grapes"}
	var all []Passage
	for i := range n {
		text := fmt.Sprintf("The %s of ward %c employed %d workers and %s before the storm.", subjects[i%8], 'A'+i, 120+17*i, verbs[i%8])
		p := Passage{SourceID: fmt.Sprintf("S%d", i%3+1), Lines: fmt.Sprint(i + 1), Start: 200 * i, End: 200*i + len(text), Text: text}
		all = append(all, p)
		candidates = append(candidates, Candidate{Key: fmt.Sprint("k", i), Claim: fmt.Sprintf("In all, %d people worked at the %s.",
			120+17*i, subjects[i%8]), Passages: []Passage{p}})
	}
	return candidates, func(id string) []Passage {
		return slices.DeleteFunc(slices.Clone(all), func(p Passage) bool { return p.SourceID != id })
	}
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		claims, pending int
		known           bool
		tests           int // of each kind
	}{
		{6, 6, false, 3}, {20, 20, false, 4}, {60, 30, false, 5}, {6, 6, true, 1},
	} {
		candidates, blocks := shelf(tt.claims)
		items, err := Prepare(Request{Seed: "seed", Candidates: candidates, Blocks: blocks, Known: tt.known, Most: 40})
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, it := range items {
			count[it.Role]++
			text := textOf(it.Passages)
			switch it.Role {
			case RolePlanted:
				if it.Kind == kindNumber && (it.Claim == it.Base || !digitsMissing(it.Claim, text)) || it.Kind == kindMoved &&
					!strange(it.Claim, text) {
					t.Errorf("a true test item for a false one: %q beside %q", it.Claim, text)
				}
			case RoleControl:
				if !strings.Contains(text, it.Claim) {
					t.Errorf("%q is not in %q", it.Claim, text)
				}
			}
		}
		if count[RolePending] != tt.pending || count[RolePlanted] != tt.tests || count[RoleControl] != tt.tests {
			t.Errorf("%d claims, known %v: %v", tt.claims, tt.known, count)
		}
	}
}

// digitsMissing reports whether a text lacks a number of a sentence.
func digitsMissing(sentence, text string) bool {
	return slices.ContainsFunc(figure.FindAllString(sentence, -1), func(n string) bool { return !strings.Contains(text, n) })
}

// A review is never refused: short texts have fewer test items, down to none.
func TestPrepareOfShortTexts(t *testing.T) {
	t.Parallel()
	p := Passage{SourceID: "S1", Lines: "1", End: 12, Text: "It is so."}
	items, err := Prepare(Request{Seed: "s", Candidates: []Candidate{{Key: "k", Claim: "It is so indeed.", Passages: []Passage{p}}},
		Blocks: func(string) []Passage { return []Passage{p} }, Most: 40})
	if err != nil || len(items) != 1 || items[0].Role != RolePending {
		t.Errorf("%v, %+v", err, items)
	}
	if _, err := Prepare(Request{Candidates: []Candidate{{Supported: true}}}); !errors.Is(err, ErrNothingToRead) {
		t.Errorf("%v", err)
	}
}

// What a reader has seen is not made again, and the seed alone decides.
func TestPrepareRepeatsNothing(t *testing.T) {
	t.Parallel()
	candidates, blocks := shelf(12)
	request := Request{Seed: "a", Candidates: candidates, Blocks: blocks, Most: 40}
	first, _ := Prepare(request)
	again, _ := Prepare(request)
	if fmt.Sprint(first) != fmt.Sprint(again) {
		t.Error("the same seed makes another batch")
	}
	for _, it := range first {
		if it.Role != RolePending {
			request.Earlier = append(request.Earlier, it.Claim, it.Base)
		}
	}
	request.Seed = "b"
	second, _ := Prepare(request)
	for _, it := range second {
		if it.Role == RoleControl && slices.Contains(request.Earlier, it.Claim) || it.Kind == kindNumber &&
			slices.Contains(request.Earlier, it.Claim) {
			t.Errorf("made again: %q", it.Claim)
		}
	}
}

func TestBoundsAndRangesStay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		claim, text string
		changed     bool
	}{
		{"The mill ground 400 sacks a day.", "The mill ground 400 sacks a day.", true},
		{"The mill ground at least 400 sacks a day.", "The mill ground at least 400 sacks a day.", false},
		{"The mill ground 400 sacks a day.", "The mill ground many sacks a day.", false},
		{"The mill ground 400 to 500 sacks a day.", "The mill ground 400 to 500 sacks a day.", false},
	} {
		tests := tests{Random: nil}
		tests.Random = newRandom()
		_, ok := tests.changed(Candidate{Claim: tt.claim, Passages: []Passage{{Text: tt.text}}})
		if ok != tt.changed {
			t.Errorf("%q: changed %v", tt.claim, ok)
		}
	}
}

func newRandom() *seeded.Random { return seeded.New("seed") }
