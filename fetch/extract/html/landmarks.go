package html

import (
	"golang.org/x/net/html"
	"strings"
)

// topRegion is the smallest region with most of the page's prose, or -1.
func (o *outline) topRegion() int {
	const most = 0.7
	best := -1
	for i := range o.regions {
		r := &o.regions[i]
		if o.long > 0 && float32(r.long) >= most*float32(o.long) && (best < 0 || r.chars <= o.regions[best].chars) {
			best = i
		}
	}
	return best
}

// homeRegion is the region whose own blocks, and those one step below, hold the most prose, or -1.
func (o *outline) homeRegion() int {
	sums := map[int]int{}
	best, most := -1, 0
	for i := range o.blocks {
		s := &o.blocks[i]
		if !s.isProse() {
			continue
		}
		r := s.region
		for range 2 {
			if r = o.regions[r].parent; r < 0 {
				break
			}
			sums[r] += s.chars
			if sums[r] > most {
				best, most = r, sums[r]
			}
		}
	}
	return best
}

// articleMarks says for each block how much of it the article holds.
func (o *outline) articleMarks(article *html.Node) []float32 {
	marks := make([]float32, len(o.blocks))
	if article == nil {
		return marks
	}
	held := map[uint64]bool{}
	for n := range article.Descendants() {
		if n.Type == html.TextNode {
			held[hashString(strings.TrimSpace(n.Data))] = true
		}
	}
	for i := range o.blocks {
		s := &o.blocks[i]
		in, all := 0, 0
		for _, t := range s.texts {
			d := strings.TrimSpace(t.Data)
			all += len(d)
			if held[hashString(d)] {
				in += len(d)
			}
		}
		marks[i] = ratio(in, all)
	}
	return marks
}

func cloneTree(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace}
	if len(n.Attr) > 0 {
		c.Attr = append([]html.Attribute(nil), n.Attr...)
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.AppendChild(cloneTree(k))
	}
	return c
}
