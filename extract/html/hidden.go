package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// prune takes out of a tree what is not shown as text: scripts, styles, comments, and elements that the page
// hides. What a person cannot see must not be cited, and is where instructions for models are put.
func prune(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.CommentNode || c.Type == html.ElementNode && (isScripted(c) || isHidden(c)) {
			n.RemoveChild(c)
		} else {
			prune(c)
		}
		c = next
	}
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

// isHidden reports an element that its own attributes hide. Style sheets are not read.
func isHidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Head, atom.Body, atom.Main, atom.Article: // hidden until a script has run: still the page
		return false
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return a.Val != "until-found" // which the browser's search shows
		case "aria-hidden":
			if strings.EqualFold(a.Val, "true") {
				return true
			}
		case "style":
			if hidesByStyle(a.Val) {
				return true
			}
		}
	}
	return false
}

func hidesByStyle(style string) bool {
	for declaration := range strings.SplitSeq(strings.ToLower(style), ";") {
		name, value, _ := strings.Cut(declaration, ":")
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		switch strings.TrimSpace(name) {
		case "display":
			if value == "none" {
				return true
			}
		case "visibility":
			if value == "hidden" || value == "collapse" {
				return true
			}
		}
	}
	return false
}
