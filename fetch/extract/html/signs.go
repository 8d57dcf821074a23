package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// removeSigns removes the signs by which headings link to themselves.
func removeSigns(doc *html.Node) {
	var signs []*html.Node
	for n := range doc.Descendants() {
		if n.DataAtom == atom.A && strings.HasPrefix(attr(n, "href"), "#") && isSign(n) {
			signs = append(signs, n)
		}
	}
	for _, n := range signs {
		n.Parent.RemoveChild(n)
	}
}

// isSign reports a link of which the text is a sign alone.
func isSign(n *html.Node) bool {
	text, ok := shortText(n, len("🔗\ufe0f"))
	return ok && (text == "¶" || text == "#" || text == "🔗" || text == "🔗\ufe0f")
}
