package html

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// boosting trains a forest: trees of a few leaves, each of which corrects the ones before.
type boosting struct {
	trees, leaves         int
	rate, lambda, minHess float64
	rows, features        float64 // shares that each tree sees
	seed                  uint64
}

// forestModel is a forest during training.
type forestModel struct {
	bias  float64
	trees [][]treeNode
}

func (g *forestModel) chance(row []float32) float32 {
	sum := g.bias
	for _, t := range g.trees {
		sum += float64(answer(t, row))
	}
	return float32(sigmoid(sum))
}

func answer(tree []treeNode, row []float32) float32 {
	n := &tree[0]
	for n.feature >= 0 {
		next := n.next
		if row[n.feature] > n.value {
			next++
		}
		n = &tree[next]
	}
	return n.value
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

const bins = 64

type leaf struct {
	rows    []int32
	node    int
	g, h    float64
	gain    float64
	feature int
	bin     int
}

// train fits a forest to targets in [0,1] under weights, by the second-order expansion of the logistic loss
// over binned features.
func (p boosting) train(rows [][]float32, target, weight []float32) *forestModel {
	n, width := len(rows), len(rows[0])
	rng := rand.New(rand.NewPCG(p.seed, 1))
	cuts, binned := binFeatures(rows)
	var sum, total float64
	for i := range n {
		sum += float64(target[i]) * float64(weight[i])
		total += float64(weight[i])
	}
	out := &forestModel{bias: math.Log(sum / (total - sum))}
	score := make([]float64, n)
	for i := range score {
		score[i] = out.bias
	}
	g, h := make([]float64, n), make([]float64, n)
	for range p.trees {
		for i := range n {
			c := sigmoid(score[i])
			g[i] = float64(weight[i]) * (c - float64(target[i]))
			h[i] = float64(weight[i]) * max(c*(1-c), 1e-6)
		}
		var features []int
		for f := range width {
			if len(cuts[f]) > 0 && rng.Float64() < p.features {
				features = append(features, f)
			}
		}
		root := &leaf{}
		for i := range n {
			if rng.Float64() < p.rows {
				root.rows = append(root.rows, int32(i))
				root.g += g[i]
				root.h += h[i]
			}
		}
		tree := []treeNode{{feature: -1}}
		p.find(root, features, cuts, binned, g, h)
		leaves := []*leaf{root}
		for len(leaves) < p.leaves {
			best := slices.MaxFunc(leaves, func(a, b *leaf) int { return cmp.Compare(a.gain, b.gain) })
			if best.feature < 0 || best.gain <= 0 {
				break
			}
			low, high := &leaf{node: len(tree)}, &leaf{node: len(tree) + 1}
			for _, r := range best.rows {
				to := high
				if int(binned[best.feature][r]) <= best.bin {
					to = low
				}
				to.rows = append(to.rows, r)
				to.g += g[r]
				to.h += h[r]
			}
			tree[best.node] = treeNode{feature: int16(best.feature), next: uint16(low.node), value: cuts[best.feature][best.bin]}
			tree = append(tree, treeNode{feature: -1}, treeNode{feature: -1})
			p.find(low, features, cuts, binned, g, h)
			p.find(high, features, cuts, binned, g, h)
			*best = *low
			leaves = append(leaves, high)
		}
		for _, l := range leaves {
			tree[l.node].value = float32(-p.rate * l.g / (l.h + p.lambda))
		}
		for i := range n {
			score[i] += float64(answer(tree, rows[i]))
		}
		out.trees = append(out.trees, tree)
	}
	return out
}

// find looks for the best question to ask at a leaf.
func (p boosting) find(l *leaf, features []int, cuts [][]float32, binned [][]uint8, g, h []float64) {
	l.gain, l.feature = 0, -1
	base := l.g * l.g / (l.h + p.lambda)
	for _, f := range features {
		var sg, sh [bins + 1]float64
		for _, r := range l.rows {
			k := binned[f][r]
			sg[k] += g[r]
			sh[k] += h[r]
		}
		var lg, lh float64
		for k := range cuts[f] {
			lg += sg[k]
			lh += sh[k]
			if lh < p.minHess || l.h-lh < p.minHess {
				continue
			}
			if gain := lg*lg/(lh+p.lambda) + (l.g-lg)*(l.g-lg)/(l.h-lh+p.lambda) - base; gain > l.gain {
				l.gain, l.feature, l.bin = gain, f, k
			}
		}
	}
}

// binFeatures divides the values of each feature into at most bins parts of like size.
func binFeatures(rows [][]float32) (cuts [][]float32, binned [][]uint8) {
	width := len(rows[0])
	cuts, binned = make([][]float32, width), make([][]uint8, width)
	for f := range width {
		var values []float32
		for i := 0; i < len(rows); i += max(1, len(rows)/20_000) {
			values = append(values, rows[i][f])
		}
		slices.Sort(values)
		different := slices.Compact(slices.Clone(values))
		var c []float32
		if len(different) <= bins {
			for i := range len(different) - 1 {
				c = append(c, (different[i]+different[i+1])/2)
			}
		} else {
			for q := 1; q < bins; q++ {
				if v := values[q*len(values)/bins]; len(c) == 0 || v > c[len(c)-1] {
					c = append(c, v)
				}
			}
		}
		cuts[f] = c
		b := make([]uint8, len(rows))
		for i := range rows {
			at, _ := slices.BinarySearch(c, rows[i][f])
			b[i] = uint8(at)
		}
		binned[f] = b
	}
	return cuts, binned
}
