package reader

import (
	"math"
	"sort"
)

// alpha is what remains of 95 % confidence; all bounds are one-sided.
const alpha = 0.05

// boundOf returns the share of the unread items that are unsupported at most, with 95 % confidence, where failed of those that
// were drawn at random from all were unsupported. It is exact: the largest number of unsupported ones with which so few among
// them would not be rare (hypergeometric). The sample was drawn in stages, each after a failure in the stage before. Samples that
// ended earlier count as better than this one, so that the bound holds whenever the sample ends.
func boundOf(stages []int, failed, all int) float64 {
	left := all
	for _, size := range stages {
		left -= size
	}
	if left <= 0 || left == all {
		return float64(max(0, min(left, 1)))
	}
	most := sort.Search(left, func(n int) bool { return asGood(stages, failed, all, failed+n+1) <= alpha })
	return float64(most) / float64(left)
}

// asGood is the probability of a sample at least as good, where so many of all are unsupported: one that ends earlier or has no
// more failures.
func asGood(stages []int, failed, all, unsupported int) (sum float64) {
	reached := make([]float64, unsupported+1) // by failures so far: the probability that the sample goes on with them
	reached[0] = 1
	for i, size := range stages {
		next := make([]float64, unsupported+1)
		for before, p := range reached {
			marked := unsupported - before
			for j := max(0, size-all+marked); p > 0 && j <= min(size, marked); j++ {
				p := p * math.Exp(choose(marked, j)+choose(all-marked, size-j)-choose(all, size))
				next[before+j] += p
				if last := i == len(stages)-1; last && before+j <= failed || !last && j == 0 {
					sum += p
					next[before+j] -= p
				}
			}
		}
		reached, all = next, all-size
	}
	return sum
}

func choose(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }

func logFactorial(n int) float64 {
	out, _ := math.Lgamma(float64(n) + 1)
	return out
}

// Accuracy returns the share of right answers that a reader has at least, with 95 % confidence, who was right in good of n
// tests: planted errors and controls (Clopper and Pearson).
func Accuracy(good, n int) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		p, atLeast := (low+high)/2, 0.0
		for k := good; k <= n; k++ {
			atLeast += math.Exp(choose(n, k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		}
		if atLeast > alpha {
			high = p
		} else {
			low = p
		}
	}
	return low
}
