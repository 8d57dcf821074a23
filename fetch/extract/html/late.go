package html

import (
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/html/css"
)

const (
	minNoscriptBytes = 1_500 // of source; what is shorter asks to turn on scripts or holds a picture
	minNoscriptChars = 400   // of text
)

// showNoscript puts the content of a <noscript> in its place when it says more than the page without it:
// forums that run in the browser serve their threads so to those who read without scripts, as we do. It must
// run before the tree is pruned.
func showNoscript(doc *html.Node) {
	shown := sync.OnceValue(func() int { return charsOf(shownText(doc)) })
	for n := range doc.Descendants() {
		if n.DataAtom != atom.Noscript || n.Parent.DataAtom == atom.Head || n.FirstChild == nil ||
			len(n.FirstChild.Data) < minNoscriptBytes {
			continue
		}
		inner := parseTree(n.FirstChild.Data)
		prune(inner, css.Read(inner, nil))
		if chars := charsOf(BlockText(inner)); chars >= minNoscriptChars && chars > shown() {
			rename(n, atom.Div)
			n.RemoveChild(n.FirstChild)
			n.AppendChild(inner)
			return // two that say more than the rest are a trick
		}
	}
}
