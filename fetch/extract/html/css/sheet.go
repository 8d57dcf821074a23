package css

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Sheet is what a page's own sheets say about how it is seen. External sheets are read where the caller loads them.
type Sheet struct {
	External bool // the page has sheets that are not read, which may set colours

	rules     map[string][]*rule // by selector.keys
	fades     bool               // it has animations of its own
	quirks    bool               // it has no document type
	steps     int                // comparisons of elements with selectors that are left
	left      int                // rules that may still be read
	variables map[*html.Node]map[string]variable
	names     map[string]bool // classes and ids of the page, with "." or "#"; nil if they are not known
	known     map[*html.Node]Style
}

// variable is a custom property of an element.
type variable struct {
	value string
	at    priority
}

// rule is a rule for one selector.
type rule struct {
	selector  *selector
	settings  []setting
	order     int
	sometimes bool // it holds under a condition
	elsewhere bool // it is for elements in or beside ones that the page does not have
}

// Bounds for what is read: the largest <style> of the 751 gold pages has 600 kB.
const (
	maxStyleBytes = 2 << 20 // of all sheets of a page
	maxStyleRules = 50_000
	maxSelector   = 400        // bytes; longer ones are generated, or an attack
	maxEverywhere = 300        // rules that are compared with every element
	maxNesting    = 12         // blocks in blocks
	maxSteps      = 20_000_000 // comparisons of elements with selectors, a fraction of a second
)

// None is the sheet of a page without one.
func None() *Sheet {
	return &Sheet{
		rules: map[string][]*rule{}, variables: map[*html.Node]map[string]variable{},
		known: map[*html.Node]Style{}, steps: maxSteps, left: maxStyleRules,
	}
}

// Read collects the rules of a page, before anything is taken out of it. load returns a linked sheet, and may be nil.
func Read(doc *html.Node, load func(href string) (css string, ok bool)) *Sheet {
	s := None()
	s.names = namesOf(doc)
	s.quirks = true
	left := maxStyleBytes
	for n := range doc.Descendants() {
		if n.Type == html.DoctypeNode {
			s.quirks = false
		}
		css := ""
		switch {
		case n.DataAtom == atom.Link && strings.Contains(strings.ToLower(Attr(n, "rel")), "stylesheet"):
			if load != nil {
				css, _ = load(Attr(n, "href"))
			}
			s.External = s.External || css == ""
		case n.DataAtom == atom.Style && n.FirstChild != nil:
			css = n.FirstChild.Data
		}
		holds := mediaHolds(Attr(n, "media"))
		if css == "" || holds == never {
			continue
		}
		if left -= len(css); left < 0 {
			break
		}
		s.fades = s.fades || strings.Contains(css, "@keyframes") || strings.Contains(css, "@-webkit-keyframes")
		s.External = s.External || strings.Contains(css, "color-scheme")
		s.read(normalize(css), scope{holds: holds})
	}
	return s
}

// certainty is whether the condition of a rule holds on the screens that people have.
type certainty uint8

const (
	never certainty = iota
	sometimes
	always
)

var (
	anyWindow   = lazyregexp.New(`\(\s*(?:min-(?:width|height):\s*(?:0|[12]?\d?\d|3[01]\d|320)(?:px)?|max-(?:width|height):\s*\d{5,}px)\s*\)`)
	otherMedium = lazyregexp.New(`^(?:only )?(?:print|speech|aural|braille|handheld|tty|tv|projection|embossed)\b|^not (?:all|screen)$`)
	noCondition = lazyregexp.New(`^(?:(?:only )?(?:all|screen)|not (?:print|speech))?$`)
)

// mediaHolds reads a media query. Speech and paper are not read with a browser; a feature of the window holds sometimes,
// unless each window has it.
func mediaHolds(list string) certainty {
	best := never
	for query := range strings.SplitSeq(strings.ToLower(list), ",") {
		query = anyWindow.ReplaceAllString(strings.Join(strings.Fields(query), " "), "")
		query = strings.TrimSuffix(strings.TrimSpace(query), " and")
		switch {
		case noCondition.MatchString(query):
			return always
		case !otherMedium.MatchString(query):
			best = sometimes
		}
	}
	return best
}

// supportHolds reads the condition of @supports. What browsers support of the properties that are read here is known.
func supportHolds(condition string) certainty {
	if inner, not := strings.CutPrefix(condition, "not"); not {
		return always - supportHolds(inner)
	}
	for part := range strings.SplitSeq(condition, " and ") {
		name, value, _ := strings.Cut(strings.Trim(part, "() "), ":")
		if len(settingsOf(nil, strings.TrimSpace(name), strings.TrimSpace(value), false, false)) == 0 {
			return sometimes
		}
	}
	return always
}

// scope is what is around a rule.
type scope struct {
	holds   certainty
	parents string // the selectors of the rule around it
	depth   int
}

// read goes through rules. Inside of a rule these are nested, and beside declarations.
func (s *Sheet) read(css string, in scope) {
	if in.depth > maxNesting {
		return
	}
	own := 0 // where the declarations begin that were not taken
	for at := 0; at < len(css) && s.left > 0; {
		c := css[at]
		switch {
		case c == ';':
			head := strings.TrimSpace(css[own:at])
			switch {
			case strings.HasPrefix(head, "@"):
				s.External = s.External || strings.HasPrefix(strings.ToLower(head), "@import")
			case in.parents != "":
				s.add(in.parents, head, in)
			default: // a part of the next selector, which it makes invalid
				at++
				continue
			}
			at++
			own = at
		case c == '{':
			head := strings.Trim(css[own:at], " \t\r\n\f\x01")
			body, rest := blockOf(css[at+1:])
			s.left--
			for _, mark := range []string{"<!--", "-->"} {
				if in.parents == "" {
					head = strings.TrimSpace(strings.TrimPrefix(head, mark))
				}
			}
			s.block(head, body, in)
			css, at, own = rest, 0, 0
		default:
			at++
		}
	}
	if in.parents != "" && own < len(css) {
		s.add(in.parents, css[own:], in)
	}
}

// block is a rule, or an at-rule with a block.
func (s *Sheet) block(head, body string, in scope) {
	in.depth++
	if strings.HasPrefix(head, "@") {
		end := strings.IndexAny(head, " \t\r\n\f(\x01")
		if end < 0 {
			end = len(head)
		}
		condition := strings.ToLower(strings.TrimSpace(strings.ReplaceAll(head[end:], string(commentMark), " ")))
		switch strings.ToLower(head[:end]) {
		case "@media":
			in.holds = min(in.holds, mediaHolds(condition))
		case "@supports":
			in.holds = min(in.holds, supportHolds(condition))
		case "@layer":
		case "@container", "@scope":
			in.holds = min(in.holds, sometimes)
		default: // @keyframes, @font-face, @page and others hold no rules for elements
			return
		}
		if in.holds != never {
			s.read(body, in)
		}
		return
	}
	head = strings.ReplaceAll(head, string(commentMark), "")
	if in.parents != "" {
		head = nested(in.parents, head)
	}
	if len(head) > 50*maxSelector {
		return
	}
	if strings.IndexByte(body, '{') < 0 {
		s.add(head, body, in)
		return
	}
	in.parents = head
	s.read(body, in)
}

// nested is a list of selectors inside of a rule, for all elements.
func nested(parents, list string) string {
	if len(parents) > maxSelector {
		return ""
	}
	around := ":is(" + parents + ")"
	all := splitOutside(list, ",")
	for i, one := range all {
		one = strings.TrimSpace(one)
		if strings.Contains(one, "&") {
			all[i] = strings.ReplaceAll(one, "&", around)
		} else {
			all[i] = around + " " + one
		}
		if len(all[i]) > maxSelector {
			all[i] = ""
		}
	}
	return strings.Join(all, ",")
}

// add takes the declarations of a rule.
func (s *Sheet) add(selectors, body string, in scope) {
	settings := declares(body, s.quirks)
	if len(settings) == 0 {
		return
	}
	var all []*selector
	for _, one := range splitOutside(selectors, ",") {
		one = strings.TrimSpace(one)
		if len(one) > maxSelector {
			continue
		}
		parsed, ok := parseSelectors(one)
		if !ok { // one that is invalid makes the list invalid
			return
		}
		all = append(all, parsed...)
	}
	for _, parsed := range all {
		keys := parsed.keys()
		if keys[0] != parsed.compounds[0].tag && !slices.ContainsFunc(keys, s.hasName) || keys[0] == "" && len(s.rules[""]) >= maxEverywhere {
			continue
		}
		r := &rule{selector: parsed, settings: settings, order: maxStyleRules - s.left, sometimes: in.holds == sometimes}
		r.elsewhere = slices.ContainsFunc(parsed.compounds, func(c compound) bool { return !s.has(&c) })
		for _, key := range keys {
			s.rules[key] = append(s.rules[key], r)
		}
	}
}

// namesOf are the classes and ids of a page.
func namesOf(doc *html.Node) map[string]bool {
	names := map[string]bool{}
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "class":
				for class := range strings.FieldsSeq(a.Val) {
					names["."+class] = true
				}
			case "id":
				names["#"+strings.TrimSpace(a.Val)] = true
			}
		}
	}
	return names
}

func (s *Sheet) hasName(name string) bool { return s.names == nil || s.names[name] }

// has reports whether the page has the classes and the id of a compound.
func (s *Sheet) has(c *compound) bool {
	return (c.id == "" || s.hasName("#"+c.id)) && !slices.ContainsFunc(c.classes, func(class string) bool { return !s.hasName("." + class) })
}

// MayStyle reports an element whose colours may come from rules that are not read.
func (s *Sheet) MayStyle(n *html.Node) bool {
	return s.External && (strings.TrimSpace(Attr(n, "class")) != "" || Attr(n, "id") != "")
}

// priority orders declarations for the same property: the higher holds.
type priority uint64

// Priorities by where a declaration is.
const (
	orderBits                = 20
	specificityBits          = 18
	inlineBit       priority = 1 << (orderBits + specificityBits)
	importantBit    priority = inlineBit << 1
)

func (r *rule) priority(important bool) priority {
	p := 1 + priority(min(r.selector.specificity, 1<<specificityBits-1))<<orderBits | priority(r.order)
	if important {
		p |= importantBit
	}
	return p
}
