package html

import (
	"regexp"
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
				if c.FirstChild != nil && c.FirstChild.Type == html.TextNode && len(c.FirstChild.Data) >= minNoscriptBytes && n.DataAtom != atom.Head {
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

// React sends parts of a page after the rest, in hidden elements that a script of the page moves to their place at once.
// A reader sees them, so they are moved here too.

var (
	streamedCall    = regexp.MustCompile(`\$R([CRS])\("([^"\\]{1,60})","([^"\\]{1,60})"`)
	streamedDefined = regexp.MustCompile(`\$R[CS]\s*=\s*function|function\s+\$R[CS]\(`)
)

const (
	maxStreamed = 5_000 // parts of a page
	// Nodes of all parts, counted again for each part that they lie in. Parts that lie in parts would otherwise make the
	// work the product of parts and nodes.
	maxStreamedNodes = 2_000_000
)

// placeStreamed moves streamed parts to their place. It must run before scripts are pruned.
func placeStreamed(doc *html.Node) {
	var calls [][]string
	defined := false
	for n := range doc.Descendants() {
		if n.DataAtom != atom.Script || n.FirstChild == nil || !strings.Contains(n.FirstChild.Data, "$R") {
			continue
		}
		calls = append(calls, streamedCall.FindAllStringSubmatch(n.FirstChild.Data, maxStreamed-len(calls))...)
		defined = defined || streamedDefined.MatchString(n.FirstChild.Data)
	}
	if !defined || len(calls) == 0 {
		return
	}
	byID := map[string]*html.Node{}
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Template || n.DataAtom == atom.Div {
			if id := attr(n, "id"); id != "" && byID[id] == nil {
				byID[id] = n
			}
		}
	}
	left := maxStreamedNodes
	for _, call := range calls {
		place, part := byID[call[2]], byID[call[3]]
		if call[1] == "S" {
			place, part = part, place
		}
		if place == nil || part == nil || place.DataAtom != atom.Template || place.Parent == nil {
			continue
		}
		depth, around := depthBelow(part, place)
		if around || depth+height(part, &left) > maxOpenElements {
			continue
		}
		if left <= 0 {
			return
		}
		if call[1] != "S" {
			removeFallback(place)
		}
		for c := part.FirstChild; c != nil; c = part.FirstChild {
			part.RemoveChild(c)
			place.Parent.InsertBefore(c, place)
		}
		place.Parent.RemoveChild(place)
	}
}

// depthBelow counts the nodes around n. around reports whether outer is n or one of them.
func depthBelow(outer, n *html.Node) (depth int, around bool) {
	for ; n != nil; n = n.Parent {
		around = around || n == outer
		depth++
	}
	return depth, around
}

// height counts the levels of nodes below n, and subtracts these nodes from left. It ends when left is used up.
func height(n *html.Node, left *int) int {
	levels := 0
	for c := n.FirstChild; c != nil && *left > 0; c = c.NextSibling {
		*left--
		levels = max(levels, 1+height(c, left))
	}
	return levels
}

// removeFallback removes what the page shows until the part arrives: all between the place and the comment that ends it.
func removeFallback(place *html.Node) {
	depth := 0
	for n := place.NextSibling; n != nil; {
		next := n.NextSibling
		if n.Type == html.CommentNode {
			switch {
			case n.Data == "/$" && depth == 0:
				return
			case n.Data == "/$":
				depth--
			case strings.HasPrefix(n.Data, "$"):
				depth++
			}
		}
		n.Parent.RemoveChild(n)
		n = next
	}
}
