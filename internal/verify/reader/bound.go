package reader

import (
	"math"
)

// alpha is what remains of 95 % confidence; all bounds are one-sided.
const alpha = 0.05

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

func choose(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }

func logFactorial(n int) float64 {
	out, _ := math.Lgamma(float64(n) + 1)
	return out
}
