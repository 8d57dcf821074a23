package jats

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/datafile"
)

var errNoArticle = errors.New("no article found")

// articleIn returns the article of a file, which may be wrapped in a service's response.
func articleIn(root *html.Node) (*html.Node, error) {
	look := root
	for range 4 {
		var inner *html.Node
		for c := range look.ChildNodes() {
			if c.Type != html.ElementNode {
				continue
			}
			if c.Data == "article" {
				return c, nil
			}
			inner = cmp.Or(inner, c)
		}
		if inner == nil {
			break
		}
		look = inner
	}
	return nil, fmt.Errorf("%w: the XML could not be read: %w", document.ErrUnsupported, errNoArticle)
}

// within reports whether an element is inside one of these names.
func within(n *html.Node, names map[string]bool) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if names[p.Data] {
			return true
		}
	}
	return false
}

// words returns the text of an element on one line, without notes and references to them.
func words(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := range n.ChildNodes() {
			switch {
			case c.Type == html.TextNode:
				b.WriteString(c.Data)
			case c.Type == html.ElementNode && !aside[c.Data]:
				walk(c)
			}
		}
	}
	walk(n)
	return document.Title(b.String())
}

// textAt is the text of the first element on a path of names, or "".
func textAt(n *html.Node, path ...string) string { return words(xmltree.Child(n, path...)) }

// aside are the elements whose words do not belong to the text around them.
var aside = datafile.Words("fn xref label tex-math object-id alt-text long-desc email")
