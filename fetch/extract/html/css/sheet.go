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
	rules  map[string][]*rule // by the class, id or tag that the selected element must have
	names  map[string]bool    // classes and ids of the page, with "." or "#"
	moves  bool               // the page has animations of its own
	counts bool               // it has counters of its own
	left   int                // rules that may still be read
	steps  int                // comparisons of elements with rules that are left
}

// rule is a rule for one selector.
type rule struct {
	selector selector
	settings []setting
	rank     int
	may      bool // it holds under a condition, or if a script adds a class: it can only show
}

// Bounds for what is read of one page.
const (
	maxSheetBytes = 2 << 20
	maxRules      = 50_000
	maxSelector   = 400 // bytes
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
		case condition("@media", media) != always:
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
		s.counts = s.counts || strings.Contains(sheet, "counter-increment")
		s.read(sheet)
	}
	return s
}

// holds says when the rules of a block hold.
type holds int

const (
	always holds = iota
	sometimes
	never
)

var (
	onScreen = lazyregexp.New(`^(?i:only )?(?i:all|screen)?$`)
	onPaper  = lazyregexp.New(`^(?i:print|speech|not all$|not screen$)`)
)

// condition judges the rules in a block with a name.
func condition(name, query string) holds {
	switch {
	case name == "@layer", name == "@media" && onScreen.MatchString(query):
		return always
	case name == "@supports" && !strings.HasPrefix(strings.ToLower(query), "not"):
		return always
	case name == "@media" && !onPaper.MatchString(query):
		return sometimes
	}
	return never
}

// read reads the rules of one sheet.
func (s *Sheet) read(sheet string) {
	p, when := css.NewParser(parse.NewInputString(sheet), false), []holds{always}
	for {
		switch kind, _, name := p.Next(); kind {
		case css.BeginAtRuleGrammar:
			s.moves = s.moves || strings.HasSuffix(string(name), "keyframes")
			when = append(when, max(when[len(when)-1], condition(string(name), textOf(p.Values()))))
		case css.EndAtRuleGrammar:
			when = when[:max(1, len(when)-1)]
		case css.BeginRulesetGrammar:
			selectors := textOf(p.Values())
			if settings := declarations(p); len(settings) > 0 && when[len(when)-1] != never {
				for _, one := range commas.Split(selectors, -1) {
					s.add(one, settings, when[len(when)-1] == sometimes)
				}
			}
		case css.ErrorGrammar:
			if !p.HasParseError() {
				return
			}
		}
	}
}

var (
	commas = lazyregexp.New(` ?, ?`)
	// the states of an element before the last of a selector
	states = lazyregexp.New(`:(?:hover|active|focus(?:-within|-visible)?|checked|target)( ?[ >+~])`)
	// the tag, and the class or id, of a compound selector
	keyed  = lazyregexp.New(`^(?:(\w[\w-]*)|\*)?([.#][^.#\[:]+)?`)
	opened = lazyregexp.New(`^\.(?:is-)?(?:active|open(?:ed)?|shown?|visible|expanded|selected|current)$`)
	named  = lazyregexp.New(`\([^()]*\)|\[[^\]]*\]|[.#](?:[\w-]|\\.|[^\x00-\x7f])+`)
)

// add takes a rule for a selector. One that is invalid, or is about an element in a state such as :hover, selects nothing that is
// seen. What another element's state shows is seen at times.
func (s *Sheet) add(text string, settings []setting, may bool) {
	if s.left--; s.left < 0 || len(text) > maxSelector {
		return
	}
	one := &rule{settings: settings, may: may}
	if shown := states.ReplaceAllString(text, "$1"); shown != text {
		text, one.may = shown, true
	}
	var of cascadia.Specificity
	if one.selector, of = selectorOf(text); one.selector == nil {
		return
	}
	last, elsewhere := s.lastCompound(text)
	if elsewhere {
		one.may = true
		if one.selector, _ = selectorOf(last); one.selector == nil {
			return
		}
	}
	one.rank = rankOf(of, maxRules-s.left)
	key := keyed.FindStringSubmatch(last)
	at := strings.ReplaceAll(key[2], `\`, "")
	if at == "" {
		at = strings.ToLower(key[1])
	}
	s.rules[at] = append(s.rules[at], one)
}

// lastCompound returns the part of a selector that is about the element itself, without the classes and ids that no element
// of the page has, or that say which of several parts is open; elsewhere reports whether the selector has such: a script may add
// them, and the rule holds then.
func (s *Sheet) lastCompound(selector string) (last string, elsewhere bool) {
	drop := func(name string) string {
		if plain := strings.ReplaceAll(name, `\`, ""); name[0] == '(' || name[0] == '[' || s.names[plain] && !opened.MatchString(plain) {
			return name
		}
		elsewhere = true
		return ""
	}
	last = compound.FindString(selector)
	named.ReplaceAllStringFunc(strings.TrimSuffix(selector, last), drop)
	return named.ReplaceAllStringFunc(last, drop), elsewhere
}
