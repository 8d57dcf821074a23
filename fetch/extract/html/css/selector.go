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
}

var (
	compound = lazyregexp.New(`(?:\\.|[^\\\s>+~()\[\]]|\([^()]*\)|\[[^\]]*\])+$`)
	// what is not read: all that looks at the elements around or inside of one, and what browsers do not know but cascadia does
	unread = lazyregexp.New(`:(?:[^n]|n[^o])|[!#]=|:not\((?:[^()\[]|\[[^\]]*\])*?[\s>+~,:]`)
)

// selectorOf parses a selector; it is nil if it is none, or is not read.
func selectorOf(text string) (out selector, of cascadia.Specificity) {
	for text = strings.TrimSpace(text); text != ""; {
		last := compound.FindString(text)
		one, err := cascadia.Parse(last)
		if err != nil || unread.MatchString(strings.ReplaceAll(last, ":root", "")) {
			return nil, of
		}
		p := part{compound: one, before: ' '}
		text = strings.TrimRight(strings.TrimSuffix(text, last), " ")
		if n := len(text) - 1; n >= 0 && strings.IndexByte(">+~", text[n]) >= 0 {
			p.before, text = text[n], strings.TrimRight(text[:n], " ")
		}
		out, of = append(selector{p}, out...), of.Add(one.Specificity())
	}
	return out, of
}

// selects reports whether a selector holds for an element. It holds for none once the steps of the page are used up.
func (s *Sheet) selects(all selector, n *html.Node) bool {
	if s.steps <= 0 {
		return false
	}
	last := len(all) - 1
	p := all[last]
	s.steps -= 1 + cost(n)
	if !p.compound.Match(n) {
		return false
	}
	if last == 0 {
		return true
	}
	next := func(n *html.Node) *html.Node { return n.PrevSibling }
	if p.before == ' ' || p.before == '>' {
		next = func(n *html.Node) *html.Node { return n.Parent }
	}
	for n = next(n); n != nil; n = next(n) {
		switch {
		case n.Type != html.ElementNode:
		case s.selects(all[:last], n):
			return true
		case p.before == '>' || p.before == '+':
			return false
		}
	}
	return false
}

// cost is what it costs to look at long or many attributes, in comparisons; little for a usual element.
func cost(n *html.Node) int {
	const bytesEach, attributesEach = 100, 16
	length := 0
	for _, a := range n.Attr {
		length += len(a.Val)
	}
	return length/bytesEach + len(n.Attr)/attributesEach
}
