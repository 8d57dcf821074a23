package html

import (
	"strings"

	"golang.org/x/net/html"
)

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
