// Package xmltree parses untrusted XML into a bounded tree of elements by their local names, for formats that are read by
// looking things up: JATS, DOCX and EPUB.
package xmltree

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"golang.org/x/net/html"
	xcharset "golang.org/x/net/html/charset"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// Limits of a tree, which hold while it is parsed.
const (
	maxNodes      = 1_000_000 // of some 150 bytes; a review with a thousand references has 100,000
	maxDepth      = 500       // of nested elements; documents of word processors reach 60
	maxAttributes = 1_000     // of one element, which the decoder keeps together; the root of a document has 40
)

// newDecoder returns a decoder for untrusted XML that is not in UTF-16. The standard library's decoder knows only the five
// predefined entities and reads no external ones, so nothing expands.
func newDecoder(b []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToLower(label), "utf-16") { // it was, or is not: the declaration could be read
			return in, nil
		}
		return xcharset.NewReaderLabel(label, in)
	}
	return d
}

// Root returns the local name of the element that a file begins with, or "".
func Root(head []byte) string {
	d := newDecoder(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	d.Strict = false
	for {
		token, err := d.RawToken()
		if err != nil {
			return ""
		}
		switch t := token.(type) {
		case xml.StartElement:
			return t.Name.Local
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return ""
			}
		}
	}
}

// Parse makes a tree from an XML file, with elements and attributes by their local names and texts. It ends at a syntax
// error: the tree has the part before, and whole is false, as it is if the file is truncated.
func Parse(body []byte) (root *html.Node, whole bool, err error) {
	body = charset.Narrow(body)
	return parse(body, newDecoder(body), maxNodes)
}

// Extension is the namespace of elements by which feeds are extended.
const Extension = "extension"

// maxLooseNodes bounds the tree of [ParseLoose]. Archives of podcasts have 2,000 entries of 20 elements.
const maxLooseNodes = 200_000

// ParseLoose is Parse for XML that programs write carelessly: it knows the entities of HTML and reads over syntax errors as far
// as it can. Of a file with too many elements it has the first, and cut is true.
func ParseLoose(body []byte) (root *html.Node, cut bool, err error) {
	body = charset.Narrow(body)
	d := newDecoder(body)
	d.Strict, d.Entity = false, xml.HTMLEntity
	root, _, err = parse(body, d, maxLooseNodes)
	if cut = root != nil && errors.Is(err, limit.ErrTooLarge); cut {
		err = nil
	}
	return root, cut, err
}

// parse makes a tree of at most so many nodes, which it returns with the error if there are more.
func parse(body []byte, d *xml.Decoder, most int) (root *html.Node, whole bool, err error) {
	if tooManyAttributes(body) {
		return nil, false, fmt.Errorf("%w: an element with more than %d attributes", limit.ErrTooLarge, maxAttributes)
	}
	root = &html.Node{Type: html.DocumentNode}
	at, depth, nodes := root, 0, 0
	add := func(n *html.Node) {
		nodes++
		at.AppendChild(n)
	}
	var pending strings.Builder // a text may consist of several tokens
	flush := func() {
		if pending.Len() > 0 {
			add(&html.Node{Type: html.TextNode, Data: pending.String()})
			pending.Reset()
		}
	}
	for {
		token, err := d.Token()
		if err != nil {
			flush()
			return root, at == root, nil
		}
		switch t := token.(type) {
		case xml.StartElement:
			flush()
			n := &html.Node{Type: html.ElementNode, Data: t.Name.Local}
			if strings.HasPrefix(t.Name.Space, "http://www.itunes.com/") || strings.HasPrefix(t.Name.Space, "http://search.yahoo.com/") {
				n.Namespace = Extension
			}
			for _, a := range t.Attr {
				if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
					n.Attr = append(n.Attr, html.Attribute{Key: a.Name.Local, Val: a.Value})
				}
			}
			add(n)
			at, depth = n, depth+1
		case xml.EndElement:
			flush()
			if at.Parent != nil {
				at, depth = at.Parent, depth-1
			}
		case xml.CharData:
			pending.Write(t)
		}
		switch {
		case depth > maxDepth:
			return nil, false, fmt.Errorf("%w: elements nested more than %d deep", limit.ErrTooLarge, maxDepth)
		case nodes > most:
			return root, false, fmt.Errorf("%w: more than %d elements", limit.ErrTooLarge, most)
		}
	}
}

// tooManyAttributes reports a tag with more than maxAttributes attributes. It counts the equals signs outside of quotes,
// before the decoder makes 100 bytes of each attribute. A tag may begin at any "<" for it, so that nothing in comments
// or CDATA sections hides one.
func tooManyAttributes(b []byte) bool {
	for i := 0; i < len(b); {
		open := bytes.IndexByte(b[i:], '<')
		if open < 0 {
			return false
		}
		i += open + 1
		count := 0
		for i < len(b) && b[i] != '<' && b[i] != '>' {
			switch c := b[i]; c {
			case '=':
				if count++; count > maxAttributes {
					return true
				}
			case '"', '\'':
				if end := bytes.IndexByte(b[i+1:], c); end >= 0 && count > 0 {
					i += end + 1
				}
			}
			i++
		}
	}
	return false
}

// Child returns the first element on a path of names, or nil.
func Child(n *html.Node, names ...string) *html.Node {
	for _, name := range names {
		var found *html.Node
		for found = range Children(n, name) {
			break
		}
		n = found
	}
	return n
}

// First returns the first element in n, or nil.
func First(n *html.Node) *html.Node {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
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

// Text is all text in an element, or that of a text.
func Text(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
