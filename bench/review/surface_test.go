package main

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/loopstate"
)

// surface has the features of an item that do not require reading it.
type surface struct {
	source   string
	role     string
	words    []string
	features []float64

	wordPairs []string
	pairs     []float64 // features of neighbouring words, which also measure copying from the passage
}

// withPairs returns an item whose features include those of word pairs.
func (s surface) withPairs() surface {
	s.words, s.features = slices.Concat(s.words, s.wordPairs), slices.Concat(s.features, s.pairs)
	return s
}

// surfaces returns the items of several runs of batches. It omits claims in another language than their text: the language
// alone distinguishes them from everything made from the text.
func surfaces(t *testing.T, seeds ...string) (out []surface) {
	t.Helper()
	s, err := loadSet("../contrast")
	if err != nil {
		t.Fatal(err)
	}
	claims := s.byID()
	for _, seed := range seeds {
		k, err := prepareFrom(s, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range k.Batches {
			users, alike := sharing(b)
			for i, it := range b.Items {
				if it.Key != "" && claims[it.Key].Lang == "x" || it.Role == loopstate.ReviewSample || len(it.Passages) == 0 {
					continue
				}
				var shown []string
				for _, p := range s.passages(it) {
					shown = append(shown, p.Heading, p.Text)
				}
				one := surfaceOf(it.Passages[0].SourceID, it.Role, it.Claim, strings.Join(shown, "\n"))
				most, least := 0, len(b.Items)
				for _, p := range it.Passages {
					n := users[place(p)]
					most, least = max(most, n), min(least, n)
				}
				one.features = append(one.features, float64(len(it.Passages)), float64(utf8.RuneCountInString(strings.Join(shown, ""))),
					float64(users[place(it.Passages[0])]), float64(most), float64(least), alike[i])
				out = append(out, one)
			}
		}
	}
	return out
}

func place(p loopstate.ReviewWindow) loopstate.ReviewWindow {
	return loopstate.ReviewWindow{SourceID: p.SourceID, Start: p.Start, End: p.End}
}

// sharing counts the items of a batch that have a passage, and returns the largest share of an item's words that another
// item has.
func sharing(b batchKey) (users map[loopstate.ReviewWindow]int, alike []float64) {
	users, alike = map[loopstate.ReviewWindow]int{}, make([]float64, len(b.Items))
	words := make([][]string, len(b.Items))
	for i, it := range b.Items {
		words[i] = terms(it.Claim)
		for _, p := range it.Passages {
			users[place(p)]++
		}
	}
	for i := range words {
		for j := range words {
			both := 0
			for _, w := range words[i] {
				if i != j && slices.Contains(words[j], w) {
					both++
				}
			}
			alike[i] = max(alike[i], float64(both)/float64(max(1, len(words[i]))))
		}
	}
	return users, alike
}

func surfaceOf(source, role, claim, shown string) surface {
	words := terms(claim)
	inPassage := map[string]bool{}
	for _, w := range terms(shown) {
		inPassage[w] = true
	}
	pairs, shownPairs, run, longest := pairsOf(words), map[string]bool{}, 0, 0
	for _, pair := range pairsOf(terms(shown)) {
		shownPairs[pair] = true
	}
	pairsFound := 0
	for _, pair := range pairs {
		if run++; !shownPairs[pair] {
			run = 0
			continue
		}
		pairsFound++
		longest = max(longest, run)
	}
	out := surface{source: source, role: role, words: words, wordPairs: pairs}
	found, digits, marks := 0, 0, 0
	for _, w := range words {
		if inPassage[w] {
			found++
		}
	}
	for _, r := range claim {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsPunct(r):
			marks++
		}
	}
	chars := float64(utf8.RuneCountInString(claim))
	n := float64(max(1, len(words)))
	out.features = []float64{chars, float64(len(words)), float64(digits), float64(marks), float64(strings.Count(claim, ",")),
		float64(found) / n, chars / n}
	out.pairs = []float64{float64(pairsFound) / float64(max(1, len(pairs))), float64(longest) / n}
	return out
}

var featureNames = []string{"characters", "words", "digits", "punctuation", "commas", "overlap with the passages", "characters a word",
	"passages", "characters of the passages", "items with the first passage", "items with its most shared passage",
	"items with its least shared passage", "words that another item has",
	"overlap of word pairs", "longest run of words in the passages"} // the last two of word pairs

func terms(text string) (out []string) {
	passages.NewAnalyzer("").Tokens(text, func(t passages.Token) { out = append(out, t.Term) })
	return out
}

// pairsOf returns the pairs of neighbouring words.
func pairsOf(words []string) (out []string) {
	for i := 1; i < len(words); i++ {
		out = append(out, words[i-1]+" "+words[i])
	}
	return out
}

// auroc returns the probability that a positive scores higher than a negative.
func auroc(scores []float64, positive []bool) float64 {
	wins, pairs := 0.0, 0.0
	for i, a := range scores {
		for j, b := range scores {
			if positive[i] && !positive[j] {
				pairs++
				switch {
				case a > b:
					wins++
				case a == b:
					wins += 0.5
				}
			}
		}
	}
	return wins / max(1, pairs)
}

// crossValidated scores each item by a logistic regression on the surface features and the frequencies of words and
// word pairs (naive Bayes), trained on items of other texts: a reader of a batch does not know the roles of items of
// the same text.
func crossValidated(items []surface, positive []bool) []float64 {
	var sources []string
	for _, it := range items {
		if !slices.Contains(sources, it.source) {
			sources = append(sources, it.source)
		}
	}
	const folds = 5
	scores := make([]float64, len(items))
	fold := func(i int) int { return slices.Index(sources, items[i].source) % folds }
	for f := range folds {
		counts := [2]map[string]float64{{}, {}}
		total := [2]float64{}
		side := func(i int) int {
			if positive[i] {
				return 1
			}
			return 0
		}
		for i, it := range items {
			if fold(i) != f {
				for _, w := range it.words {
					counts[side(i)][w]++
					total[side(i)]++
				}
			}
		}
		vector := func(it surface) []float64 {
			odds := 0.0
			for _, w := range it.words {
				odds += math.Log((counts[1][w]+1)/(total[1]+2000)) - math.Log((counts[0][w]+1)/(total[0]+2000))
			}
			return append(slices.Clone(it.features), odds/float64(max(1, len(it.words))))
		}
		var xs [][]float64
		var ys []float64
		var held []int
		for i, it := range items {
			if fold(i) == f {
				held = append(held, i)
				continue
			}
			xs, ys = append(xs, vector(it)), append(ys, float64(side(i)))
		}
		predict := logistic(xs, ys)
		for _, i := range held {
			scores[i] = predict(vector(items[i]))
		}
	}
	return scores
}

// logistic fits a logistic regression on standardised features.
func logistic(xs [][]float64, ys []float64) func([]float64) float64 {
	n := len(xs[0])
	mean, scale := make([]float64, n), make([]float64, n)
	for j := range n {
		for _, x := range xs {
			mean[j] += x[j] / float64(len(xs))
		}
		for _, x := range xs {
			scale[j] += (x[j] - mean[j]) * (x[j] - mean[j]) / float64(len(xs))
		}
		scale[j] = max(math.Sqrt(scale[j]), 1e-9)
	}
	weights, bias := make([]float64, n), 0.0
	predict := func(x []float64) float64 {
		z := bias
		for j := range n {
			z += weights[j] * (x[j] - mean[j]) / scale[j]
		}
		return 1 / (1 + math.Exp(-z))
	}
	for range 400 {
		step, stepBias := make([]float64, n), 0.0
		for i, x := range xs {
			miss := ys[i] - predict(x)
			stepBias += miss
			for j := range n {
				step[j] += miss * (x[j] - mean[j]) / scale[j]
			}
		}
		bias += 0.3 * stepBias / float64(len(xs))
		for j := range n {
			weights[j] += 0.3 * (step[j]/float64(len(xs)) - 0.001*weights[j])
		}
	}
	return predict
}

// At least half of the controls paraphrase their source.
func TestControlsAreReworded(t *testing.T) {
	s, k := contrast(t)
	n, verbatim := 0, 0
	for _, b := range k.Batches {
		for _, it := range b.Items {
			if it.Role != loopstate.ReviewControl {
				continue
			}
			n++
			for _, p := range s.passages(it) {
				if strings.Contains(p.Text, strings.TrimRight(it.Claim, ".。")) {
					verbatim++
					break
				}
			}
		}
	}
	t.Logf("%d of %d controls are verbatim", verbatim, n)
	if n == 0 || 2*verbatim > n {
		t.Errorf("%d of %d controls are verbatim, want half at most", verbatim, n)
	}
}

// No planted error or control is in two batches.
func TestBatchesHaveDistinctItems(t *testing.T) {
	_, k := contrast(t)
	in := map[string]string{}
	for _, b := range k.Batches {
		for _, it := range b.Items {
			if it.Key != "" {
				continue
			}
			if before, ok := in[it.Claim]; ok {
				t.Errorf("%s and %s have the same: %s", before, it.Item, it.Claim)
			}
			in[it.Claim] = it.Item
		}
	}
}

// An item has at most three passages and 2,500 characters. A reviewed claim costs its reader at most 1,100 characters,
// including JSON and its share of the other items of its batch. The texts of this set are short, so that items share
// many passages.
func TestCosts(t *testing.T) {
	s, k := contrast(t)
	chars, alone, pending := 0, 0, 0
	for _, b := range k.Batches {
		sheet, err := json.Marshal(b.sheet(s))
		if err != nil {
			t.Fatal(err)
		}
		chars += utf8.RuneCount(sheet)
		for _, it := range b.Items {
			own := utf8.RuneCountInString(it.Claim)
			for _, p := range s.passages(it) {
				own += utf8.RuneCountInString(p.Heading) + utf8.RuneCountInString(p.Text)
			}
			if len(it.Passages) == 0 || len(it.Passages) > 3 || own > 2500 {
				t.Errorf("%s has %d passages and %d characters", it.Item, len(it.Passages), own)
			}
			alone += own
			if it.Role == loopstate.ReviewPending {
				pending++
			}
		}
	}
	t.Logf("%d characters a pending claim; %d if no item shared passages", chars/pending, alone/pending)
	if chars/pending > 1100 {
		t.Errorf("a pending claim costs %d characters, want 1,100 at most", chars/pending)
	}
}

// No surface feature, including word pairs, distinguishes planted errors, controls and claims. So a reader must read
// all items to pass the referee.
func TestSurfaceDoesNotRevealRoles(t *testing.T) {
	items := surfaces(t, "a", "b", "c")
	for _, row := range []struct {
		name               string
		positive, negative string
	}{
		{"planted errors from controls", loopstate.ReviewPlanted, loopstate.ReviewControl},
		{"planted errors from claims", loopstate.ReviewPlanted, loopstate.ReviewPending},
		{"controls from claims", loopstate.ReviewControl, loopstate.ReviewPending},
	} {
		t.Run(row.name, func(t *testing.T) {
			var some, paired []surface
			var positive []bool
			for _, it := range items {
				if it.role == row.positive || it.role == row.negative {
					some, paired, positive = append(some, it), append(paired, it.withPairs()), append(positive, it.role == row.positive)
				}
			}
			for j, name := range featureNames {
				scores := make([]float64, len(paired))
				for i, it := range paired {
					scores[i] = it.features[j]
				}
				got := auroc(scores, positive)
				t.Logf("%s: AUROC %.2f", name, got)
				if max(got, 1-got) > 0.65 {
					t.Errorf("%s: AUROC %.2f", name, got)
				}
			}
			single, both := auroc(crossValidated(some, positive), positive), auroc(crossValidated(paired, positive), positive)
			t.Logf("all features: AUROC %.2f; with word pairs %.2f", single, both)
			if single > 0.65 || both > 0.65 {
				t.Error("a classifier of surface features tells the items apart")
			}
		})
	}
}
