package html

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// isUnread reports an element whose content no reader sees as text.
func isUnread(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Template:
		return !hasAttr(n, "shadowrootmode") // a browser shows the others
	case atom.Svg:
		return n.Namespace == "" // the parts of a picture are told in its own namespace
	case atom.Script, atom.Style, atom.Noscript, atom.Head, atom.Iframe, atom.Object, atom.Embed,
		atom.Canvas, atom.Video, atom.Audio, atom.Datalist, atom.Rt, atom.Rp, atom.Noframes, atom.Noembed, atom.Meter, atom.Progress:
		return true
	case atom.Dialog:
		return !hasAttr(n, "open")
	}
	if n.Namespace == "svg" {
		return !pictureParts[n.Data]
	}
	return n.Data == "rtc" || n.Data == "annotation-xml" || n.Data == "annotation"
}

// pictureParts are the elements of a picture that are around its words, or hold them.
var pictureParts = map[string]bool{"svg": true, "g": true, "a": true, "switch": true, "foreignObject": true, "text": true, "tspan": true,
	"textPath": true}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd, atom.Details,
		atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.Frameset,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li,
		atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.Option, atom.P, atom.Pre, atom.Section, atom.Summary,
		atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul:
		return true
	}
	return false
}

// within reports an element that lies in one of these.
func within(n *html.Node, atoms ...atom.Atom) bool { return ancestor(n, atoms...) != nil }

func ancestor(n *html.Node, atoms ...atom.Atom) *html.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if slices.Contains(atoms, p.DataAtom) {
			return p
		}
	}
	return nil
}

var attr = xmltree.Attr

func firstAttr(n *html.Node, keys ...string) string {
	for _, k := range keys {
		if v := attr(n, k); v != "" {
			return v
		}
	}
	return ""
}

// hasWord reports a word of a list of words, such as a class.
func hasWord(list, word string) bool {
	return strings.Contains(list, word) && slices.Contains(strings.Fields(list), word)
}

func hasAttr(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// Element is an element with attributes, given as names and values.
func Element(a atom.Atom, attrs ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
	for i := 0; i+1 < len(attrs); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attrs[i], Val: attrs[i+1]})
	}
	return n
}

// TextNode is a piece of text.
func TextNode(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// With appends children to a node, and returns it.
func With(n *html.Node, kids ...*html.Node) *html.Node {
	for _, k := range kids {
		n.AppendChild(k)
	}
	return n
}

// Adopt moves the children of one node to another.
func Adopt(to, from *html.Node) {
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		to.AppendChild(c)
	}
}

// Elements are the children of a node that are elements.
func Elements(n *html.Node) []*html.Node {
	var out []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			out = append(out, c)
		}
	}
	return out
}

func rename(n *html.Node, a atom.Atom) { n.DataAtom, n.Data = a, a.String() }

func hasOnlyElements(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return false
		}
	}
	return true
}

// shortText is the text of a node without white space, if it has no more than limit bytes.
func shortText(n *html.Node, limit int) (string, bool) {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(strings.TrimSpace(d.Data))
		}
		if b.Len() > limit {
			return "", false
		}
	}
	return b.String(), b.Len() > 0
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}

func contains(outer, inner *html.Node) bool {
	for p := inner; p != nil; p = p.Parent {
		if p == outer {
			return true
		}
	}
	return false
}

// charsOf counts code points without white space.
func charsOf(s string) (count int) {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			count++
		}
	}
	return count
}

// displayed reports a display formula.
func displayed(n *html.Node) bool { return n.Data == formulaTag && attr(n, "display") == "block" }

// formulaTag is the element that a formula becomes: its one text is the formula as TeX between dollars, so
// that it is text like any other to all that comes after.
const formulaTag = "math"

// isScripted reports an element whose content is for programs.
func isScripted(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript:
		return true
	case atom.Template:
		return isUnread(n)
	}
	return false
}

// isStruck reports an element that strikes its words through.
func isStruck(n *html.Node) bool {
	return n.DataAtom == atom.S || n.DataAtom == atom.Del || n.DataAtom == atom.Strike
}

// shownText is the text that a node would show.
func shownText(n *html.Node) string {
	var b strings.Builder
	addShown(&b, n)
	return b.String()
}

func addShown(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	for c := range n.ChildNodes() {
		if !isScripted(c) {
			addShown(b, c)
		}
	}
	if isBlock(n.DataAtom) {
		b.WriteByte('\n')
	}
}

// invisibleIn counts the characters of a page's texts that spell words which no reader sees, whether an element
// hides them or not. sanitize.Visible leaves them out of what is kept.
func invisibleIn(root *html.Node) (count int) {
	for n := range root.Descendants() {
		if n.Type == html.TextNode && !isScripted(n.Parent) {
			count += sanitize.CountInvisible(n.Data)
		}
	}
	return count
}
