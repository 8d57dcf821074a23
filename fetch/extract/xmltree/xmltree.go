// Package xmltree parses untrusted XML into a bounded tree of elements by their local names, for formats that are read by
// looking things up: JATS, DOCX and EPUB.
package xmltree

import (
	"encoding/xml"
	"fmt"
	"iter"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// maxNodes bounds a tree. A node takes some 150 bytes; a review with a thousand references has 100,000.
const maxNodes = 1_000_000

// Parse makes a tree from an XML file, with elements and attributes by their local names and texts. whole is false if the
// file is truncated; the tree then has the part before.
func Parse(body []byte) (root *html.Node, whole bool, err error) {
	root = &html.Node{Type: html.DocumentNode}
	at, nodes := root, 0
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
		err = fmt.Errorf("%w: more than %d elements", limit.ErrTooLarge, maxNodes)
	}
	if err != nil {
		return nil, false, err
	}
	return root, at == root, nil
}

// Child returns the first element on a path of names, or nil.
func Child(n *html.Node, names ...string) *html.Node {
	for _, name := range names {
		var found *html.Node
		for c := range Children(n, name) {
			found = c
			break
		}
		n = found
	}
	return n
}

// Children returns the child elements of n with this name. n may be nil.
func Children(n *html.Node, name string) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		if n == nil {
			return
		}
		for c := range n.ChildNodes() {
			if c.Type == html.ElementNode && c.Data == name && !yield(c) {
				return
			}
		}
	}
}

// Attr returns an attribute by its local name, or "". n may be nil.
func Attr(n *html.Node, name string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
