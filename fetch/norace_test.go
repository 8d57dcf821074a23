//go:build !race

package fetch

const slowdown = 1
