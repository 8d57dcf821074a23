package reader

import "math"

// Accuracy returns the share of right answers that a reader has at least, with 95 % confidence, who was right in good of n
// tests, planted errors and controls (the lower bound of Wilson's interval).
func Accuracy(good, n int) float64 {
	const z = 1.645 // one-sided
	share, tests := float64(good)/float64(n), float64(n)
	spread := z * math.Sqrt(share*(1-share)/tests+z*z/(4*tests*tests))
	return max(0, (share+z*z/(2*tests)-spread)/(1+z*z/tests))
}
