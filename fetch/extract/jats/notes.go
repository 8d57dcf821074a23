package jats

import (
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// note converts a footnote. Package html makes it a Markdown footnote if there is a reference to it.
func note(n *html.Node, level int) *html.Node {
	made := element(atom.Div, blocks(n, level)...)
	into := made
	if p := firstElement(made); p != nil && p.DataAtom == atom.P {
		into = p
	}
	for _, l := range labelled(n) {
		into.InsertBefore(l, into.FirstChild)
	}
	if id := attr(n, "id"); id != "" {
		made.Attr = []html.Attribute{{Key: "id", Val: id}}
	}
	return made
}

func firstElement(n *html.Node) *html.Node {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
}

// labelled returns the label of a note or a cited work, last node first. It links back to the reference, so that it is only
// in the text: Markdown has its own label.
func labelled(n *html.Node) []*html.Node {
	label := words(child(n, "label"))
	if label == "" {
		return nil
	}
	mark := text(label)
	if id := attr(n, "id"); id != "" {
		mark = link("#"+referredAt+id, mark)
	}
	return []*html.Node{text(" "), mark}
}

// referredAt begins the id of a reference to a note or a cited work.
const referredAt = "referred-"

// linkTags are the elements that become links. Links are not nested.
var linkTags = map[string]bool{"xref": true, "ext-link": true, "uri": true, "self-uri": true}

// crossReference links to a cited work or a note. A reference to a figure, a table or a section becomes plain words.
func crossReference(n *html.Node, level int) *html.Node {
	inner := blocks(n, level)
	id, _, _ := strings.Cut(attr(n, "rid"), " ")
	if kind := attr(n, "ref-type"); id == "" || kind != "bibr" && kind != "fn" && kind != "table-fn" || within(n, linkTags) {
		return element(atom.Span, inner...)
	}
	a := link("#"+id, inner...)
	a.Attr = append(a.Attr, html.Attribute{Key: "role", Val: "doc-biblioref"}, html.Attribute{Key: "id", Val: referredAt + id})
	return a
}

// references converts the list of cited works.
func references(n *html.Node, level int) []*html.Node {
	var out []*html.Node
	out = append(out, element(headings[min(level, len(headings))-1], text(document.First(words(child(n, "title")), "References"))))
	begin := func() *html.Node {
		if child(n, "ref", "label") != nil {
			return element(atom.Ul)
		}
		return element(atom.Ol)
	}
	works := begin()
	for c := range n.ChildNodes() {
		switch {
		case c.Type != html.ElementNode || c.Data == "title" || c.Data == "label":
		case c.Data == "ref":
			li := element(atom.Li)
			if id := attr(c, "id"); id != "" {
				li.Attr = []html.Attribute{{Key: "id", Val: id}}
			}
			for _, l := range labelled(c) {
				li.InsertBefore(l, li.FirstChild)
			}
			for k := range c.ChildNodes() {
				if k.Type == html.ElementNode && k.Data != "label" {
					for _, made := range block(k, level) {
						li.AppendChild(made)
					}
					li.AppendChild(text(" "))
				}
			}
			works.AppendChild(li)
		default: // a nested list or a remark
			if works.FirstChild != nil {
				out = append(out, works)
				works = begin()
			}
			if c.Data == "ref-list" {
				out = append(out, references(c, level+1)...)
			} else {
				out = append(out, block(c, level)...)
			}
		}
	}
	if works.FirstChild != nil {
		out = append(out, works)
	}
	return out
}
