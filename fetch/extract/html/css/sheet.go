package css

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/internal/lazyregexp"
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
	selector selector
	settings []setting
	priority priority
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
		switch media := attr(n, "media"); {
		case media != "" && condition(media) != always:
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
		newReader(s, sheet).rules(always, 0)
	}
	return s
}

// reader reads the rules of one sheet.
type reader struct {
	sheet *Sheet
	lexer *css.Lexer
}

func newReader(s *Sheet, text string) *reader {
	return &reader{s, css.NewLexer(parse.NewInputString(text))}
}

// holds says when the rules of a block hold.
type holds int

const (
	always holds = iota
	sometimes
	never
)

// condition judges a media query.
func condition(query string) holds {
	switch query = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(query), "only ")); {
	case query == "", query == "all", query == "screen":
		return always
	case strings.HasPrefix(query, "print"), strings.HasPrefix(query, "speech"), query == "not all", query == "not screen":
		return never
	}
	return sometimes
}

// rules reads rules up to the end of the block around them.
func (r *reader) rules(when holds, depth int) {
	var prelude strings.Builder
	for {
		switch kind, data := r.lexer.Next(); kind {
		case css.ErrorToken:
			return
		case css.RightBraceToken:
			if depth > 0 { // else it closes nothing
				return
			}
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
	r.sheet.moves = r.sheet.moves || strings.HasSuffix(name, "keyframes")
	switch {
	case depth > maxNesting, name == "@supports" && strings.HasPrefix(strings.TrimSpace(query), "not"):
		when = never
	case name == "@media":
		when = max(when, condition(query))
	case strings.HasPrefix(name, "@media("), name == "@container", name == "@scope":
		when = max(when, sometimes)
	case name != "@supports" && name != "@layer":
		when = never
	}
	if when == never {
		r.skip()
		return
	}
	r.rules(when, depth)
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
	var text strings.Builder
	end := func() {
		name, value, colon := strings.Cut(text.String(), ":")
		if s, ok := settingOf(name, value); ok && colon {
			all = append(all, s)
		}
		text.Reset()
	}
	for {
		switch kind, data := r.lexer.Next(); kind {
		case css.ErrorToken, css.RightBraceToken:
			end()
			return all
		case css.SemicolonToken:
			end()
		case css.LeftBraceToken:
			r.skip()
			text.Reset()
		case css.CommentToken:
		default:
			if text.Len() < maxSelector {
				text.Write(data)
			}
		}
	}
}

// add takes a rule for each of its selectors. One that is invalid, or is about an element in a state such as :hover, selects
// nothing that is seen. What another element's state shows is seen at times.
func (r *reader) add(selectors string, settings []setting, when holds) {
	s := r.sheet
	if len(settings) == 0 {
		return
	}
	if shown := states.ReplaceAllString(selectors, "$1"); shown != selectors {
		selectors, when = shown, sometimes
	}
	group, err := cascadia.ParseGroup(selectors)
	if err != nil {
		group = nil
		for one := range strings.SplitSeq(selectors, ",") {
			if sel, err := cascadia.Parse(one); err == nil && len(one) <= maxSelector {
				group = append(group, sel)
			}
		}
	}
	for _, sel := range group {
		text := strings.ReplaceAll(sel.String(), `\-`, "-") // cascadia escapes it
		if s.left--; s.left < 0 || sel.PseudoElement() != "" || len(text) > maxSelector {
			continue
		}
		if same, err := cascadia.Parse(text); err != nil || same.Specificity() != sel.Specificity() {
			continue // a name with an escaped sign, which cascadia writes without the escape
		}
		last, elsewhere := s.lastCompound(text)
		one := &rule{settings: settings, may: when == sometimes || elsewhere}
		if elsewhere {
			text = last
		}
		one.priority = priorityOf(sel.Specificity(), maxRules-s.left+1)
		if one.selector = selectorOf(text); one.selector == nil {
			continue
		}
		m := keyed.FindStringSubmatch(last)
		key := m[2]
		if key == "" {
			key = m[1]
		}
		s.rules[key] = append(s.rules[key], one)
	}
}

var (
	// the states of an element before the last of a selector
	states = lazyregexp.New(`:(?:hover|active|focus(?:-within|-visible)?|checked|target)(\s*[ >+~])`)
	// the tag, and the class or id, of a compound selector
	keyed    = lazyregexp.New(`^(?:(\w[\w-]*)|\*)?([.#][^.#\[:]+)?`)
	opened   = lazyregexp.New(`^\.(?:is-)?(?:active|open(?:ed)?|shown?|visible|expanded|selected|current)$`)
	compound = lazyregexp.New(`(?:\\.|[^\\\s>+~()\[\]]|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])+$`)
	named    = lazyregexp.New(`\([^()]*\)|\[[^\]]*\]|[.#](?:[\w-]|\\.|[^\x00-\x7f])+`)
)

// lastCompound returns the part of a selector that is about the element itself, without the classes and ids that no element
// of the page has, or that say which of several parts is open; elsewhere reports whether the selector has such: a script may add
// them, and the rule holds then.
func (s *Sheet) lastCompound(selector string) (last string, elsewhere bool) {
	drop := func(name string) string {
		if name[0] == '(' || name[0] == '[' || s.names[name] && !opened.MatchString(name) {
			return name
		}
		elsewhere = true
		return ""
	}
	last = compound.FindString(selector)
	named.ReplaceAllStringFunc(strings.TrimSuffix(selector, last), drop)
	return named.ReplaceAllStringFunc(last, drop), elsewhere
}
