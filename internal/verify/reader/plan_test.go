package reader

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-3 }

// Known values: with no failure among n of a population without end the bound is 1 - .05^(1/n); the other rows were
// counted by hand from the definition.
func TestBound(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		n, failed, all int
		want           float64
	}{
		{42, 0, 154, 9.0 / 112},
		{30, 2, 100, 15.0 / 70},
		{20, 0, 20, 0},
		{0, 0, 20, 1},
		{1, 0, 2, 1},
		{9, 0, 10, 1},   // one in ten is missed by one of ten samples
		{20, 20, 40, 1}, // all failed
		{59, 0, 100_000, 1 - math.Pow(0.05, 1.0/59)},
	} {
		if got := boundOf([]int{row.n}, row.failed, row.all); math.Abs(got-row.want) > 2e-3 {
			t.Errorf("boundOf(%d, %d, %d) = %f, want %f", row.n, row.failed, row.all, got, row.want)
		}
	}
}

// Whatever number of claims is unsupported, the bound of a sample that grows by its failures is too low once in twenty times at most.
func TestBoundHolds(t *testing.T) {
	t.Parallel()
	const all = 150
	bounds := map[string]float64{}
	for unsupported := range all {
		wrong := 0.0
		var draw func(stages []int, failed int, p float64)
		draw = func(stages []int, failed int, p float64) {
			read := 0
			for _, n := range stages {
				read += n
			}
			size := min(max(read, firstSample), all-read)
			if size == 0 || p < 1e-6 {
				return
			}
			with := append(slices.Clone(stages), size)
			for j := range min(size, unsupported-failed) + 1 {
				if size-j > all-read-(unsupported-failed) {
					continue
				}
				q := p * math.Exp(choose(unsupported-failed, j)+choose(all-read-unsupported+failed, size-j)-choose(all-read, size))
				if j > 0 {
					draw(with, failed+j, q)
					continue
				}
				key := fmt.Sprint(with, failed)
				if _, ok := bounds[key]; !ok {
					bounds[key] = boundOf(with, failed, all)
				}
				if left := all - read - size; left > 0 && float64(unsupported-failed) > bounds[key]*float64(left)+1e-9 {
					wrong += q
				}
			}
		}
		draw(nil, 0, 1)
		if wrong > alpha+1e-6 {
			t.Errorf("%d of %d unsupported: the bound is too low with probability %.4f", unsupported, all, wrong)
		}
	}
}

// Values of Clopper and Pearson: with all right, .05^(1/n).
func TestAccuracy(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		good, n int
		want    float64
	}{{14, 14, math.Pow(0.05, 1.0/14)}, {0, 14, 0}, {0, 0, 0}, {9, 10, 0.6058}, {5, 10, 0.2224}, {1, 1, 0.05}} {
		if got := Accuracy(row.good, row.n); !near(got, row.want) {
			t.Errorf("Accuracy(%d, %d) = %f, want %f", row.good, row.n, got, row.want)
		}
	}
}

func planItems(n, front int) (out []PlanItem) {
	for i := range n {
		out = append(out, PlanItem{Key: fmt.Sprint("k", i), Front: i < front})
	}
	return out
}

func TestPlan(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		n, front      int
		all           bool
		next, sampled int
	}{{0, 0, false, 0, 0}, {40, 0, false, 40, 0}, {41, 0, false, 20, 20}, {174, 0, false, 20, 20}, {174, 22, false, 42, 20}, {174, 5, true, 174, 0}, {50, 45, false, 50, 5}} {
		p := NewPlan("a", planItems(row.n, row.front), nil, row.all)
		if len(p.Next) != row.next || p.Sampled != row.sampled || p.Unread != row.n || row.n > 0 && p.AtMost != 1 {
			t.Errorf("%+v: %d next, %d sampled, %d unread, at most %f", row, len(p.Next), p.Sampled, p.Unread, p.AtMost)
		}
	}
}

// A failure doubles the sample, until one part of it has none; what was drawn stays drawn.
func TestPlanDoubles(t *testing.T) {
	t.Parallel()
	items, read := planItems(174, 10), map[string]string{}
	answerAll := func(failures int) Plan {
		for i, key := range NewPlan("a", items, read, false).Next {
			read[key] = Supported
			if i < failures && !slices.Contains(items[:10], PlanItem{key, true}) {
				read[key] = "partly"
			}
		}
		return NewPlan("a", items, read, false)
	}
	if p := answerAll(11); len(p.Next) != 20 || p.Sampled != 40 || p.Failed != 1 || p.AtMost != 1 {
		t.Errorf("after a failure: %d next, %d sampled, %d failed", len(p.Next), p.Sampled, p.Failed)
	}
	p := answerAll(0)
	if len(p.Next) != 0 || p.Unread != 124 || p.AtMost < boundOf([]int{40}, 1, 164) || p.AtMost > 0.2 {
		t.Errorf("after a clean part: %d next, %d unread, at most %f", len(p.Next), p.Unread, p.AtMost)
	}
	if less := NewPlan("a", items[:173], read, false).Next; len(less) > 1 {
		t.Errorf("without one of the claims %d others are drawn", len(less))
	}
	read = map[string]string{}
	for range 5 {
		p = answerAll(174)
	}
	if p.Sampled != 164 || p.Unread != 0 || p.AtMost != 0 {
		t.Errorf("all failed: %d sampled, %d unread, at most %f", p.Sampled, p.Unread, p.AtMost)
	}
}
