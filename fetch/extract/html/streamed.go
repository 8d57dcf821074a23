package html

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// React sends parts of a page after the rest, in hidden elements that a script of the page moves to their place at once.
// A reader sees them, so they are moved here too.

var (
	streamedCall    = regexp.MustCompile(`\$R([CRS])\("([^"\\]{1,60})","([^"\\]{1,60})"`)
	streamedDefined = regexp.MustCompile(`\$R[CS]\s*=\s*function|function\s+\$R[CS]\(`)
)

const maxStreamed = 5_000 // parts of a page

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
	for _, call := range calls {
		place, part := byID[call[2]], byID[call[3]]
		if call[1] == "S" {
			place, part = part, place
		}
		if place == nil || part == nil || place.DataAtom != atom.Template || place.Parent == nil || isAround(part, place) {
			continue
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

func isAround(outer, n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == outer {
			return true
		}
	}
	return false
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
