package html

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// selector is a selector of one element, such as "aside p.note + ul" or "#box > i[lang]".
type selector struct {
	links       []link // the element itself first, then those around and beside it
	specificity int
	stateless   bool // neither a script nor a user can make it match another element with the same name
}

// link is one element of a selector.
type link struct {
	tag, id    string
	classes    []string
	attributes []attributeTest
	pseudos    []pseudo
	joint      byte // how the next link is related: ' ' around it, '>' its parent, '+' directly before it, '~' before it
}

// attributeTest is a test such as [name^="value"].
type attributeTest struct {
	name, value string
	by          byte // 0 = has it, or = ~ | ^ $ *
	anyCase     bool
}

// pseudo is a pseudo-class that can be decided by the tree.
type pseudo struct {
	kind      pseudoKind
	step, off int // of :nth-child()
	inner     []*selector
}

type pseudoKind uint8

const (
	pseudoIs pseudoKind = iota
	pseudoNot
	pseudoHas
	pseudoRoot
	pseudoEmpty
	pseudoLang
	pseudoNth      // :nth-child() and its like
	pseudoNthLast  //
	pseudoNthKind  // :nth-of-type() and its like
	pseudoNthLastK //
	pseudoLink
	pseudoState // what a user does, or what is not read: no element has it now
)

const (
	maxLinks   = 8 // elements of one selector
	maxInPseud = 4 // pseudo-classes in pseudo-classes
)

// parseSelector reads a selector; nil for one of a pseudo-element, which is not an element; false when it is invalid.
func parseSelector(s string) (*selector, bool) { return parseSelectorIn(s, 0) }

func parseSelectorIn(s string, depth int) (*selector, bool) {
	p := selectorParser{rest: s, depth: depth}
	sel := &selector{}
	for {
		l, ok := p.link()
		if !ok || len(sel.links) == maxLinks {
			return nil, false
		}
		sel.links = append(sel.links, l)
		joint, more := p.joint()
		if !more {
			break
		}
		if p.rest == "" {
			return nil, false
		}
		sel.links[len(sel.links)-1].joint = joint
	}
	if p.element {
		return nil, true
	}
	slices.Reverse(sel.links)
	sel.specificity = p.specificity
	sel.stateless = len(sel.links) == 1 && len(sel.links[0].classes) < 2 && len(sel.links[0].pseudos) == 0 && len(sel.links[0].attributes) == 0
	return sel, true
}

type selectorParser struct {
	rest        string
	depth       int
	specificity int
	element     bool // it is of a pseudo-element
}

const (
	specificityID    = 1 << 12
	specificityClass = 1 << 6
)

// joint reads what is between two links; false at the end.
func (p *selectorParser) joint() (byte, bool) {
	trimmed := strings.TrimLeft(p.rest, " \t\r\n\f")
	if trimmed == "" {
		p.rest = ""
		return 0, false
	}
	spaced := len(trimmed) < len(p.rest)
	p.rest = trimmed
	switch c := trimmed[0]; {
	case c == '>' || c == '+' || c == '~':
		p.rest = strings.TrimLeft(trimmed[1:], " \t\r\n\f")
		return c, true
	case spaced:
		return ' ', true
	}
	return '?', true // an unknown character, at which link fails
}

func (p *selectorParser) name() string {
	i := 0
	for i < len(p.rest) && isNameByte(p.rest[i]) {
		i++
	}
	name := p.rest[:i]
	p.rest = p.rest[i:]
	return plainName(name)
}

func (p *selectorParser) link() (l link, ok bool) {
	before := len(p.rest)
	for p.rest != "" {
		switch c := p.rest[0]; {
		case c == '*' && len(p.rest) == before:
			p.rest = p.rest[1:]
		case c == '.', c == '#':
			p.rest = p.rest[1:]
			name := p.name()
			switch {
			case name == "":
				return l, false
			case c == '.':
				l.classes = append(l.classes, name)
				p.specificity += specificityClass
			default:
				l.id = name
				p.specificity += specificityID
			}
		case c == '[':
			test, ok := p.attribute()
			if !ok {
				return l, false
			}
			l.attributes = append(l.attributes, test)
			p.specificity += specificityClass
		case c == ':':
			if !p.pseudo(&l) {
				return l, false
			}
		case isNameByte(c) && len(p.rest) == before:
			l.tag = strings.ToLower(p.name())
			p.specificity++
		case isNameByte(c) && strings.HasPrefix(p.rest, "|"), c == '|':
			return l, false // name spaces
		default:
			return l, len(p.rest) < before
		}
	}
	return l, len(p.rest) < before
}

func (p *selectorParser) attribute() (t attributeTest, ok bool) {
	end := strings.IndexByte(p.rest, ']')
	if end < 0 {
		end = len(p.rest) // the end of the sheet closes it
	}
	test := strings.TrimSpace(p.rest[1:end])
	p.rest = p.rest[min(end+1, len(p.rest)):]
	i := 0
	for i < len(test) && isNameByte(test[i]) {
		i++
	}
	t.name = strings.ToLower(plainName(test[:i]))
	test = strings.TrimSpace(test[i:])
	if t.name == "" || test == "" {
		return t, t.name != ""
	}
	if test[0] != '=' {
		t.by = test[0]
		test = test[1:]
	} else {
		t.by = '='
	}
	value, found := strings.CutPrefix(test, "=")
	if !found || strings.IndexByte("=~|^$*", t.by) < 0 {
		return t, false
	}
	value = strings.TrimSpace(value)
	if quote := value; len(quote) > 0 && (quote[0] == '"' || quote[0] == '\'') {
		inner, after, closed := strings.Cut(quote[1:], quote[:1])
		if !closed {
			return t, false
		}
		value, after = inner, strings.TrimSpace(after)
		t.anyCase = strings.EqualFold(after, "i")
	} else if inner, found := strings.CutSuffix(value, " i"); found {
		value, t.anyCase = inner, true
	}
	t.value = plainName(value)
	return t, true
}

// pseudo reads a pseudo-class or a pseudo-element.
func (p *selectorParser) pseudo(l *link) bool {
	p.rest = p.rest[1:]
	if strings.HasPrefix(p.rest, ":") {
		p.element = true
		p.rest = p.rest[1:]
	}
	name := strings.ToLower(p.name())
	if name == "" {
		return false
	}
	args := ""
	if strings.HasPrefix(p.rest, "(") {
		end, open := len(p.rest), 0
		for i := range len(p.rest) {
			if p.rest[i] == '(' {
				open++
			} else if p.rest[i] == ')' {
				if open--; open == 0 {
					end = i
					break
				}
			}
		}
		args = strings.TrimSpace(p.rest[1:min(end, len(p.rest))])
		p.rest = p.rest[min(end+1, len(p.rest)):]
	}
	q := pseudo{kind: pseudoState}
	switch name {
	case "before", "after", "first-line", "first-letter":
		p.element = true
	case "is", "where", "not", "has", "matches", "-webkit-any", "-moz-any":
		if p.depth >= maxInPseud {
			return false
		}
		most := 0
		for _, one := range splitOutside(args, ',') {
			one = strings.TrimSpace(one)
			if name == "has" && one != "" && strings.IndexByte(">+~", one[0]) >= 0 {
				q.inner = nil
				break // relations other than "inside" are not read
			}
			inner, ok := parseSelectorIn(one, p.depth+1)
			if !ok && name == "not" {
				return false
			}
			if ok && inner != nil {
				q.inner = append(q.inner, inner)
				most = max(most, inner.specificity)
			}
		}
		q.kind = map[string]pseudoKind{"not": pseudoNot, "has": pseudoHas}[name]
		if name != "where" {
			p.specificity += most
		}
		if len(q.inner) == 0 {
			q.kind = pseudoState
		}
	default:
		p.specificity += specificityClass
		q = plainPseudo(name, args)
	}
	l.pseudos = append(l.pseudos, q)
	return true
}

func plainPseudo(name, args string) pseudo {
	q := pseudo{kind: pseudoState, off: 1}
	switch name {
	case "root", "scope":
		q.kind = pseudoRoot
	case "empty":
		q.kind = pseudoEmpty
	case "link", "any-link":
		q.kind = pseudoLink
	case "lang":
		q.kind = pseudoLang
		q.inner = []*selector{{links: []link{{tag: strings.ToLower(strings.Trim(args, `"'`))}}}}
	case "first-child":
		q.kind = pseudoNth
	case "last-child":
		q.kind = pseudoNthLast
	case "first-of-type":
		q.kind = pseudoNthKind
	case "last-of-type":
		q.kind = pseudoNthLastK
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		step, off, ok := parseNth(args)
		if ok {
			q = pseudo{step: step, off: off, kind: map[string]pseudoKind{"nth-child": pseudoNth, "nth-last-child": pseudoNthLast, "nth-of-type": pseudoNthKind, "nth-last-of-type": pseudoNthLastK}[name]}
		}
	}
	return q
}

// parseNth reads "odd", "3" or "2n+1".
func parseNth(s string) (step, off int, ok bool) {
	s = strings.ToLower(strings.ReplaceAll(s, " ", ""))
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	before, after, hasStep := strings.Cut(s, "n")
	if !hasStep {
		off, err := strconv.Atoi(s)
		return 0, off, err == nil
	}
	step, err := strconv.Atoi(before)
	switch before {
	case "", "+":
		step, err = 1, nil
	case "-":
		step, err = -1, nil
	}
	if err == nil && after != "" {
		off, err = strconv.Atoi(after)
	}
	return step, off, err == nil
}

// matches reports whether a selector selects an element. steps bounds the comparisons of a page; when none is left,
// nothing is selected.
func (s *selector) matches(n *html.Node, steps *int) bool { return s.matchesFrom(0, n, steps) }

func (s *selector) matchesFrom(i int, n *html.Node, steps *int) bool {
	if *steps--; *steps <= 0 || !s.links[i].matches(n, steps) {
		return false
	}
	if i+1 == len(s.links) {
		return true
	}
	switch joint := s.links[i+1].joint; joint {
	case '>':
		return n.Parent != nil && s.matchesFrom(i+1, n.Parent, steps)
	case ' ':
		for p := n.Parent; p != nil && *steps > 0; p = p.Parent {
			if s.matchesFrom(i+1, p, steps) {
				return true
			}
		}
	default:
		for b := n.PrevSibling; b != nil && *steps > 0; b = b.PrevSibling {
			if *steps--; b.Type != html.ElementNode {
				continue
			}
			if s.matchesFrom(i+1, b, steps) {
				return true
			}
			if joint == '+' {
				return false
			}
		}
	}
	return false
}

func (l *link) matches(n *html.Node, steps *int) bool {
	if n.Type != html.ElementNode || l.tag != "" && l.tag != n.Data || l.id != "" && l.id != strings.TrimSpace(attr(n, "id")) {
		return false
	}
	if len(l.classes) > 0 {
		have := attr(n, "class")
		for _, class := range l.classes {
			if !hasWord(have, class) {
				return false
			}
		}
	}
	for i := range l.attributes {
		if !l.attributes[i].matches(n) {
			return false
		}
	}
	for i := range l.pseudos {
		if !l.pseudos[i].matches(n, steps) {
			return false
		}
	}
	return true
}

// hasWord reports a word of a list of words.
func hasWord(list, word string) bool {
	for at := 0; word != ""; {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(word)
		if (i == 0 || isSpace(list[i-1])) && (end == len(list) || isSpace(list[end])) {
			return true
		}
		at = end
	}
	return false
}

func (t *attributeTest) matches(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key != t.name {
			continue
		}
		have, want := a.Val, t.value
		if t.anyCase {
			have, want = strings.ToLower(have), strings.ToLower(want)
		}
		switch t.by {
		case 0:
			return true
		case '=':
			return have == want
		case '~':
			return hasWord(have, want)
		case '|':
			return have == want || strings.HasPrefix(have, want+"-")
		case '^':
			return want != "" && strings.HasPrefix(have, want)
		case '$':
			return want != "" && strings.HasSuffix(have, want)
		case '*':
			return want != "" && strings.Contains(have, want)
		}
	}
	return false
}

func (q *pseudo) matches(n *html.Node, steps *int) bool {
	anyOf := func(n *html.Node) bool {
		return slices.ContainsFunc(q.inner, func(s *selector) bool { return s.matches(n, steps) })
	}
	switch q.kind {
	case pseudoIs:
		return anyOf(n)
	case pseudoNot:
		return !anyOf(n) && *steps > 0
	case pseudoHas:
		for d := range n.Descendants() {
			if *steps--; *steps <= 0 {
				return false
			}
			if d.Type == html.ElementNode && anyOf(d) {
				return true
			}
		}
	case pseudoRoot:
		return n.Parent != nil && n.Parent.Type == html.DocumentNode
	case pseudoEmpty:
		return n.FirstChild == nil
	case pseudoLink:
		return attr(n, "href") != ""
	case pseudoLang:
		want := q.inner[0].links[0].tag
		for p := n; p != nil; p = p.Parent {
			if lang := strings.ToLower(attr(p, "lang")); lang != "" {
				return lang == want || strings.HasPrefix(lang, want+"-")
			}
		}
	case pseudoNth, pseudoNthLast, pseudoNthKind, pseudoNthLastK:
		return q.counts(n, steps)
	}
	return false
}

// counts reports an element at a place among those beside it.
func (q *pseudo) counts(n *html.Node, steps *int) bool {
	place := 1
	for b := n; ; {
		if q.kind == pseudoNthLast || q.kind == pseudoNthLastK {
			b = b.NextSibling
		} else {
			b = b.PrevSibling
		}
		if b == nil {
			break
		}
		if *steps--; *steps <= 0 {
			return false
		}
		if b.Type == html.ElementNode && (q.kind < pseudoNthKind || b.Data == n.Data) {
			if place++; q.step == 0 && place > q.off {
				return false
			}
		}
	}
	if q.step == 0 {
		return place == q.off
	}
	return (place-q.off)%q.step == 0 && (place-q.off)/q.step >= 0
}
