package html

import (
	_ "embed" // forest.txt
	"strconv"
	"strings"
	"sync"
)

//go:embed forest.txt
var forestText string

// forest has the trees that choose the blocks of a page. forest_test.go trains them and writes forest.txt.
type forest struct {
	bias  float32
	roots []int // indexes of the trees' roots in nodes
	nodes []treeNode
}

// treeNode is a split on one feature, or a leaf. The children of a split are adjacent: the first is for values up to its
// value, the second for larger ones.
type treeNode struct {
	feature int16 // -1 for a leaf
	next    uint16
	value   float32
}

// trained returns the forest of forest.txt, which a test checks.
var trained = sync.OnceValue(func() *forest {
	f := &forest{}
	number := func(s string) float64 { n, _ := strconv.ParseFloat(s, 32); return n }
	for line := range strings.Lines(forestText) {
		numbers := strings.Fields(line)
		switch {
		case numbers[0] == "#":
		case len(numbers) == 1:
			f.bias = float32(number(numbers[0]))
		default:
			f.roots = append(f.roots, len(f.nodes))
			for i := 0; i+2 < len(numbers); i += 3 {
				f.nodes = append(f.nodes, treeNode{int16(number(numbers[i])), uint16(number(numbers[i+1])), float32(number(numbers[i+2]))})
			}
		}
	}
	return f
})
