package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// styleSheet is what a page's own <style> elements say about what is seen: by the selectors "tag", ".x", "#x",
// "tag.x" and "tag#x", as written, and by chains of them for what they hide. Other selectors hide nothing, and external
// sheets are not read.
type styleSheet struct {
	rules      map[string]style  // by selector, lower case up to the name
	chains     []chain           // selectors of more than one element that hide
	shows      map[string]hiding // by names, with "." or "#": what some rule undoes under a condition, as for a menu or a tab
	external   bool              // the page has sheets or rules that are not read, which may set colours
	fades      bool              // it has animations of its own
	steps      int               // comparisons of elements with chains that are left
	controlled map[string]bool   // ids of parts that something visible opens
}

// Bounds for what is read: the largest <style> of the 751 gold pages has 600 kB.
const (
	maxStyleBytes = 2 << 20 // of all sheets of a page
	maxStyleRules = 50_000
	maxSelector   = 200        // bytes; longer ones are generated, or an attack
	maxChains     = 500        // selectors of more than one element
	maxSteps      = 20_000_000 // comparisons of elements with them, a fraction of a second
)

func newStyleSheet() *styleSheet {
	return &styleSheet{rules: map[string]style{}, shows: map[string]hiding{}, steps: maxSteps}
}

// readStyles collects the rules of a page. It must run before the tree is pruned.
func readStyles(doc *html.Node) *styleSheet {
	s := newStyleSheet()
	s.controlled = controlledParts(doc)
	left, rules := maxStyleBytes, maxStyleRules
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Link && strings.Contains(strings.ToLower(attr(n, "rel")), "stylesheet") {
			s.external = true
		}
		if n.DataAtom != atom.Style || n.FirstChild == nil {
			continue
		}
		switch media := strings.ToLower(strings.TrimSpace(attr(n, "media"))); media {
		case "", "all", "screen":
		default:
			continue
		}
		css := n.FirstChild.Data
		if left -= len(css); left < 0 {
			break
		}
		s.fades = s.fades || strings.Contains(css, "@keyframes") || strings.Contains(css, "@-webkit-keyframes")
		s.read(withoutComments(css), &rules)
	}
	return s
}

// read goes through the rules of a sheet. Those inside of @media and its like hold under a condition, so what
// they hide is not believed, and what they show is, unless the condition is paper.
func (s *styleSheet) read(css string, rules *int) {
	depth, paper := 0, 0 // of at-rules that hold rules; the depth at which one for paper began
	for len(css) > 0 && *rules > 0 {
		end := strings.IndexAny(css, "{};")
		if end < 0 {
			return
		}
		head, mark := strings.TrimSpace(css[:end]), css[end]
		css = css[end+1:]
		*rules--
		switch {
		case mark == '}':
			depth = max(0, depth-1)
			if depth < paper {
				paper = 0
			}
		case mark == ';':
			s.external = s.external || strings.HasPrefix(head, "@import")
		case strings.HasPrefix(head, "@media"), strings.HasPrefix(head, "@supports"), strings.HasPrefix(head, "@layer"), strings.HasPrefix(head, "@container"), strings.HasPrefix(head, "@keyframes"), strings.HasPrefix(head, "@-"):
			depth++
			if paper == 0 && strings.HasPrefix(head, "@media") && strings.Contains(head, "print") && !strings.Contains(head, "screen") {
				paper = depth
			}
		default:
			body, rest, closed := strings.Cut(css, "}")
			if !closed {
				return
			}
			css = rest
			if paper == 0 {
				s.rule(head, body, depth > 0)
			}
		}
	}
}

// withoutComments leaves the comments of a sheet out; one that does not end takes the rest with it.
func withoutComments(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for {
		before, rest, opened := strings.Cut(css, "/*")
		b.WriteString(before)
		if !opened {
			return b.String()
		}
		if _, css, opened = strings.Cut(rest, "*/"); !opened {
			return b.String()
		}
		b.WriteByte(' ')
	}
}

func (s *styleSheet) rule(selectors, body string, conditional bool) {
	said := declares(body, s.fades)
	if said == (style{}) || len(selectors) > 50*maxSelector {
		return
	}
	for selector := range strings.SplitSeq(selectors, ",") {
		selector = strings.TrimSpace(selector)
		if len(selector) > maxSelector {
			continue
		}
		simple := isSimpleSelector(selector)
		switch {
		case simple && !conditional:
			selector = lowerTag(selector)
			s.rules[selector] = said.over(s.rules[selector]) // the later one holds
		case simple || said.hides == 0:
		case !conditional && len(s.chains) < maxChains:
			if c, ok := parseChain(selector); ok {
				c.hides = said.hides
				s.chains = append(s.chains, c)
			}
		}
		if simple && !conditional {
			continue
		}
		s.external = s.external || said.color.said() || said.ground.said()
		if said.shows != 0 {
			eachName(selector, func(name string) { s.shows[name] |= said.shows })
		}
	}
}

// isSimpleSelector reports a tag, or one class or id with or without a tag before it.
func isSimpleSelector(s string) bool {
	at := strings.IndexAny(s, ".#")
	if at+1 == len(s) {
		return false
	}
	for i := range len(s) {
		if i != at && !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c >= 0x80
}

func lowerTag(selector string) string {
	at := strings.IndexAny(selector, ".#")
	if at < 0 {
		return strings.ToLower(selector)
	}
	return strings.ToLower(selector[:at]) + selector[at:]
}

// eachName calls fn with the classes and ids of a selector.
func eachName(selector string, fn func(string)) {
	for i := 0; i < len(selector); i++ {
		if selector[i] != '.' && selector[i] != '#' {
			continue
		}
		j := i + 1
		for j < len(selector) && isNameByte(selector[j]) {
			j++
		}
		if j > i+1 {
			fn(selector[i:j])
		}
		i = j - 1
	}
}

// styleOf returns what the attributes of an element and the rules of the page say about whether it is seen. What an
// attribute says holds against a rule.
func (s *styleSheet) styleOf(n *html.Node) style {
	var own, ruled style
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			if a.Val != "until-found" { // which the browser's search shows
				ruled.hides |= byDisplay
			}
		case "popover":
			ruled.hides |= byDisplay
		case "bgcolor":
			ruled.ground = parsePaint(strings.ToLower(a.Val))
		case "color":
			if n.DataAtom == atom.Font {
				ruled.color = parsePaint(strings.ToLower(a.Val))
			}
		case "style":
			own = declares(a.Val, s != nil && s.fades)
		}
	}
	if s == nil {
		return own.over(ruled)
	}
	ruled = s.rules[n.Data].over(ruled)
	for _, a := range n.Attr {
		switch a.Key {
		case "class":
			shown := hiding(0)
			var classes style
			for name := range strings.FieldsSeq(a.Val) {
				name = "." + name
				shown |= s.shows[name]
				classes = s.rules[n.Data+name].over(s.rules[name]).over(classes)
			}
			classes.hides &^= shown
			ruled = classes.over(ruled)
		case "id":
			name := "#" + strings.TrimSpace(a.Val)
			id := s.rules[n.Data+name].over(s.rules[name])
			id.hides &^= s.shows[name]
			ruled = id.over(ruled)
		}
	}
	for i := range s.chains {
		if c := &s.chains[i]; c.hides&^ruled.hides != 0 && c.matches(n, &s.steps) {
			ruled.hides |= c.hides &^ s.undone(n)
		}
	}
	return own.over(ruled)
}

// over returns what holds if s is said in addition to less, and counts for more.
func (s style) over(less style) style {
	s.hides |= less.hides &^ s.shows
	s.shows |= less.shows &^ s.hides
	if !s.color.said() {
		s.color = less.color
	}
	if !s.ground.said() {
		s.ground = less.ground
	}
	return s
}

// undone returns what some rule undoes under a condition for the names of an element.
func (s *styleSheet) undone(n *html.Node) (shown hiding) {
	for _, a := range n.Attr {
		switch a.Key {
		case "class":
			for name := range strings.FieldsSeq(a.Val) {
				shown |= s.shows["."+name]
			}
		case "id":
			shown |= s.shows["#"+strings.TrimSpace(a.Val)]
		}
	}
	return shown
}

// mayStyle reports an element whose colours may come from rules that are not read.
func (s *styleSheet) mayStyle(n *html.Node) bool {
	return s != nil && s.external && (strings.TrimSpace(attr(n, "class")) != "" || attr(n, "id") != "")
}
