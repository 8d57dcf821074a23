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
// Where either may happen, or a page may have too many attributes, flatTree builds instead: one node for each tag, never
// deeper than maxDepth.
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
	// Bytes of one tag or text of a flat tree, which ends there.
	maxFlatToken = 8 << 20
	// Attributes that are kept of one tag, and of a page. Each takes some 50 bytes in the tree, and finding one takes
	// time in proportion to their number. The gold pages have up to 136 and 39,000.
	maxTagAttributes  = 256
	maxPageAttributes = 200_000
	// The bound on attributes, which counts the words of texts too, up to which html.Parse reads a page: that of the gold
	// pages is up to 340,000.
	maxParsedAttributes = 400_000
)

// parseTree returns the page's tree. It never fails.
func parseTree(src string) *html.Node {
	doc, _, _ := parseWithin(context.Background(), src) // its one error is the context's
	return doc
}

// parseWithin is parseTree within a context; the error is the context's. whole is false when the page has more than
// a tree may have, and the rest was left out.
func parseWithin(ctx context.Context, src string) (doc *html.Node, whole bool, err error) {
	if head := src[:min(len(src), 2_048)]; strings.Contains(head, "www.w3.org/1999/xhtml") || strings.HasPrefix(head, "<?xml") {
		src = selfClosed.ReplaceAllString(src, "<$1$2></$1>")
	}
	if nodeBound(src) <= maxParsedNodes && attributeBound(src) <= maxParsedAttributes {
		doc, err := html.Parse(&contextReader{ctx: ctx, rest: src})
		if err == nil {
			for n := range doc.Descendants() {
				n.Attr = n.Attr[:min(len(n.Attr), maxTagAttributes)]
			}
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
	tags, different := strings.Count(src, "<"), 0
	seen := map[string]bool{}
	for rest := src; 3*different < maxOpenElements; {
		at := clonable.FindStringIndex(rest)
		if at == nil {
			break
		}
		tag := rest[at[0]:at[1]]
		if open := strings.Count(tag, `"`)%2 == 1 || strings.Count(tag, "'")%2 == 1; open || !seen[tag] {
			different++ // an open quotation goes on behind this '>'
		}
		seen[tag], rest = true, rest[at[1]:]
	}
	return tags*2 + tags*min(maxOpenElements, 3*different)
}

// clonable matches the start of a formatting element other than a and nobr, up to a '>'.
var clonable = lazyregexp.New(`(?i)<(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?:[^a-z>][^>]*)?(?:>|$)`)

// attributeBound is an upper bound of the attributes in src: white space, a slash or a quotation mark is before each.
func attributeBound(src string) (count int) {
	for i := 1; i < len(src); i++ {
		if separates(src[i-1]) && !separates(src[i]) {
			count++
		}
	}
	return count
}

func separates(c byte) bool { return isSpace(c) || c == '/' || c == '"' || c == '\'' }

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
	z.SetMaxBuf(maxFlatToken)
	for nodes := 0; nodes < maxFlatNodes; nodes++ {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return doc, z.Err() == io.EOF, ctx.Err()
		case html.TextToken:
			b.add(TextNode(string(z.Text())))
		case html.StartTagToken, html.SelfClosingTagToken:
			t := b.tag(z, kind)
			switch t.DataAtom {
			case atom.Html:
				root.Attr = append(root.Attr, t.Attr[:min(len(t.Attr), maxTagAttributes-len(root.Attr))]...)
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
	attrs  int            // of the page
}

// tag is a start tag, without the attributes beyond the bounds.
func (b *flatBuilder) tag(z *html.Tokenizer, kind html.TokenType) html.Token {
	name, more := z.TagName()
	t := html.Token{Type: kind, Data: atom.String(name), DataAtom: atom.Lookup(name)}
	for more && len(t.Attr) < maxTagAttributes && b.attrs < maxPageAttributes {
		var key, value []byte
		key, value, more = z.TagAttr()
		t.Attr = append(t.Attr, html.Attribute{Key: atom.String(key), Val: string(value)})
		b.attrs++
	}
	return t
}

func (b *flatBuilder) add(n *html.Node) { b.open[len(b.open)-1].AppendChild(n) }

func (b *flatBuilder) start(t html.Token) {
	for closes := impliedEnd(t.DataAtom); len(b.open) > 1 && slices.Contains(closes, b.open[len(b.open)-1].DataAtom); {
		b.end(b.open[len(b.open)-1].Data)
	}
	n, in := element(t), b.open[len(b.open)-1]
	if n.DataAtom == atom.Svg || in.Namespace == "svg" {
		n.Namespace = "svg"
	}
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
	if isBlock(a) {
		return []atom.Atom{atom.P}
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
