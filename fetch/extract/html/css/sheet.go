package css

import (
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Sheet holds the rules of a page that say whether an element is seen.
type Sheet struct {
	Counts bool               // it has counters of its own, which number its lists
	rules  map[string][]*rule // by the tag, class or id with which the last compound of the selector begins
	names  map[string]bool    // classes and ids of the page, with "." or "#"
	left   int                // rules that may still be read
	steps  int                // comparisons of elements with rules that are left
}

// Bounds for what is read of one page.
const (
	maxSheetBytes = 2 << 20
	maxRules      = 50_000
	maxSteps      = 5_000_000
)

// Read collects the rules of a page. load returns a sheet to which the page links, and may be nil.
func Read(doc *html.Node, load func(href string) (sheet string, ok bool)) *Sheet {
	s := &Sheet{rules: map[string][]*rule{}, names: map[string]bool{}, left: maxRules, steps: maxSteps}
	var sheets []string
	for n := range doc.Descendants() {
		for _, name := range namesOf(n) {
			s.names[name] = true
		}
		switch {
		case condition("@media", xmltree.Attr(n, "media")) != always:
		case n.DataAtom == atom.Style && n.FirstChild != nil:
			sheets = append(sheets, n.FirstChild.Data)
		case n.DataAtom == atom.Link && load != nil && strings.EqualFold(xmltree.Attr(n, "rel"), "stylesheet"):
			if sheet, ok := load(xmltree.Attr(n, "href")); ok {
				sheets = append(sheets, sheet)
			}
		}
	}
	left := maxSheetBytes
	for _, sheet := range sheets {
		if left -= len(sheet); left < 0 {
			break
		}
		s.Counts = s.Counts || strings.Contains(sheet, "counter-increment")
		read(css.NewParser(parse.NewInputString(sheet), false), s.add)
	}
	return s
}

// namesOf are the names by which a selector can begin that holds for an element.
func namesOf(n *html.Node) []string {
	names := []string{"", n.Data, "#" + xmltree.Attr(n, "id")}
	for class := range strings.FieldsSeq(xmltree.Attr(n, "class")) {
		names = append(names, "."+class)
	}
	return names
}

// holds says when the rules of a block hold.
type holds int

const (
	always holds = iota
	sometimes
	never
)

var (
	onScreen = lazyregexp.New(`(?i)^(?:only )?(?:all|screen)?$`)
	onPaper  = lazyregexp.New(`(?i)^(?:print|speech|not all$|not screen$)`)
)

// condition judges the rules in a block with a name.
func condition(name, query string) holds {
	switch {
	case name == "@layer", name == "@media" && onScreen.MatchString(query):
		return always
	case name == "@media" && onPaper.MatchString(query):
		return never
	}
	return sometimes
}

// read reads the rules of a sheet, or the settings of a style attribute as those of a rule without a selector.
func read(p *css.Parser, take func(selectors string, settings []setting, when holds)) {
	when, selectors, settings := []holds{always}, "", []setting(nil)
	for {
		now := when[len(when)-1]
		switch kind, _, name := p.Next(); kind {
		case css.BeginAtRuleGrammar:
			when = append(when, max(now, condition(string(name), textOf(p.Values()))))
		case css.BeginRulesetGrammar:
			when, selectors, settings = append(when, now), textOf(p.Values()), nil
		case css.DeclarationGrammar:
			if s := settingOf(string(name), textOf(p.Values())); s.property != "" {
				settings = append(settings, s)
			}
		case css.EndRulesetGrammar, css.EndAtRuleGrammar:
			take(selectors, settings, now)
			when, selectors, settings = when[:max(1, len(when)-1)], "", nil
		case css.ErrorGrammar:
			if !p.HasParseError() {
				take(selectors, settings, now)
				return
			}
		}
	}
}

func textOf(tokens []css.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.Write(t.Data)
	}
	return strings.TrimSpace(b.String())
}
