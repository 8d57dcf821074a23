//go:build !race

package html

const slowdown = 1
