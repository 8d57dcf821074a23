package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/seeded"
	"github.com/citeloop/citeloop/loopstate"
)

// shelf returns candidates that each cite a block of their own, and the blocks.
func shelf(n int) (candidates []loopstate.ReviewCandidate, texts blocks) {
	subjects := []string{"harbour", "granary", "lighthouse", "tannery", "observatory", "brewery", "foundry", "vineyard"}
	verbs := []string{"stored barrels", "housed weavers", "trained pilots", "sold leather", "mapped comets", "brewed ales", "cast bells",
		"pressed grapes"}
	for i := range n {
		text := fmt.Sprintf("The %s of ward %c employed %d workers and %s before the storm.", subjects[i%8], 'A'+i, 120+17*i, verbs[i%8])
		p := Passage{SourceID: fmt.Sprintf("S%d", i%3+1), Lines: fmt.Sprint(i + 1), Start: 200 * i, End: 200*i + len(text), Text: text}
		texts = append(texts, p)
		said := fmt.Sprintf("In all, %d people worked at the %s.", 120+17*i, subjects[i%8])
		candidates = append(candidates, loopstate.ReviewCandidate{Key: fmt.Sprint("k", i), Claim: said, Passages: []Passage{p}})
	}
	return candidates, texts
}

// blocks are the texts of all sources.
type blocks []Passage

func (all blocks) Window(w loopstate.ReviewWindow) Passage { return w }

func (all blocks) Blocks(id string) []Passage {
	return slices.DeleteFunc(slices.Clone(all), func(p Passage) bool { return p.SourceID != id })
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
		candidates, texts := shelf(tt.claims)
		items, err := Batch{pending: candidates, known: tt.known, most: 40}.Items("seed", texts)
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
					!vocabularyOf(it.Claim).strangeTo((&tests{termsOf: map[string]map[string]bool{}}).terms(it.Passages)) {
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
	waits := loopstate.ReviewCandidate{Key: "k", Claim: "It is so indeed.", Passages: []Passage{p}}
	items, err := Batch{pending: []loopstate.ReviewCandidate{waits}, most: 40}.Items("s", blocks{p})
	if err != nil || len(items) != 1 || items[0].Role != RolePending {
		t.Errorf("%+v", items)
	}
	if _, err := (Batch{supported: []loopstate.ReviewCandidate{waits}, most: 40}).Items("s", nil); !loopstate.Has(err,
		loopstate.CodeNothingToRead) {
		t.Errorf("%v", err)
	}
}

// What a reader has seen is not made again, and the seed alone decides.
func TestPrepareRepeatsNothing(t *testing.T) {
	t.Parallel()
	candidates, texts := shelf(12)
	batch := Batch{pending: candidates, most: 40}
	made := func(seed string) []loopstate.ReviewItem {
		items, err := batch.Items(seed, texts)
		if err != nil {
			t.Fatal(err)
		}
		return items
	}
	first, again := made("a"), made("a")
	if fmt.Sprint(first) != fmt.Sprint(again) {
		t.Error("the same seed makes another batch")
	}
	for _, it := range first {
		if it.Role != RolePending {
			batch.earlier = append(batch.earlier, it.Claim, it.Base)
		}
	}
	for _, it := range made("b") {
		if it.Role == RoleControl && slices.Contains(batch.earlier, it.Claim) || it.Kind == kindNumber &&
			slices.Contains(batch.earlier, it.Claim) {
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
		_, ok := tests.changed(loopstate.ReviewCandidate{Claim: tt.claim, Passages: []Passage{{Text: tt.text}}})
		if ok != tt.changed {
			t.Errorf("%q: changed %v", tt.claim, ok)
		}
	}
}

func newRandom() *seeded.Random { return seeded.New("seed") }
