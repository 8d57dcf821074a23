//go:build !race

package pdf

const slowdown = 1
