package html

import (
	"github.com/citeloop/citeloop/internal/sanitize"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// prune takes out of a tree what is not shown as text: scripts, styles, comments, and elements that the page
// hides, by their attributes or by sheet, which may be nil. What a person cannot see must not be cited, and is
// where instructions for models are put. It returns how many code points of text were hidden.
func prune(n *html.Node, sheet *styleSheet) (hidden int) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type == html.CommentNode, c.Type == html.ElementNode && isScripted(c):
			n.RemoveChild(c)
		case c.Type == html.ElementNode && !isWholePage(c) && (isHidden(c) || sheet != nil && sheet.hidden(c)):
			hidden += shownChars(c)
			n.RemoveChild(c)
		default:
			hidden += prune(c, sheet)
		}
		c = next
	}
	return hidden
}

// shownChars counts the code points that an element would show, without white space.
func shownChars(n *html.Node) int {
	count := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			for _, r := range c.Data {
				if !document.IsSpace(r) {
					count++
				}
			}
		case c.Type == html.ElementNode && !isScripted(c) && c.DataAtom != atom.Script:
			count += shownChars(c)
		}
	}
	return count
}

// isWholePage reports an element that may be hidden until a script has run, and is the page all the same.
func isWholePage(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Head, atom.Body, atom.Main, atom.Article:
		return true
	}
	return false
}

func isScripted(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		return !isLinkedData(n) // readability finds bylines by it
	case atom.Style, atom.Noscript, atom.Template:
		return true
	}
	return false
}

// isHidden reports an element that its own attributes hide.
func isHidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return a.Val != "until-found" // which the browser's search shows
		case "aria-hidden":
			if strings.EqualFold(a.Val, "true") {
				return true
			}
		case "style":
			if hides, _ := declares(a.Val); hides {
				return true
			}
		}
	}
	return false
}

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
