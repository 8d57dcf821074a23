package html

import (
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/html/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	minNoscriptBytes = 1_500 // of source; what is shorter asks to turn on scripts or holds a picture
	minNoscriptChars = 400   // of text
)

// showNoscript puts the content of a <noscript> in its place when it says more than the page without it:
// forums that run in the browser serve their threads so to those who read without scripts, as we do. It must
// run before the tree is pruned.
func showNoscript(doc *html.Node) {
	visible := 0
	var hidden []*html.Node
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				visible += len(strings.TrimSpace(c.Data))
			case c.Type != html.ElementNode:
			case c.DataAtom == atom.Noscript:
				if c.FirstChild != nil && c.FirstChild.Type == html.TextNode && len(c.FirstChild.Data) >= minNoscriptBytes &&
					n.DataAtom != atom.Head {
					hidden = append(hidden, c)
				}
			case !isUnread(c):
				walk(c)
			}
		}
	}
	walk(doc)
	for _, n := range hidden {
		inner := parseTree(n.FirstChild.Data)
		prune(inner, css.Read(inner, nil))
		if chars := len(BlockText(inner)); chars < minNoscriptChars || chars <= visible {
			continue
		}
		body := bodyOf(inner)
		if body == nil {
			continue
		}
		shown := Element(atom.Div)
		Adopt(shown, body)
		n.Parent.InsertBefore(shown, n)
		n.Parent.RemoveChild(n)
		return // two that say more than the rest are a trick
	}
}

func bodyOf(doc *html.Node) *html.Node {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Body {
			return n
		}
	}
	return nil
}
