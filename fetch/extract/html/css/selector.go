package css

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// selector is a list of compound selectors, the last for the element itself. Cascadia compares only the compounds: what a
// selector with several of them costs it has no bound.
type selector []part

// part is a compound selector.
type part struct {
	compound cascadia.Sel
	before   byte // what joins it to the part before: ' ', '>', '+' or '~'
	looks    int  // pseudo-classes for which the elements around are looked at
	inside   bool // these are the elements inside
}

var (
	// unread matches what browsers do not know but cascadia does, and pseudo-classes that hold more than a compound.
	unread = lazyregexp.New(`:(?:contains|matches|haschild|input)|[!#]=|:has\([^)]*:|:(?:not|has)\((?:[^()\[]|\[[^\]]*\])*?[\s>+~,]`)
	around = lazyregexp.New(`:(?:(?:nth|first|last|only)-|lang|enabled|disabled)`)
	inside = lazyregexp.New(`:(?:has|empty)`)
)

// selectorOf parses a selector as cascadia writes it; nil if it is none, or is not read.
func selectorOf(text string) (out selector) {
	if unread.MatchString(text) {
		return nil
	}
	for text != "" {
		last := compound.FindString(text)
		one, err := cascadia.Parse(last)
		if last == "" || err != nil {
			return nil
		}
		p := part{compound: one, before: ' ', inside: inside.MatchString(last),
			looks: len(around.FindAllString(last, -1)) + len(inside.FindAllString(last, -1))}
		text = strings.TrimRight(strings.TrimSuffix(text, last), " ")
		if n := len(text) - 1; n >= 0 && strings.IndexByte(">+~", text[n]) >= 0 {
			p.before, text = text[n], strings.TrimRight(text[:n], " ")
		}
		out = append(selector{p}, out...)
	}
	return out
}

// selects reports whether a selector holds for an element. It holds for none once the steps of the page are used up.
func (s *Sheet) selects(all selector, n *html.Node) bool {
	if s.steps <= 0 {
		return false
	}
	last := len(all) - 1
	p := all[last]
	s.steps -= 1 + ownCost(n)
	if p.looks > 0 {
		s.steps -= p.looks * cost(n, p.inside)
	}
	if !p.compound.Match(n) {
		return false
	}
	if last == 0 {
		return true
	}
	up := p.before == ' ' || p.before == '>'
	for n = step(n, up); n != nil; n = step(n, up) {
		if s.selects(all[:last], n) {
			return true
		}
		if p.before == '>' || p.before == '+' {
			return false
		}
	}
	return false
}

// step returns the parent of an element, or the element before it.
func step(n *html.Node, up bool) *html.Node {
	if up {
		n = n.Parent
	} else {
		n = n.PrevSibling
	}
	for ; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
		if up {
			return nil
		}
	}
	return n
}

// ownCost is what it costs to look at long or many attributes, in comparisons; little for a usual element.
func ownCost(n *html.Node) int {
	const bytesEach, attributesEach = 100, 16
	length := 0
	for _, a := range n.Attr {
		length += len(a.Val)
	}
	return length/bytesEach + len(n.Attr)/attributesEach
}

// cost is what it costs to look at the elements in an element, or at those beside and around it, in comparisons.
func cost(n *html.Node, inside bool) (steps int) {
	const each = 8 // elements that are looked at in the time of one comparison
	switch {
	case inside:
		for range n.Descendants() {
			steps++
		}
	case n.Parent != nil:
		for range n.Parent.ChildNodes() {
			steps++
		}
		for range n.Ancestors() {
			steps++
		}
	}
	return steps/each + 1
}
