package html

import (
	"context"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// A page is parsed by one of two builders. html.Parse follows the HTML standard. It refuses more than 512 open
// elements, and by the standard's own rules a page can make it create many more nodes than it has tags:
// formatting elements that stay open are cloned into every block that follows, so that 200 kB become gigabytes.
// Where either may happen, flatTree builds instead: one node for each tag, never deeper than maxDepth.
const (
	// Nodes that the standard's rules may at most create; a node takes some 150 bytes, so that the worst page
	// needs 300 MB. Of 751 gold pages, which have up to 34,450 nodes, two are above the bound.
	maxParsedNodes = 2_000_000
	// html.Parse's limit on open elements, and so on the clones that one block receives.
	maxOpenElements = 512
	// Elements above this depth are kept as siblings. The deepest of 751 gold pages is 49.
	maxDepth = 256
	// Nodes of a flat tree, at some 110 bytes each: a table of 4 MB has as many. Reading nested elements takes 405 to
	// 440 MB at the peak on busy cores, half of it what the collector leaves until it is due (TestPeak). A page of
	// 20 MB that is nothing but tags would have six million.
	maxFlatNodes = 1_000_000
)

// parseTree returns the page's tree. It never fails.
func parseTree(src string) *html.Node {
	doc, _, _ := parseWithin(context.Background(), src) // its one error is the context's
	return doc
}

// parseWithin is parseTree within a context; the error is the context's. whole is false when the page has more than
// a tree may have, and the rest was left out.
func parseWithin(ctx context.Context, src string) (doc *html.Node, whole bool, err error) {
	src = boundAttributes(src)
	if head := src[:min(len(src), 2_048)]; strings.Contains(head, "www.w3.org/1999/xhtml") || strings.HasPrefix(head, "<?xml") {
		src = selfClosed.ReplaceAllString(src, "<$1$2></$1>")
	}
	if nodeBound(src) <= maxParsedNodes {
		doc, err := html.Parse(&contextReader{ctx: ctx, rest: src})
		if err == nil {
			return doc, true, nil
		}
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
	}
	return flatTree(ctx, src)
}

// selfClosed matches elements that XHTML can close at once and HTML cannot: the rest of the page would be in them.
var selfClosed = lazyregexp.New(`(?i)<(title|script|style|textarea|iframe|noscript|a|b|i|em|strong|span|div|del|s)\b([^<>]*)/>`)

// contextReader gives a parser its source piece by piece, until the context ends.
type contextReader struct {
	ctx  context.Context
	rest string
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// nodeBound is an upper bound of the nodes that html.Parse creates for src, found without parsing.
//
// Each tag adds at most itself, a few implied elements and a text, and before it clones of the formatting
// elements that are open but not in their place. Of those that are equal in name and attributes at most three
// are kept (the standard's "Noah's Ark clause"), and of a and nobr one. So it is enough to count how many
// different formatting tags are written anywhere, be it in a script or a comment: that only raises the bound.
func nodeBound(src string) int {
	tags, different := 0, 0
	seen := map[string]bool{}
	for rest := src; ; {
		i := strings.IndexByte(rest, '<')
		if i < 0 || i+1 == len(rest) {
			break
		}
		rest = rest[i+1:]
		tags++
		if 3*different >= maxOpenElements || !isClonable(rest) {
			continue
		}
		end := strings.IndexByte(rest, '>')
		if end < 0 || end > 512 || strings.Count(rest[:end], `"`)%2 == 1 || strings.Count(rest[:end], `'`)%2 == 1 {
			different++ // the tag may go on behind this '>'
			continue
		}
		if tag := rest[:end]; !seen[tag] {
			seen[tag] = true
			different++
		}
	}
	return tags*2 + tags*min(maxOpenElements, 3*different)
}

// isClonable reports what follows the '<' of a formatting element other than a and nobr.
func isClonable(s string) bool {
	n := 0
	for n < len(s) && n <= len("strong") && ('a' <= s[n]|0x20 && s[n]|0x20 <= 'z') {
		n++
	}
	switch strings.ToLower(s[:n]) {
	case "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

// flatTree builds a tree from the tokens of a page: one node for each, no clones, no foster parents, and
// elements below maxDepth become siblings. It reads every page in linear time, and well-formed ones as
// html.Parse does.
func flatTree(ctx context.Context, src string) (doc *html.Node, whole bool, err error) {
	doc = &html.Node{Type: html.DocumentNode}
	head, body := Element(atom.Head), Element(atom.Body)
	root := With(Element(atom.Html), head, body)
	doc.AppendChild(root)

	b := flatBuilder{open: []*html.Node{body}, counts: map[string]int{}}
	z := html.NewTokenizer(&contextReader{ctx: ctx, rest: src})
	for nodes := 0; nodes < maxFlatNodes; nodes++ {
		switch z.Next() {
		case html.ErrorToken:
			return doc, true, ctx.Err()
		case html.TextToken:
			b.add(TextNode(string(z.Text())))
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.DataAtom {
			case atom.Html:
				root.Attr = append(root.Attr, t.Attr...)
			case atom.Head, atom.Body:
			case atom.Meta, atom.Title, atom.Link, atom.Base:
				n := element(t)
				head.AppendChild(n)
				if t.DataAtom == atom.Title && t.Type == html.StartTagToken && z.Next() == html.TextToken {
					n.AppendChild(TextNode(string(z.Text())))
				}
			default:
				b.start(t)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			b.end(string(name))
			nodes-- // which adds none
		case html.CommentToken, html.DoctypeToken:
			nodes--
		}
	}
	return doc, false, nil
}

type flatBuilder struct {
	open   []*html.Node   // the body and what is open in it, at most maxDepth
	counts map[string]int // how many of a name are open, so that an end tag without its start costs nothing
}

func (b *flatBuilder) add(n *html.Node) { b.open[len(b.open)-1].AppendChild(n) }

func (b *flatBuilder) start(t html.Token) {
	for closes := impliedEnd(t.DataAtom); len(b.open) > 1 && slices.Contains(closes, b.open[len(b.open)-1].DataAtom); {
		b.end(b.open[len(b.open)-1].Data)
	}
	n := element(t)
	b.add(n)
	if t.Type == html.SelfClosingTagToken || isVoid(t.DataAtom) || len(b.open) >= maxDepth {
		return
	}
	b.open = append(b.open, n)
	b.counts[n.Data]++
}

func (b *flatBuilder) end(name string) {
	if b.counts[name] == 0 {
		return
	}
	for i := len(b.open) - 1; i > 0; i-- {
		top := b.open[i]
		b.open = b.open[:i]
		b.counts[top.Data]--
		if top.Data == name {
			return
		}
	}
}

func element(t html.Token) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: t.Data, DataAtom: t.DataAtom, Attr: t.Attr}
}

// impliedEnd lists the elements that a start tag closes while one of them is the innermost open.
func impliedEnd(a atom.Atom) []atom.Atom {
	switch a {
	case atom.P, atom.Div, atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Pre, atom.Blockquote, atom.Section, atom.Article,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Hr, atom.Form, atom.Figure:
		return []atom.Atom{atom.P}
	case atom.Li:
		return []atom.Atom{atom.Li, atom.P}
	case atom.Dt, atom.Dd:
		return []atom.Atom{atom.Dt, atom.Dd, atom.P}
	case atom.Td, atom.Th:
		return []atom.Atom{atom.Td, atom.Th}
	case atom.Tr:
		return []atom.Atom{atom.Tr, atom.Td, atom.Th}
	case atom.Option:
		return []atom.Atom{atom.Option}
	}
	return nil
}

func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param, atom.Source,
		atom.Track, atom.Wbr:
		return true
	}
	return false
}
