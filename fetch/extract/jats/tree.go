package jats

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// maxNodes bounds a tree. A node takes some 150 bytes; a review with a thousand references has 100,000.
const maxNodes = 1_000_000

// parse makes a tree from an XML file, with elements by their local names and texts. whole is false if the file is
// truncated; the tree then has the part before.
func parse(body []byte) (root *html.Node, whole bool, err error) {
	root = &html.Node{Type: html.DocumentNode}
	at, nodes := root, 0
	full := fmt.Errorf("%w: more than %d elements", limit.ErrTooLarge, maxNodes)
	add := func(n *html.Node) {
		if nodes++; nodes <= maxNodes {
			at.AppendChild(n)
		}
	}
	var pending strings.Builder // a text may consist of several tokens
	flush := func() {
		if pending.Len() > 0 {
			add(&html.Node{Type: html.TextNode, Data: pending.String()})
			pending.Reset()
		}
	}
	err = limit.WalkXML(body, func(e xml.StartElement) {
		flush()
		n := &html.Node{Type: html.ElementNode, Data: e.Name.Local}
		for _, a := range e.Attr {
			if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
				n.Attr = append(n.Attr, html.Attribute{Key: a.Name.Local, Val: a.Value})
			}
		}
		add(n)
		if n.Parent != nil {
			at = n
		}
	}, func(xml.EndElement) {
		flush()
		if nodes <= maxNodes && at.Parent != nil {
			at = at.Parent
		}
	}, func(s string) { pending.WriteString(s) })
	flush()
	if err == nil && nodes > maxNodes {
		err = full
	}
	if err != nil {
		return nil, false, err
	}
	return root, at == root, nil
}

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

// child returns the first element on a path of names, or nil.
func child(n *html.Node, names ...string) *html.Node {
	for _, name := range names {
		if n == nil {
			return nil
		}
		var found *html.Node
		for c := range n.ChildNodes() {
			if c.Type == html.ElementNode && c.Data == name {
				found = c
				break
			}
		}
		n = found
	}
	return n
}

// all returns the children of n with this name.
func all(n *html.Node, name string) []*html.Node {
	if n == nil {
		return nil
	}
	var out []*html.Node
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && c.Data == name {
			out = append(out, c)
		}
	}
	return out
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

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
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

// aside are the elements whose words do not belong to the text around them.
var aside = map[string]bool{"fn": true, "xref": true, "label": true, "tex-math": true, "object-id": true, "alt-text": true, "long-desc": true, "email": true}
