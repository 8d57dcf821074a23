//go:build race

package html

// slowdown divides the sizes of pages in tests: the race detector makes parsing some ten times slower, and
// the tests that need large pages have one goroutine.
const slowdown = 10
