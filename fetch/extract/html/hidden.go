package html

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/html/css"
	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxHiddenText bounds how much of what a page hides is searched for phrases that address a model, in bytes.
const maxHiddenText = 256 << 10

// hiddenText is what a page holds and does not show.
type hiddenText struct {
	chars int    // code points, without white space
	words []byte // the text, up to maxHiddenText
}

func (h *hiddenText) add(chars int, words string) {
	h.chars += chars
	if len(h.words) < maxHiddenText {
		h.words = append(append(h.words, words[:min(len(words), maxHiddenText)]...), ' ')
	}
}

// injections counts the phrases that address a model.
func (h *hiddenText) injections() int {
	return len(sanitize.FindInjections(strings.ToValidUTF8(string(h.words), " ")))
}

// prune takes out of a tree what is not shown as text: scripts, styles, comments, and elements and texts that the
// page hides, by their attributes or by sheet. What a person cannot see must not be cited, and is
// where instructions for models are put. An element that only aria-hidden hides is seen by most readers, and stays.
//
// An article that holds most of a page's text, and opacity that hides most of it, wait for a script that shows them:
// they stay, too.
func prune(n *html.Node, sheet *css.Sheet) hiddenText {
	p := pruner{sheet: sheet, total: shownChars(n), controlled: controlledParts(n), removed: map[*html.Node]bool{}}
	p.fades = 2*p.faded(n) > p.total || isAnimated(n)
	p.children(n, surroundings{})
	for _, n := range p.gone { // now, because selectors count and compare all siblings
		n.Parent.RemoveChild(n)
	}
	for _, n := range p.struck {
		strike(n)
	}
	for _, n := range p.boxes { // with nothing between them in the source, they would be one word
		n.Parent.InsertBefore(TextNode(" "), n)
		n.Parent.InsertBefore(TextNode(" "), n.NextSibling)
	}
	return p.hidden
}

type pruner struct {
	sheet  *css.Sheet
	total  int  // code points that the page would show if it hid nothing
	fades  bool // opacity hides most of them
	hidden hiddenText
	gone   []*html.Node
	struck []*html.Node
	boxes  []*html.Node // inline elements that are shown as boxes of their own

	controlled map[string]bool     // ids of parts that something visible opens
	removed    map[*html.Node]bool // elements that are not seen
	measured   int                 // articles
}

// maxMeasured bounds the hidden articles whose text is measured: they may be inside each other.
const maxMeasured = 20

// surroundings are what an element takes over from the element around it.
type surroundings struct{ invisible, unsized, struck, boxes bool }

func (p *pruner) children(n *html.Node, from surroundings) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.CommentNode:
			p.gone = append(p.gone, c)
		case html.TextNode:
			if from.invisible || from.unsized {
				p.hidden.add(charsOf(c.Data), c.Data)
				p.gone = append(p.gone, c)
			}
		case html.ElementNode:
			p.element(c, from)
		default:
			p.children(c, from)
		}
	}
}

func (p *pruner) element(n *html.Node, from surroundings) {
	if isScripted(n) {
		p.gone = append(p.gone, n)
		return
	}
	own, to := p.sheet.Style(n), from
	to.invisible = from.invisible && !own.Visible
	to.unsized = from.unsized && !own.Sized
	if own.Hides != 0 && !p.keeps(n, own.Hides) {
		switch own.Hides {
		case css.Visibility:
			to.invisible = true
		case css.Letters:
			to.unsized = true
		default:
			p.hidden.add(shownChars(n), string(appendText(n, nil)))
			p.gone = append(p.gone, n)
			p.removed[n] = true
			return
		}
	}
	if own.Numbers != "" && n.DataAtom == atom.Ol {
		n.Attr = append([]html.Attribute{{Key: "type", Val: own.Numbers}}, n.Attr...)
	}
	if (own.Block || from.boxes) && !isBlock(n.DataAtom) {
		p.boxes = append(p.boxes, n)
	}
	to.boxes = own.Boxes || hasBoxClass(attr(n, "class"))
	if own.Struck && !from.struck {
		p.struck = append(p.struck, n)
		to.struck = true
	} else if css.IsStruck(n) && !from.struck {
		rename(n, atom.Span) // its style says that it is not
	}
	p.children(n, to)
}

// boxClasses are those by which the common libraries of styles make a row or a grid of boxes.
var boxClasses = []string{"flex", "d-flex", "inline-flex", "grid", "d-grid", "items-center", "justify-between"}

func hasBoxClass(class string) bool {
	return slices.ContainsFunc(boxClasses, func(name string) bool { return hasWord(class, name) })
}

// keeps reports an element that is part of the page although its style hides it until a script has run or a reader
// opens it.
func (p *pruner) keeps(n *html.Node, by css.Ways) bool {
	switch n.DataAtom {
	case atom.Html, atom.Head, atom.Body:
		return true
	case atom.Main, atom.Article, atom.Div:
		whole := p.total
		if main := ancestor(n, atom.Main); main != nil {
			whole = shownChars(main)
		} else if n.DataAtom == atom.Div {
			break
		}
		if p.measured++; p.measured <= maxMeasured && 2*shownChars(n) > whole {
			return true
		}
	}
	if strings.HasPrefix(attr(n, "id"), "S:") && n.DataAtom == atom.Div { // where React sends what a script moves to its place
		return true
	}
	return by == css.Opacity && (p.fades || fadesIn(n)) || by&css.Place == 0 && p.folded(n)
}

// isAnimated reports a page of a builder whose scripts let its parts fade in.
func isAnimated(doc *html.Node) bool {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && (hasAttr(n, "data-w-id") || hasAttr(n, "data-wf-page")) {
			return true
		}
	}
	return false
}

// fadesIn reports an element that a library of animations shows when its reader scrolls to it, or a slide of a carousel.
func fadesIn(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "class" && (hasWord(a.Val, "slick-slide") || hasWord(a.Val, "swiper-slide")) ||
			a.Key == "data-w-id" || a.Key == "data-framer-appear-id" || a.Key == "data-aos" || a.Key == "style" &&
			strings.Contains(a.Val, "will-change")
	})
}

// faded counts the code points in elements that opacity hides.
func (p *pruner) faded(n *html.Node) (chars int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode:
			if c.Type == html.DocumentNode {
				chars += p.faded(c)
			}
		case p.sheet.Style(c).Hides&css.Opacity != 0:
			chars += shownChars(c)
		default:
			chars += p.faded(c)
		}
	}
	return chars
}

// appendText appends the text of an element to b, up to maxHiddenText.
func appendText(n *html.Node, b []byte) []byte {
	for c := n.FirstChild; c != nil && len(b) < maxHiddenText; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b = append(b, c.Data...)
		case c.Type == html.ElementNode && !isScripted(c) && c.DataAtom != atom.Script:
			b = appendText(c, b)
			if isBlock(c.DataAtom) {
				b = append(b, '\n')
			}
		}
	}
	return b
}

// invisibleIn counts the characters of a page's texts that spell words which no reader sees, whether an element
// hides them or not. sanitize.Visible leaves them out of what is kept.
func invisibleIn(n *html.Node) int {
	if n.Type == html.ElementNode && isScripted(n) {
		return 0
	}
	count := 0
	if n.Type == html.TextNode {
		count = sanitize.CountInvisible(n.Data)
	}
	for c := range n.ChildNodes() {
		count += invisibleIn(c)
	}
	return count
}

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
