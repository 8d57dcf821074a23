package html

import (
	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// invisibleIn counts the characters of a page's texts that spell words which no reader sees, whether an element
// hides them or not. document.Clean leaves them out of what is kept.
func invisibleIn(n *html.Node) int {
	if n.Type == html.ElementNode && isScripted(n) {
		return 0
	}
	count := 0
	if n.Type == html.TextNode {
		count = sanitize.CountInvisible(n.Data).Total()
	}
	for c := range n.ChildNodes() {
		count += invisibleIn(c)
	}
	return count
}
