package html

import (
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
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
// page hides, by their attributes or by sheet, which may be nil. What a person cannot see must not be cited, and is
// where instructions for models are put. An element that only aria-hidden hides is seen by most readers, and stays.
//
// An article that holds most of a page's text, and opacity that hides most of it, wait for a script that shows them:
// they stay, too.
func prune(n *html.Node, sheet *styleSheet) hiddenText {
	p := pruner{sheet: sheet, root: n, total: shownChars(n)}
	from := inherited{ground: paint{known: true, rgb: [3]int{255, 255, 255}}, opacity: 1}
	if sheet == nil || !sheet.external {
		from.color.known = true // black
	}
	p.children(n, from)
	for _, n := range p.gone { // now, because selectors count and compare all siblings
		n.Parent.RemoveChild(n)
	}
	for _, n := range p.struck {
		strike(n)
	}
	return p.hidden
}

type pruner struct {
	sheet  *styleSheet
	root   *html.Node
	total  int   // code points that the page would show if it hid nothing
	fades  *bool // whether opacity hides most of them
	hidden hiddenText
	gone   []*html.Node
	struck []*html.Node

	measured int // articles
}

// maxMeasured bounds the hidden articles whose text is measured: they may be inside each other.
const maxMeasured = 20

// inherited is what an element takes over from the element around it.
type inherited struct {
	hides  hiding // by properties that children inherit and may change
	color  paint
	ground paint

	opacity float64
	struck  bool // by an element around it
}

// inheritedWays are the ways of hiding that an element inside can undo.
const inheritedWays = byVisibility | byColor | byFont

func (p *pruner) children(n *html.Node, from inherited) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.CommentNode:
			p.gone = append(p.gone, c)
		case html.TextNode:
			if from.hides != 0 {
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

func (p *pruner) element(n *html.Node, from inherited) {
	if isScripted(n) {
		p.gone = append(p.gone, n)
		return
	}
	own := p.sheet.styleOf(n)
	to := inherited{hides: from.hides &^ own.shows, color: from.color, ground: from.ground, opacity: from.opacity * own.opacity, struck: from.struck}
	if p.sheet.mayStyle(n) { // by rules that are not read
		to.color, to.ground = paint{}, paint{}
	}
	if own.color.said() {
		to.color = own.color
	}
	to.ground = own.ground.over(to.ground)
	switch {
	case to.color.isClear():
		own.hides |= byColor
	case !own.color.said() && !own.ground.said():
	case to.color.isLike(to.ground):
		own.hides |= byColor
	default:
		to.hides &^= byColor
	}
	if to.opacity <= faint {
		own.hides |= byOpacity
	}
	if own.hides != 0 && !p.keeps(n, own.hides) {
		if own.hides&^inheritedWays != 0 {
			p.hidden.add(shownChars(n), string(appendText(n, nil)))
			p.gone = append(p.gone, n)
			p.sheet.remove(n)
			return
		}
		to.hides |= own.hides
	} else if to.opacity <= faint {
		to.opacity = 1 // it is kept, and so is what is in it
	}
	if own.struck {
		if !from.struck {
			p.struck = append(p.struck, n)
		}
		to.struck = true
	} else if isStruck(n) && !from.struck {
		rename(n, atom.Span) // its style says that it is not
	}
	p.children(n, to)
}

// keeps reports an element that is part of the page although its style hides it until a script has run or a reader
// opens it.
func (p *pruner) keeps(n *html.Node, by hiding) bool {
	switch n.DataAtom {
	case atom.Html, atom.Head, atom.Body:
		return true
	case atom.Main, atom.Article:
		if p.measured++; p.measured <= maxMeasured {
			return 2*shownChars(n) > p.total
		}
		return false
	}
	return by == byOpacity && p.fadesIn() || by.unfoldable() && p.sheet.folded(n)
}

// fadesIn reports whether opacity hides most of the page.
func (p *pruner) fadesIn() bool {
	if p.fades == nil {
		faded := 2*p.faded(p.root) > p.total
		p.fades = &faded
	}
	return *p.fades
}

func (p *pruner) faded(n *html.Node) (chars int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode:
			if c.Type == html.DocumentNode {
				chars += p.faded(c)
			}
		case p.faint(c):
			chars += shownChars(c)
		default:
			chars += p.faded(c)
		}
	}
	return chars
}

// maxKnown bounds the styles that are remembered: 50,000 take some 10 MB.
const maxKnown = 50_000

// faint reports an element that is hidden by its opacity. Its style is needed again.
func (p *pruner) faint(n *html.Node) bool {
	own := p.sheet.styleOf(n)
	if p.sheet != nil && len(p.sheet.known) < maxKnown {
		p.sheet.known[n] = own
	}
	return own.hides&byOpacity != 0
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

// shownChars counts the code points that an element would show, without white space.
func shownChars(n *html.Node) int {
	count := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			count += charsOf(c.Data)
		case c.Type == html.ElementNode && !isScripted(c) && c.DataAtom != atom.Script:
			count += shownChars(c)
		}
	}
	return count
}

// charsOf counts code points without white space.
func charsOf(s string) (count int) {
	for _, r := range s {
		if !document.IsSpace(r) {
			count++
		}
	}
	return count
}

func isScripted(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		return !isLinkedData(n) // readability finds bylines by it
	case atom.Style, atom.Noscript, atom.Template:
		return true
	}
	return false
}

// invisibleIn counts the characters of a page's texts that spell words which no reader sees, whether an element
// hides them or not. sanitize.Visible leaves them out of what is kept.
func invisibleIn(n *html.Node) int {
	if n.Type == html.ElementNode && isScripted(n) {
		return 0
	}
	count := 0
	if n.Type == html.TextNode {
		count = sanitize.CountInvisible(n.Data).Total()
	}
	for c := range n.ChildNodes() {
		count += invisibleIn(c)
	}
	return count
}
