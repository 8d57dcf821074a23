package html

import (
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/html/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// struckMark stands before and after words that are struck through, in the text as in Markdown: who quotes them must see
// that their author took them back.
const struckMark = "~~"

// strike puts marks around the words of an element, in each block of it. The element and those in it become spans, so
// that they are marked once.
func strike(n *html.Node) {
	var first, last *html.Node
	end := func() {
		if first != nil {
			lead := len(first.Data) - len(strings.TrimLeft(first.Data, " \t\r\n\f"))
			first.Data = first.Data[:lead] + struckMark + first.Data[lead:]
			tail := len(strings.TrimRight(last.Data, " \t\r\n\f"))
			last.Data = last.Data[:tail] + struckMark + last.Data[tail:]
		}
		first, last = nil, nil
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if css.IsStruck(n) {
			rename(n, atom.Span)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				if charsOf(c.Data) > 0 {
					if first == nil {
						first = c
					}
					last = c
				}
			case c.Type != html.ElementNode || isUnread(c):
			case isBlock(c.DataAtom) || c.DataAtom == atom.Br:
				end()
				walk(c)
				end()
			default:
				walk(c)
			}
		}
	}
	walk(n)
	end()
}

// strikeAll marks all struck elements of a tree.
func strikeAll(root *html.Node) {
	var struck []*html.Node
	for n := range root.Descendants() {
		if css.IsStruck(n) {
			struck = append(struck, n)
		}
	}
	for _, n := range struck {
		if css.IsStruck(n) { // not in one that is marked
			strike(n)
		}
	}
}
