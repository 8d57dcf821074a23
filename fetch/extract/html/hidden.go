package html

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/html/css"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxHiddenText bounds how much of what a page hides is searched for phrases that address a model, in bytes.
const maxHiddenText = 256 << 10

// hiddenText is what a page holds and does not show.
type hiddenText struct {
	chars int    // code points, without white space
	words []byte // the text, up to maxHiddenText
}

func (h *hiddenText) add(text string) {
	h.chars += charsOf(text)
	if len(h.words) < maxHiddenText {
		h.words = append(append(h.words, text[:min(len(text), maxHiddenText)]...), ' ')
	}
}

// injections counts the phrases that address a model.
func (h *hiddenText) injections() int {
	return len(sanitize.FindInjections(strings.ToValidUTF8(string(h.words), " ")))
}

// The marks that prune leaves on elements for the writer, as attributes.
const (
	markStruck = "~struck"
	markBox    = "~box"   // it is shown as a box of its own in its line
	markLines  = "~lines" // whether its line breaks are shown
)

// prune takes out of a tree what is not shown as text: scripts, styles, comments, and elements and texts that the
// page hides, by their attributes or by sheet. What a person cannot see must not be cited, and is
// where instructions for models are put. An element that only aria-hidden hides is seen by most readers, and stays.
//
// An article that holds most of a page's text, and opacity that hides most of it, wait for a script that shows them:
// they stay, too.
func prune(n *html.Node, sheet *css.Sheet) hiddenText {
	p := pruner{sheet: sheet, total: charsOf(shownText(n)), controlled: controlledParts(n), removed: map[*html.Node]bool{}}
	p.children(n, surroundings{})
	faded := 0
	for _, n := range p.faded {
		faded += charsOf(shownText(n))
	}
	if 2*faded <= p.total {
		for _, n := range p.faded {
			p.hide(n)
		}
	}
	for _, n := range p.gone { // now, because selectors count and compare all siblings
		n.Parent.RemoveChild(n)
	}
	return p.hidden
}

type pruner struct {
	sheet  *css.Sheet
	total  int // code points that the page would show if it hid nothing
	hidden hiddenText
	gone   []*html.Node
	faded  []*html.Node // what opacity hides, outermost

	controlled map[string]bool     // ids of parts that something visible opens
	removed    map[*html.Node]bool // elements that are not seen
	measured   int                 // articles
}

// maxMeasured bounds the hidden articles whose text is measured: they may be inside each other.
const maxMeasured = 20

// surroundings are what an element takes over from the element around it.
type surroundings struct{ invisible, unsized, struck, boxes, faded bool }

func (p *pruner) children(n *html.Node, from surroundings) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.CommentNode:
			p.gone = append(p.gone, c)
		case html.TextNode:
			if from.invisible || from.unsized {
				p.hidden.add(c.Data)
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
		case css.Opacity:
			if !from.faded {
				p.faded = append(p.faded, n)
			}
			to.faded = true
		default:
			p.hide(n)
			return
		}
	}
	if own.Numbers != "" && n.DataAtom == atom.Ol {
		n.Attr = append([]html.Attribute{{Key: "type", Val: own.Numbers}}, n.Attr...)
	}
	if own.Lines != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: markLines, Val: own.Lines})
	}
	if (own.Block || from.boxes) && !isBlock(n.DataAtom) {
		n.Attr = append(n.Attr, html.Attribute{Key: markBox})
	}
	to.boxes = own.Boxes || hasBoxClass(attr(n, "class"))
	if to.struck = from.struck || own.Struck; own.Struck {
		n.Attr = append(n.Attr, html.Attribute{Key: markStruck})
	} else if css.IsStruck(n) {
		rename(n, atom.Span) // its style says that it is not
	}
	p.children(n, to)
}

func (p *pruner) hide(n *html.Node) {
	p.hidden.add(shownText(n))
	p.gone = append(p.gone, n)
	p.removed[n] = true
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
			whole = charsOf(shownText(main))
		} else if n.DataAtom == atom.Div {
			break
		}
		if p.measured++; p.measured <= maxMeasured && 2*charsOf(shownText(n)) > whole {
			return true
		}
	}
	if strings.HasPrefix(attr(n, "id"), "S:") && n.DataAtom == atom.Div { // where React sends what a script moves to its place
		return true
	}
	return by == css.Opacity && fadesIn(n) || by&css.Place == 0 && p.folded(n)
}

// fadesIn reports an element that a library of animations shows when its reader scrolls to it, or a slide of a carousel.
func fadesIn(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "class" && (hasWord(a.Val, "slick-slide") || hasWord(a.Val, "swiper-slide")) ||
			a.Key == "data-w-id" || a.Key == "data-framer-appear-id" || a.Key == "data-aos" || a.Key == "style" &&
			strings.Contains(a.Val, "will-change")
	})
}

// shownText is the text that an element would show.
func shownText(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := range n.ChildNodes() {
			switch {
			case c.Type == html.TextNode:
				b.WriteString(c.Data)
			case c.Type == html.ElementNode && !isScripted(c):
				walk(c)
				if isBlock(c.DataAtom) {
					b.WriteByte('\n')
				}
			}
		}
	}
	walk(n)
	return b.String()
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
