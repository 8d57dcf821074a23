package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/html/css"
)

// prune takes out of a tree what is not shown as text: scripts, styles, and elements and texts that the page hides, by their
// attributes or by sheet; hidden is the latter. What a person cannot see must not be cited, and is where instructions for models are
// put. An element that only aria-hidden hides is seen by most readers, and stays.
//
// An article that holds most of a page's text, and opacity that hides most of it, wait for a script that shows them: they stay, too.
func prune(n *html.Node, sheet *css.Sheet) (hidden string) {
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
	for _, n := range p.gone { // now, because selectors compare all siblings
		n.Parent.RemoveChild(n)
	}
	return p.hidden.String()
}

type pruner struct {
	sheet  *css.Sheet
	total  int // code points that the page would show if it hid nothing
	hidden strings.Builder
	gone   []*html.Node
	faded  []*html.Node // what opacity hides, outermost

	controlled map[string]bool     // ids of parts that something visible opens
	removed    map[*html.Node]bool // elements that are not seen
	measured   int                 // articles
}

// surroundings are what an element takes over from the element around it.
type surroundings struct{ invisible, unsized, boxes, faded bool }

func (p *pruner) children(n *html.Node, from surroundings) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode && (from.invisible || from.unsized):
			p.hide(c)
		case c.Type != html.ElementNode:
			p.children(c, from)
		case isScripted(c):
			p.gone = append(p.gone, c)
		default:
			p.element(c, from)
		}
	}
}

func (p *pruner) element(n *html.Node, from surroundings) {
	own, hides := p.sheet.Style(n)
	if hides != 0 && p.keeps(n, hides) {
		hides = 0
	}
	if hides&(css.Removed|css.Away) != 0 {
		p.hide(n)
		return
	}
	if hides&css.Faded != 0 && !from.faded {
		p.faded = append(p.faded, n)
	}
	size := own.Value("font-size")
	isSized := strings.HasSuffix(size, "px") || strings.HasSuffix(size, "pt") || strings.HasSuffix(size, "rem")
	p.children(n, surroundings{
		invisible: hides&css.Invisible != 0 || from.invisible && !own.Is("visibility", "visible"),
		unsized:   hides&css.Unsized != 0 || from.unsized && !isSized,
		faded:     hides&css.Faded != 0 || from.faded,
		boxes:     markStyle(n, own, from.boxes, p.sheet.Counts),
	})
}

func (p *pruner) hide(n *html.Node) {
	p.hidden.WriteString(shownText(n) + "\n")
	p.gone = append(p.gone, n)
	p.removed[n] = true
}

// keeps reports an element that is part of the page although its style hides it until a script has run or a reader
// opens it.
func (p *pruner) keeps(n *html.Node, by css.Ways) bool {
	switch n.DataAtom {
	case atom.Html, atom.Head, atom.Body:
		return true
	case atom.Main, atom.Article, atom.Div:
		if p.isMost(n) || n.DataAtom == atom.Div && strings.HasPrefix(attr(n, "id"), "S:") { // where React sends what a script moves
			return true
		}
	}
	return by == css.Faded && fadesIn(n) || by&css.Away == 0 && p.folded(n)
}

// isMost reports an element with most of the text of the main part around it, or of the page. The text of a few is measured only,
// since they may be inside each other.
func (p *pruner) isMost(n *html.Node) bool {
	const maxMeasured = 20
	whole, main := p.total, ancestor(n, atom.Main)
	if main == nil && n.DataAtom == atom.Div {
		return false
	}
	if p.measured++; p.measured > maxMeasured {
		return false
	}
	if main != nil {
		whole = charsOf(shownText(main))
	}
	return 2*charsOf(shownText(n)) > whole
}

// fadesIn reports an element that a library of animations shows when its reader scrolls to it, or a slide of a carousel.
func fadesIn(n *html.Node) bool {
	return hasClass(n, "slick-slide", "swiper-slide") || strings.Contains(attr(n, "style"), "will-change") ||
		firstAttr(n, "data-w-id", "data-framer-appear-id", "data-aos") != ""
}
