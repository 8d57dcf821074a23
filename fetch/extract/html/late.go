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
		for c := range n.ChildNodes() {
			switch {
			case c.Type == html.TextNode:
				visible += len(strings.TrimSpace(c.Data))
			case c.DataAtom == atom.Noscript && n.DataAtom != atom.Head && c.FirstChild != nil &&
				len(c.FirstChild.Data) >= minNoscriptBytes:
				hidden = append(hidden, c)
			case !isUnread(c):
				walk(c)
			}
		}
	}
	walk(doc)
	for _, n := range hidden {
		inner := parseTree(n.FirstChild.Data)
		prune(inner, css.Read(inner, nil))
		if chars := len(BlockText(inner)); chars >= minNoscriptChars && chars > visible {
			rename(n, atom.Div)
			n.RemoveChild(n.FirstChild)
			n.AppendChild(inner)
			return // two that say more than the rest are a trick
		}
	}
}
