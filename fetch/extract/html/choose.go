package html

import (
	"cmp"
	"context"
	_ "embed" // forest.txt
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// How blocks are chosen. Each gets the chance that it is content, by a forest, which was trained on
// how it reads, where it lies, what the elements around it are called, and whether readability's article holds
// it. What is kept follows from the chances of the whole page: the threshold under which more would be wrong
// than right in terms of F1 is half of the F1 that can be hoped for. On a page that is one article the threshold is
// higher, because what surrounds an article often reads like it. It still depends on the hope: a fixed one left out
// whole pages on which nothing looked certain.
const (
	hopeShare        = 0.5 // of the F1 that can be hoped for
	minChance        = 0.1 // below it nothing is kept, whatever the hope
	articleHopeShare = 0.7 // the same on a page that is one article
)

// choose returns which blocks to keep, or nil when it cannot tell.
func (o *outline) choose(ctx context.Context, facts pageFacts, article *html.Node) ([]bool, error) {
	if len(o.blocks) == 0 || o.tooLarge() {
		return nil, nil
	}
	inArticle := o.articleMarks(article)
	chances := make([]float32, len(o.blocks))
	page, f := o.pageFeatures(facts, inArticle), trained()
	err := o.features(ctx, facts, page, inArticle, func(i int, row []float32) {
		chances[i] = f.chance(row)
	})
	if err != nil {
		return nil, err
	}
	return o.keep(chances, page), nil
}

// keep decides by the chances of the blocks. The rows of a table are kept or left out together, by their mean chance,
// since a table without its header row says something else. A table between two paragraphs that are kept, or between
// a heading and one, is a part of their text.
func (o *outline) keep(chances []float32, page pageFeatures) []bool {
	chances = slices.Clone(chances)
	tables := o.tables()
	for _, t := range tables {
		t.share(o, chances)
	}
	share := float32(hopeShare)
	if page.oneArticle() {
		share = articleHopeShare
	}
	threshold := max(share*o.hope(chances), minChance)
	kept := make([]bool, len(chances))
	for i, c := range chances {
		kept[i] = c >= threshold
	}
	for _, t := range tables {
		before := t.first - 1
		if before >= 0 && t.last < len(kept) && (kept[before] || o.headingLevel(before) > 0) && kept[t.last] &&
			o.beside(t.table, before) && o.beside(t.table, t.last) {
			for i := t.first; i < t.last; i++ {
				kept[i] = true
			}
		}
	}
	if !slices.Contains(kept, true) {
		return nil
	}
	o.keepTogether(kept, chances, page)
	return kept
}

// tableRows are the blocks first … last-1, the rows of one table of values.
type tableRows struct{ table, first, last int }

func (o *outline) tables() []tableRows {
	var all []tableRows
	for i := range o.blocks {
		table := o.blocks[i].table
		switch {
		case table < 0:
		case i > 0 && o.blocks[i-1].table == table:
			all[len(all)-1].last = i + 1
		default:
			all = append(all, tableRows{table, i, i + 1})
		}
	}
	return all
}

// share gives all rows their mean chance, by words.
func (t tableRows) share(o *outline, chances []float32) {
	var sum, words float32
	for i := t.first; i < t.last; i++ {
		sum += chances[i] * float32(o.blocks[i].words)
		words += float32(o.blocks[i].words)
	}
	for i := t.first; i < t.last; i++ {
		chances[i] = sum / max(words, 1)
	}
}

// hope is the highest F1 over words that any threshold can be expected to reach.
func (o *outline) hope(chances []float32) float32 {
	order := make([]int, len(chances))
	var total float64
	for i := range order {
		order[i] = i
		total += float64(chances[i]) * float64(o.blocks[i].words)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(chances[b], chances[a]) })
	var right, kept, best float64
	for _, i := range order {
		right += float64(chances[i]) * float64(o.blocks[i].words)
		kept += float64(o.blocks[i].words)
		best = max(best, 2*right/(kept+total))
	}
	return float32(best)
}

// chance is the forest's probability for one row of features.
func (f *forest) chance(row []float32) float32 {
	sum := f.bias
	for _, root := range f.roots {
		n := &f.nodes[root]
		for n.feature >= 0 {
			next := n.next
			if row[n.feature] > n.value {
				next++
			}
			n = &f.nodes[next]
		}
		sum += n.value
	}
	return float32(1 / (1 + math.Exp(-float64(sum))))
}

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
