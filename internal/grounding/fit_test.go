package grounding

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// fitCase is a claim with a human verdict: what the logistic function sees of it, and what vetoes take off.
type fitCase struct {
	set       string
	group     int // claims with the same words are never on both sides of a fold
	x         []float64
	veto      float64
	fixed     float64 // the support of a claim that stands verbatim in its text, else 0
	nothing   bool    // the text has none of the claim's words, or none at all
	supported bool
	weight    float64
}

// fitSets are the sets that each model learns from, and what one weighs against another. FEVER is built against
// wording, AttributionBench is four sets in one.
var fitSets = map[bool]map[string]float64{
	false: {"wice": 1, "attributionbench": 2, "factcheck-gpt": 1, "begin": 1, "fever-symmetric": 0.3},
	true:  {"chef-zh": 1},
}

func (f features) latin() []float64 {
	return []float64{f.window, f.present, f.phrases, f.words, f.letters, f.subject, f.degree, f.long}
}

func (f features) chinese() []float64 {
	return []float64{f.window, f.present, f.refuted, f.denied}
}

// TestFit fits the weights of score.go again and reports what they reach on claims that they were not fitted on:
// five folds, and each set left out as a whole. It changes nothing. CITELOOP_FIT=1 runs it.
func TestFit(t *testing.T) {
	if os.Getenv("CITELOOP_FIT") == "" {
		t.Skip("CITELOOP_FIT is not set")
	}
	for _, chinese := range []bool{false, true} {
		cases := fitCases(t, chinese)
		sets := setsOf(cases)
		t.Logf("fitted on all: %.2f (the constant last)", logistic(learnable(cases, func(fitCase) bool { return true })))
		const folds = 5
		byFold := make([]float64, len(cases))
		for fold := range folds {
			w := logistic(learnable(cases, func(c fitCase) bool { return c.group%folds != fold }))
			for i, c := range cases {
				if c.group%folds == fold {
					byFold[i] = c.predict(w)
				}
			}
		}
		reportFit(t, "five folds", cases, byFold, sets)
		if len(sets) == 1 {
			continue
		}
		leftOut := make([]float64, len(cases))
		for _, set := range sets {
			w := logistic(learnable(cases, func(c fitCase) bool { return c.set != set }))
			for i, c := range cases {
				if c.set == set {
					leftOut[i] = c.predict(w)
				}
			}
		}
		reportFit(t, "set left out", cases, leftOut, sets)
	}
}

func fitCases(t *testing.T, chinese bool) []fitCase {
	t.Helper()
	var out []fitCase
	groups := make(map[string]int)
	sets := make([]string, 0, len(fitSets[chinese]))
	for set := range fitSets[chinese] {
		sets = append(sets, set)
	}
	slices.Sort(sets)
	for _, set := range sets {
		claims, checker, _ := loadGold(t, set)
		for _, g := range claims {
			f := checker.assessTogether(readClaim(g.Claim, new(passages.Analyzer)), checker.cited(g.claim().Citations))
			c := fitCase{set: set, supported: g.Supported == 1, nothing: len(f.m.ranked) == 0}
			c.veto, _ = f.m.vetoes()
			switch {
			case f.verbatim != nil:
				c.fixed, c.veto = verbatimSupport, 0
			case f.m.restated():
				c.fixed = f.support
			}
			c.x = f.m.features().latin()
			if chinese {
				c.x = f.m.features().chinese()
			}
			if _, known := groups[g.Claim]; !known {
				groups[g.Claim] = len(groups)
			}
			c.group = groups[g.Claim]
			out = append(out, c)
		}
	}
	return out
}

func setsOf(cases []fitCase) []string {
	var sets []string
	for _, c := range cases {
		if !slices.Contains(sets, c.set) {
			sets = append(sets, c.set)
		}
	}
	return sets
}

// learnable picks the cases without a veto that neither stand verbatim in their text nor share nothing with it, and weighs every set, and
// within it both answers, as fitSets says.
func learnable(cases []fitCase, keep func(fitCase) bool) []fitCase {
	var out []fitCase
	counts := make(map[string]float64)
	key := func(c fitCase) string { return fmt.Sprint(c.set, c.supported) }
	for _, c := range cases {
		if keep(c) && c.veto == 0 && c.fixed == 0 && !c.nothing {
			out = append(out, c)
			counts[key(c)]++
		}
	}
	const perAnswer = 400 // claims that each answer of each set counts as, against the penalty of 1
	for i, c := range out {
		share := fitSets[false][c.set] + fitSets[true][c.set]
		out[i].weight = perAnswer * share / counts[key(c)]
	}
	return out
}

func (c fitCase) predict(w []float64) float64 {
	if c.fixed > 0 || c.nothing {
		return c.fixed
	}
	x := dot(w, c.x)
	if c.veto < 0 {
		x = min(x, closeWording) + c.veto
	}
	return 1 / (1 + math.Exp(-x))
}

// dot is the linear part: the last of w is the constant.
func dot(w, x []float64) float64 {
	sum := w[len(x)]
	for i, v := range x {
		sum += w[i] * v
	}
	return sum
}

// logistic fits by Newton's method with an L2 penalty of 1 on all but the constant.
func logistic(cases []fitCase) []float64 {
	n := len(cases[0].x)
	w := make([]float64, n+1)
	for range 20 {
		gradient := make([]float64, n+1)
		hessian := make([][]float64, n+1)
		for i := range hessian {
			hessian[i] = make([]float64, n+1)
			if i < n {
				hessian[i][i] = 1
				gradient[i] = -w[i]
			}
		}
		for _, c := range cases {
			p := 1 / (1 + math.Exp(-dot(w, c.x)))
			y := 0.0
			if c.supported {
				y = 1
			}
			x := append(slices.Clone(c.x), 1)
			for i := range x {
				gradient[i] += c.weight * (y - p) * x[i]
				for j := range x {
					hessian[i][j] += c.weight * p * (1 - p) * x[i] * x[j]
				}
			}
		}
		most := 0.0
		for i, d := range solve(hessian, gradient) {
			w[i] += d
			most = max(most, math.Abs(d))
		}
		if most < 1e-8 {
			break
		}
	}
	return w
}

// solve solves a x = b by elimination; a is symmetric and positive.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for j := i + 1; j < n; j++ {
			f := a[j][i] / a[i][i]
			for k := i; k < n; k++ {
				a[j][k] -= f * a[i][k]
			}
			b[j] -= f * b[i]
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = b[i]
		for k := i + 1; k < n; k++ {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}

func reportFit(t *testing.T, how string, cases []fitCase, support []float64, sets []string) {
	t.Helper()
	for _, set := range sets {
		var pairs []judged
		for i, c := range cases {
			if c.set == set {
				pairs = append(pairs, judged{support[i], support[i] >= groundedFrom && c.veto == 0, c.supported})
			}
		}
		t.Logf("%s: %-18s AUROC %.3f, balanced accuracy %.1f, calibration error %.3f", how, set, auroc(pairs), balancedAccuracy(pairs), calibrationError(pairs))
	}
}

// The fit finds the weights that made the answers.
func TestLogistic(t *testing.T) {
	var cases []fitCase
	want := []float64{2, -1, 0.5}
	for i := range 60 {
		for j := range 60 {
			x := []float64{float64(i)/10 - 3, float64(j)/10 - 3}
			p := 1 / (1 + math.Exp(-dot(want, x)))
			cases = append(cases, fitCase{x: x, supported: true, weight: 50 * p}, fitCase{x: x, weight: 50 * (1 - p)})
		}
	}
	got := logistic(cases)
	if slices.CompareFunc(got, want, func(a, b float64) int {
		if math.Abs(a-b) < 0.01 {
			return 0
		}
		return cmp.Compare(a, b)
	}) != 0 {
		t.Errorf("fitted %.3f, want %.3f", got, want)
	}
}
