package css

import (
	"fmt"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// selector is a selector of one element, such as "aside p.note + ul". cascadia matches attributes and pseudo-classes. The
// way from one element to the next is walked here, where steps bound it: cascadia would try all combinations of elements.
type selector struct {
	compounds   []compound // the element itself first, then those around and beside it
	specificity int
	stateless   bool // neither a script nor a user can make it match another element with the same name
}

// compound is what a selector says of one element.
type compound struct {
	text      string
	match     func(n *html.Node) bool // compiled from text when it is first needed: most rules are for other pages
	tag, id   string
	classes   []string
	attribute bool // it has a test of an attribute
	pseudo    bool // it has a pseudo-class
	siblings  bool // a match may look at all siblings
	inside    bool // or at all elements inside
	joint     byte // how the next compound is related: ' ' around, '>' parent, '+' directly before, '~' before
}

const (
	maxCompounds    = 8  // of one selector
	maxAlternatives = 24 // selectors that one with :is() stands for

	specificityID    = 1 << 12
	specificityClass = 1 << 6
)

// parseSelectors reads a selector, which :is() may make several. It returns none for a pseudo-element, which is not an
// element; false when it is invalid.
func parseSelectors(s string) (all []*selector, ok bool) {
	for _, one := range alternatives(s) {
		parsed, ok := parseSelector(one)
		if !ok {
			return nil, false
		}
		if parsed != nil {
			all = append(all, parsed)
		}
	}
	return all, true
}

func parseSelector(s string) (*selector, bool) {
	sel := &selector{}
	for s != "" {
		end := endOfCompound(s)
		c, element, ok := parseCompound(s[:end])
		if !ok || len(sel.compounds) == maxCompounds {
			return nil, false
		}
		if element {
			return nil, true
		}
		rest := strings.TrimLeft(s[end:], spaces)
		if rest != "" {
			c.joint = ' '
			if strings.IndexByte(">+~", rest[0]) >= 0 {
				c.joint = rest[0]
				rest = strings.TrimLeft(rest[1:], spaces)
			}
			if rest == "" {
				return nil, false
			}
		}
		sel.specificity += c.specificity()
		sel.compounds = append(sel.compounds, c)
		s = rest
	}
	if len(sel.compounds) == 0 {
		return nil, false
	}
	slices.Reverse(sel.compounds)
	own := &sel.compounds[0]
	sel.stateless = len(sel.compounds) == 1 && len(own.classes) < 2 && !own.attribute && !own.pseudo
	return sel, true
}

// endOfCompound is where the compound at the start of s ends.
func endOfCompound(s string) int { return indexOutside(s, spaces+">+~") }

var (
	pseudoClass = lazyregexp.New(`:([A-Za-z-]+)`)
	pseudoArgs  = lazyregexp.New(`:(not|has)\(([^()]*(?:\([^()]*\)[^()]*)*)\)`)
	wrappedNot  = lazyregexp.New(`:not\(\s*:(?:is|where)\(([^()]*)\)\s*\)`)
	oldElement  = lazyregexp.New(`(?i):(?:before|after|first-line|first-letter)$`)
	unknownArgs = lazyregexp.New(`:unknown\([^()]*(?:\([^()]*\)[^()]*)*\)?|:unknown`)
	digitFirst  = lazyregexp.New(`([.#])([0-9])`)
)

// treePseudos are the pseudo-classes that the tree decides. No element has another one now, such as :hover.
var treePseudos = datafile.Words(`not has nth-child nth-last-child nth-of-type nth-last-of-type
	first-child last-child first-of-type last-of-type only-child only-of-type empty root link lang`)

// parseCompound reads what a selector says of one element. element reports one of a pseudo-element.
func parseCompound(s string) (c compound, element, ok bool) {
	base, pseudos, found := strings.Cut(s, ":")
	c = compound{text: s, pseudo: found}
	if found {
		if strings.HasPrefix(pseudos, ":") || strings.Contains(pseudos, "::") || oldElement.MatchString(s) {
			return c, true, true
		}
		c.readPseudos()
	}
	rest := c.readNames(base)
	return c, false, s != "" && (rest == "" || rest[0] == '[' || rest[0] == '.' || rest[0] == '#' || rest == "*") && (base != "" || found)
}

// readPseudos puts a pseudo-class that no element has now in the place of those that the tree does not decide, and of those
// that would cost too much.
func (c *compound) readPseudos() {
	s := wrappedNot.ReplaceAllString(c.text, ":not($1)")
	s = pseudoClass.ReplaceAllStringFunc(s, func(name string) string {
		switch name = strings.ToLower(name); {
		case name == ":any-link":
			return ":link"
		case treePseudos[name[1:]]:
			return name
		}
		return ":unknown"
	})
	s = unknownArgs.ReplaceAllString(s, ":hover")
	for _, args := range pseudoArgs.FindAllStringSubmatch(s, -1) {
		for one := range strings.SplitSeq(args[2], ",") {
			one = strings.Trim(one, spaces)
			joints := len(strings.FieldsFunc(one, func(r rune) bool { return strings.ContainsRune(" >+~", r) })) - 1
			if joints > 0 && args[1] == "has" || joints > 1 || strings.Contains(one, ":has(") {
				s = strings.Replace(s, args[0], ":hover", 1)
				break
			}
			c.siblings = c.siblings || joints > 0
		}
	}
	c.siblings = c.siblings || strings.Contains(s, "-child") || strings.Contains(s, "-of-type")
	c.inside = strings.Contains(s, ":has(")
	c.text = s
}

// specificity counts the names of a compound. That of :where() is not 0 here.
func (c *compound) specificity() int {
	count := func(s string) int { return strings.Count(c.text, s) }
	n := count("#")*specificityID + (count(".")+count("[")+count(":")-count(":not(")-count(":has("))*specificityClass
	if c.tag != "" {
		n++
	}
	return n
}

// compile makes the test of an element. One that cascadia cannot read selects nothing.
func (c *compound) compile() func(*html.Node) bool {
	s := c.text
	if strings.Count(s, "[") == strings.Count(s, "]")+1 { // the end of the sheet closes it
		s += "]"
	}
	sel, err := cascadia.Parse(escapedName(digitFirst.ReplaceAllString(s, `$1\3$2 `)))
	if err != nil {
		return func(*html.Node) bool { return false }
	}
	return sel.Match
}

// readNames reads the tag, the id and the classes of a compound without its pseudo-classes, and returns what is behind the tag.
func (c *compound) readNames(base string) string {
	s, _, found := strings.Cut(base, "[")
	c.attribute = found
	name := func(from int) string {
		end := from
		for end < len(s) && isNameByte(s[end]) {
			end++
		}
		return s[from:end]
	}
	tag := name(0)
	c.tag = strings.ToLower(plainName(tag))
	for i := range len(s) {
		switch s[i] {
		case '.':
			c.classes = append(c.classes, plainName(name(i+1)))
		case '#':
			c.id = plainName(name(i + 1))
		}
	}
	return base[len(tag):]
}

// escapedName writes the characters of names that are no structure as escapes.
func escapedName(s string) string {
	var b strings.Builder
	for _, r := range s {
		if plain := plainRune(r); plain != r {
			fmt.Fprintf(&b, `\%x `, plain)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// alternatives are the selectors without :is() for which one with it stands.
func alternatives(s string) []string {
	list := []string{s}
	for i := 0; i < len(list); {
		more, ok := firstAlternatives(list[i])
		if !ok || len(list)+len(more) > maxAlternatives {
			i++
			continue
		}
		list = slices.Replace(list, i, i+1, more...)
	}
	return list
}

var isClass = lazyregexp.New(`(?i):(?:is|where|matches|-webkit-any|-moz-any)\(`)

// firstAlternatives puts what the first :is() outside of other parentheses may be in its place.
func firstAlternatives(s string) (all []string, ok bool) {
	at := isClass.FindStringIndex(s)
	if at == nil || strings.Count(s[:at[0]], "(") > strings.Count(s[:at[0]], ")") {
		return nil, false
	}
	end := at[1] + closing(s[at[1]:], '(', ')')
	before, after := s[:at[0]], s[min(end+1, len(s)):]
	start := strings.LastIndexAny(before, " >+~") + 1
	around, own := before[:start], before[start:]
	for _, one := range splitOutside(s[at[1]:end], ",") {
		one = strings.Trim(one, spaces)
		switch {
		case one == "":
		case own == "" || !isNameByte(own[0]) && own[0] != '*': // what may begin with a tag comes first
			all = append(all, around+one+own+after)
		case !isNameByte(one[0]) && endOfCompound(one) == len(one):
			all = append(all, around+own+one+after)
		}
	}
	return all, len(all) > 0
}

// matches reports whether a selector selects an element. steps bounds the comparisons of a page; when none is left,
// nothing is selected.
func (s *selector) matches(n *html.Node, steps *int) bool { return s.matchesFrom(0, n, steps) }

func (s *selector) matchesFrom(i int, n *html.Node, steps *int) bool {
	if *steps--; *steps <= 0 || !s.compounds[i].matches(n, steps) {
		return false
	}
	if i+1 == len(s.compounds) {
		return true
	}
	next, joint := func(n *html.Node) *html.Node { return n.Parent }, s.compounds[i+1].joint
	if joint == '+' || joint == '~' {
		next = func(n *html.Node) *html.Node { return n.PrevSibling }
	}
	for p := next(n); p != nil && *steps > 0; p = next(p) {
		if *steps--; p.Type != html.ElementNode {
			continue
		}
		if s.matchesFrom(i+1, p, steps) {
			return true
		}
		if joint == '>' || joint == '+' {
			return false
		}
	}
	return false
}

func (c *compound) matches(n *html.Node, steps *int) bool {
	if n.Type != html.ElementNode || c.tag != "" && c.tag != n.Data || !c.hasNames(n) {
		return false
	}
	if !c.attribute && !c.pseudo { // most are names alone
		return true
	}
	if c.siblings && n.Parent != nil {
		for range n.Parent.ChildNodes() {
			if *steps--; *steps <= 0 {
				return false
			}
		}
	}
	if c.inside {
		for range n.Descendants() {
			if *steps--; *steps <= 0 {
				return false
			}
		}
	}
	if c.match == nil {
		c.match = c.compile()
	}
	return c.match(n)
}

// hasNames reports an element with the id and the classes of a compound.
func (c *compound) hasNames(n *html.Node) bool {
	if c.id != "" && strings.TrimSpace(attr(n, "id")) != c.id {
		return false
	}
	for _, class := range c.classes {
		if !hasWord(attr(n, "class"), class) {
			return false
		}
	}
	return true
}

func hasWord(list, word string) bool {
	if !strings.Contains(list, word) {
		return false
	}
	for one := range strings.FieldsSeq(list) {
		if one == word {
			return true
		}
	}
	return false
}

// keys are the names by which a rule for the selector is found, of which an element must have one: "" for any.
func (s *selector) keys() []string {
	own := &s.compounds[0]
	switch {
	case own.id != "":
		return []string{"#" + own.id}
	case len(own.classes) > 0:
		keys := make([]string, len(own.classes))
		for i, class := range own.classes {
			keys[i] = "." + class
		}
		return keys
	}
	return []string{own.tag}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
