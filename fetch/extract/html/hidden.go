package html

import (
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
	p := pruner{sheet: sheet, root: n, total: shownChars(n), controlled: controlledParts(n), removed: map[*html.Node]bool{}}
	from := inherited{ground: css.White, opacity: 1}
	if !sheet.External {
		from.color = css.Black
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
	sheet  *css.Sheet
	root   *html.Node
	total  int   // code points that the page would show if it hid nothing
	fades  *bool // whether opacity hides most of them
	hidden hiddenText
	gone   []*html.Node
	struck []*html.Node

	controlled map[string]bool     // ids of parts that something visible opens
	removed    map[*html.Node]bool // elements that are not seen
	measured   int                 // articles
}

// maxMeasured bounds the hidden articles whose text is measured: they may be inside each other.
const maxMeasured = 20

// inherited is what an element takes over from the element around it.
type inherited struct {
	hides  css.Ways // by properties that children inherit and may change
	color  css.Color
	ground css.Color

	opacity float64
	struck  bool // by an element around it
}

// inheritedWays are the ways of hiding that an element inside can undo.
const inheritedWays = css.ByVisibility | css.ByColor | css.ByFont

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
	own := p.sheet.Style(n)
	to := inherited{hides: from.hides &^ own.Shows, color: from.color, ground: from.ground, opacity: from.opacity * own.Opacity, struck: from.struck}
	if p.sheet.MayStyle(n) { // by rules that are not read
		to.color, to.ground = css.Color{}, css.Color{}
	}
	if own.Color.Said() {
		to.color = own.Color
	}
	to.ground = own.Ground.Over(to.ground)
	switch {
	case to.color.IsClear():
		own.Hides |= css.ByColor
	case !own.Color.Said() && !own.Ground.Said():
	case to.color.IsLike(to.ground):
		own.Hides |= css.ByColor
	default:
		to.hides &^= css.ByColor
	}
	if to.opacity <= css.Faint {
		own.Hides |= css.ByOpacity
	}
	if own.Hides != 0 && !p.keeps(n, own.Hides) {
		if own.Hides&^inheritedWays != 0 {
			p.hidden.add(shownChars(n), string(appendText(n, nil)))
			p.gone = append(p.gone, n)
			p.removed[n] = true
			return
		}
		to.hides |= own.Hides
	} else if to.opacity <= css.Faint {
		to.opacity = 1 // it is kept, and so is what is in it
	}
	if own.Struck {
		if !from.struck {
			p.struck = append(p.struck, n)
		}
		to.struck = true
	} else if css.IsStruck(n) && !from.struck {
		rename(n, atom.Span) // its style says that it is not
	}
	p.children(n, to)
}

// keeps reports an element that is part of the page although its style hides it until a script has run or a reader
// opens it.
func (p *pruner) keeps(n *html.Node, by css.Ways) bool {
	switch n.DataAtom {
	case atom.Html, atom.Head, atom.Body:
		return true
	case atom.Main, atom.Article:
		if p.measured++; p.measured <= maxMeasured {
			return 2*shownChars(n) > p.total
		}
		return false
	}
	return by == css.ByOpacity && p.fadesIn() || by&^foldingWays == 0 && p.folded(n)
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
		case p.sheet.Remember(c).Hides&css.ByOpacity != 0:
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

// Text is the text of a piece of HTML, all that it shows.
func Text(src string) string {
	doc := parseTree(src)
	prune(doc, css.Read(doc, nil))
	return BlockText(doc)
}
