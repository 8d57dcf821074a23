package css

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Sheet is what a page's own sheets say about how it is seen. External sheets are read where the caller loads them.
type Sheet struct {
	External bool // the page has sheets that are not read, which may set colours

	rules     map[string][]*rule // by selector.keys
	fades     bool               // it has animations of its own
	quirks    bool               // it has no document type
	steps     int                // comparisons of elements with selectors that are left
	left      int                // rules that may still be read
	layers    map[string]int     // order of cascade layers by name
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
	layer     int
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
		rules: map[string][]*rule{}, layers: map[string]int{}, variables: map[*html.Node]map[string]variable{},
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
		case n.DataAtom == atom.Link && strings.Contains(strings.ToLower(attr(n, "rel")), "stylesheet"):
			if load != nil {
				css, _ = load(attr(n, "href"))
			}
			s.External = s.External || css == ""
		case n.DataAtom == atom.Style && n.FirstChild != nil:
			css = n.FirstChild.Data
		}
		holds := mediaHolds(attr(n, "media"))
		if css == "" || holds == never {
			continue
		}
		if left -= len(css); left < 0 {
			break
		}
		s.fades = s.fades || strings.Contains(css, "@keyframes") || strings.Contains(css, "@-webkit-keyframes")
		s.External = s.External || strings.Contains(css, "color-scheme")
		s.read(normalize(css), scope{holds: holds, layer: unlayered})
	}
	return s
}

// scope is what is around a rule.
type scope struct {
	holds   certainty
	layer   int    // its order; unlayered = none
	layers  string // its name
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
				s.statement(head, in)
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

// statement is an at-rule without a block.
func (s *Sheet) statement(head string, in scope) {
	switch name, names, _ := strings.Cut(head, " "); strings.ToLower(name) {
	case "@import":
		s.External = true
	case "@layer":
		for layer := range strings.SplitSeq(names, ",") {
			s.layerOf(in.layers, strings.TrimSpace(layer))
		}
	}
}

// layerOf returns the full name of a layer and its order, which it gets when it is first named. Layers without a name are
// different ones.
func (s *Sheet) layerOf(around, name string) (full string, order int) {
	full = around + "." + cmp.Or(name, strconv.Itoa(len(s.layers)))
	order, known := s.layers[full]
	if !known {
		order = min(len(s.layers), unlayered-1)
		s.layers[full] = order
	}
	return full, order
}

// block is a rule, or an at-rule with a block.
func (s *Sheet) block(head, body string, in scope) {
	in.depth++
	if strings.HasPrefix(head, "@") {
		end := strings.IndexAny(head, " \t\r\n\f(\x01")
		if end < 0 {
			end = len(head)
		}
		condition := strings.TrimSpace(strings.ReplaceAll(head[end:], string(commentMark), " "))
		switch strings.ToLower(head[:end]) {
		case "@media":
			in.holds = min(in.holds, mediaHolds(condition))
		case "@supports":
			in.holds = min(in.holds, supportHolds(condition))
		case "@layer":
			in.layers, in.layer = s.layerOf(in.layers, condition)
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
		r := &rule{selector: parsed, settings: settings, layer: in.layer, order: maxStyleRules - s.left, sometimes: in.holds == sometimes}
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
	return s.External && (strings.TrimSpace(attr(n, "class")) != "" || attr(n, "id") != "")
}

// priority orders declarations for the same property: the higher holds.
type priority uint64

// Priorities by where a declaration is. Of important ones the order of the layers is reversed.
const (
	orderBits                = 20
	specificityBits          = 18
	layerShift               = orderBits + specificityBits
	layerBits                = 10
	unlayered                = 1<<layerBits - 1
	inlineBit       priority = 1 << (layerShift + layerBits)
	importantBit    priority = inlineBit << 1
)

func (r *rule) priority(important bool) priority {
	layer := priority(r.layer)
	if important {
		layer = unlayered - layer
	}
	p := 1 + layer<<layerShift | priority(min(r.selector.specificity, 1<<specificityBits-1))<<orderBits | priority(r.order)
	if important {
		p |= importantBit
	}
	return p
}
