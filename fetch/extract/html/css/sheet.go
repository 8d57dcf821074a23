// Package css says which elements a page hides: by display, visibility, opacity, sizes of nothing, and places off the page,
// in style attributes and in the page's own sheets.
//
// Selectors are cascadia's, tokens those of tdewolff/parse. Colours, transforms, custom properties and the conditions of
// media queries are not computed: a rule under a condition can only show what others hide.
package css

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Sheet holds the rules of a page that say whether an element is seen.
type Sheet struct {
	rules map[string][]*rule // by the class, id or tag that the selected element must have
	names map[string]bool    // classes and ids of the page, with "." or "#"
	moves bool               // the page has animations of its own
	left  int                // rules that may still be read
	steps int                // comparisons of elements with rules that are left
}

// rule is a rule for one selector.
type rule struct {
	selector cascadia.Sel
	settings []setting
	order    int
	may      bool // it holds under a condition, or if a script adds a class: it can only show
}

// Bounds for what is read of one page.
const (
	maxSheetBytes = 2 << 20
	maxRules      = 50_000
	maxSelector   = 400 // bytes
	maxNesting    = 12
	maxSteps      = 5_000_000
)

// Read collects the rules of a page. load returns a sheet to which the page links, and may be nil.
func Read(doc *html.Node, load func(href string) (sheet string, ok bool)) *Sheet {
	s := &Sheet{rules: map[string][]*rule{}, names: map[string]bool{}, left: maxRules, steps: maxSteps}
	var sheets []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for class := range strings.FieldsSeq(attr(n, "class")) {
			s.names["."+class] = true
		}
		s.names["#"+attr(n, "id")] = true
		if media := strings.ToLower(attr(n, "media")); media != "" && condition(media) != always {
			continue
		}
		switch {
		case n.DataAtom == atom.Style && n.FirstChild != nil:
			sheets = append(sheets, n.FirstChild.Data)
		case n.DataAtom == atom.Link && load != nil && strings.EqualFold(attr(n, "rel"), "stylesheet"):
			if sheet, ok := load(attr(n, "href")); ok {
				sheets = append(sheets, sheet)
			}
		}
	}
	left := maxSheetBytes
	for _, sheet := range sheets {
		if left -= len(sheet); left < 0 {
			break
		}
		r := reader{sheet: s, lexer: css.NewLexer(parse.NewInputString(sheet))}
		r.rulesUntil(always, 0)
	}
	return s
}

// reader reads the rules of one sheet.
type reader struct {
	sheet *Sheet
	lexer *css.Lexer
}

// holds says when the rules of a block hold.
type holds int

const (
	always holds = iota
	sometimes
	never
)

// condition judges a media query or another condition.
func condition(query string) holds {
	switch query = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(query), "only ")); {
	case query == "", query == "all", query == "screen":
		return always
	case strings.HasPrefix(query, "print"), strings.HasPrefix(query, "speech"), query == "not all", query == "not screen":
		return never
	}
	return sometimes
}

// rulesUntil reads rules up to the end of the block around them.
func (r *reader) rulesUntil(when holds, depth int) {
	var prelude strings.Builder
	for {
		kind, data := r.lexer.Next()
		switch kind {
		case css.ErrorToken, css.RightBraceToken:
			if kind == css.RightBraceToken && depth == 0 { // it closes nothing
				continue
			}
			return
		case css.CommentToken, css.CDOToken, css.CDCToken:
		case css.SemicolonToken:
			prelude.Reset()
		case css.LeftBraceToken:
			r.block(strings.TrimSpace(prelude.String()), when, depth+1)
			prelude.Reset()
		default:
			if prelude.Len() <= 50*maxSelector {
				prelude.Write(data)
			}
		}
	}
}

// block reads the block behind a prelude.
func (r *reader) block(prelude string, when holds, depth int) {
	name, query, _ := strings.Cut(strings.ToLower(prelude), " ")
	if !strings.HasPrefix(name, "@") {
		r.add(prelude, r.declarations(), when)
		return
	}
	if strings.HasSuffix(name, "keyframes") {
		r.sheet.moves = true
	}
	switch {
	case depth > maxNesting:
		when = never
	case name == "@media":
		when = max(when, condition(query))
	case strings.HasPrefix(name, "@media("), name == "@container", name == "@scope":
		when = max(when, sometimes)
	case name == "@supports":
		if strings.HasPrefix(strings.TrimSpace(query), "not") {
			when = never
		}
	case name == "@layer":
	default:
		when = never
	}
	if when == never {
		r.skip()
		return
	}
	r.rulesUntil(when, depth)
}

// skip reads to the end of a block.
func (r *reader) skip() {
	for open := 1; open > 0; {
		switch kind, _ := r.lexer.Next(); kind {
		case css.LeftBraceToken:
			open++
		case css.RightBraceToken:
			open--
		case css.ErrorToken:
			return
		}
	}
}

// declarations reads the declarations of a block; rules that are nested in it are left out.
func (r *reader) declarations() (all []setting) {
	var d declaration
	for {
		kind, data := r.lexer.Next()
		switch kind {
		case css.ErrorToken, css.RightBraceToken:
			return d.end(all)
		case css.SemicolonToken:
			all = d.end(all)
		case css.LeftBraceToken:
			r.skip()
			d = declaration{}
		default:
			d.add(kind, data)
		}
	}
}

// add takes a rule for each of its selectors.
func (r *reader) add(selectors string, settings []setting, when holds) {
	s := r.sheet
	if len(settings) == 0 || when == never {
		return
	}
	group, err := cascadia.ParseGroup(selectors)
	if err != nil { // one that is invalid, or has a state such as :hover, is no selector of what is seen
		group = nil
		for one := range strings.SplitSeq(selectors, ",") {
			if sel, err := cascadia.Parse(one); err == nil && len(one) <= maxSelector {
				group = append(group, sel)
			}
		}
	}
	for _, sel := range group {
		if s.left--; s.left < 0 || sel.PseudoElement() != "" {
			continue
		}
		text := sel.String()
		if len(text) > maxSelector {
			continue
		}
		last, elsewhere := s.lastCompound(text)
		one := &rule{selector: sel, settings: settings, order: maxRules - s.left, may: when == sometimes || elsewhere}
		if elsewhere {
			if one.selector, err = cascadia.Parse(last); err != nil {
				continue
			}
		}
		key := keyOf(last)
		s.rules[key] = append(s.rules[key], one)
	}
}

// lastCompound returns the part of a selector that is about the element itself, without the classes and ids that no element
// of the page has; elsewhere reports whether the selector has such: a script may add them, and the rule holds then.
func (s *Sheet) lastCompound(selector string) (last string, elsewhere bool) {
	var b strings.Builder
	lexer := css.NewLexer(parse.NewInputString(selector))
	dot, depth := false, 0
	for {
		kind, data := lexer.Next()
		text := string(data)
		if kind == css.ErrorToken {
			break
		}
		switch {
		case kind == css.FunctionToken, kind == css.LeftParenthesisToken, kind == css.LeftBracketToken:
			depth++
		case kind == css.RightParenthesisToken, kind == css.RightBracketToken:
			depth--
		case depth > 0:
		case kind == css.WhitespaceToken, text == ">", text == "+", text == "~":
			b.Reset()
			continue
		case text == ".":
			dot = true
			continue
		case dot && !s.names["."+text], kind == css.HashToken && !s.names[text]:
			elsewhere, dot = true, false
			continue
		}
		if dot {
			b.WriteByte('.')
			dot = false
		}
		b.WriteString(text)
	}
	return b.String(), elsewhere
}

// keyOf is the class, id or tag by which a compound selector is looked up; "" for one without.
func keyOf(compound string) string {
	if i := strings.IndexAny(compound, ".#"); i >= 0 && !strings.ContainsAny(compound[:i], "[:") {
		end := strings.IndexAny(compound[i+1:], ".#[:")
		if end < 0 {
			return compound[i:]
		}
		return compound[i : i+1+end]
	}
	end := strings.IndexAny(compound, "[:")
	if end < 0 {
		end = len(compound)
	}
	return strings.TrimPrefix(compound[:end], "*")
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
