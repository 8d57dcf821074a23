package css

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// rule is a rule for one selector.
type rule struct {
	selector []part // the last for the element itself
	settings []setting
	rank     int
	may      bool // it holds under a condition, or if a script adds a class: it can only show
}

// part is a compound selector. Cascadia compares only these: what a selector with several of them costs it has no bound.
type part struct {
	joint    string // what joins it to the part before: ">", "+", "~", or another for an element somewhere around
	compound cascadia.Sel
}

var (
	// Compounds with what joins them to the one before. What looks at the elements around or inside of one is not read, nor what
	// cascadia knows and browsers do not.
	compounds = lazyregexp.New(`([>+~ ]*)((?:\\.|[^\\\s>+~()\[\]:]|:root|:not\([\w.#*-]+\)|\[[^\]!#]*\])+)`)
	// lists of selectors in one, and what is left of them where they are nested deeply
	lists = lazyregexp.New(`\((?:[^()]|\([^()]*\))*,(?:[^()]|\([^()]*\))*\)`)
	deep  = lazyregexp.New(`\([^)]*,`)
	// the names and the states of elements in a selector
	named  = lazyregexp.New(`\([^()]*\)|\[[^\]]*\]|[.#](?:[\w-]|\\.|[^\x00-\x7f])+|:(?:hover|active|checked|target)`)
	opened = lazyregexp.New(`^\.(?:is-)?(?:active|open(?:ed)?|shown?|visible|expanded|selected|current)$`)
	first  = lazyregexp.New(`^([.#]?(?:[\w-]|\\[^\da-fA-F])+)(?:$|[.#\[:])`)
)

// add takes the rules for selectors of which all can be read. States of elements, and classes and ids that no element has or that say
// which part is open, are left out of them: a reader or a script may bring them about, and the rule holds then.
func (s *Sheet) add(selectors string, settings []setting, when holds) {
	const maxBytes = 400 // of a selector

	selectors = lists.ReplaceAllString(selectors, "()") // which is not read
	if len(settings) == 0 || when == never || deep.MatchString(selectors) {
		return
	}
	for text := range strings.SplitSeq(selectors, ",") {
		if s.left--; s.left < 0 {
			return
		}
		if text = strings.TrimSpace(text); len(text) > maxBytes {
			continue
		}
		known := named.ReplaceAllStringFunc(text, func(name string) string {
			plain := strings.ReplaceAll(name, `\`, "")
			if name[0] == '(' || name[0] == '[' || s.names[plain] && !opened.MatchString(plain) {
				return name
			}
			return ""
		})
		if compounds.ReplaceAllString(known, "") != "" { // such as where nothing is left of the last compound
			continue
		}
		r, at := &rule{settings: settings, may: when == sometimes || known != text}, ""
		var weight cascadia.Specificity
		for _, m := range compounds.FindAllStringSubmatch(known, -1) {
			one, err := cascadia.Parse(m[2])
			if err != nil {
				r.selector = nil
				break
			}
			r.selector, weight, at = append(r.selector, part{m[1], one}), weight.Add(one.Specificity()), ""
			if name := first.FindStringSubmatch(m[2]); name != nil {
				if at = strings.ReplaceAll(name[1], `\`, ""); at[0] != '.' && at[0] != '#' {
					at = strings.ToLower(at)
				}
			}
		}
		if r.selector != nil {
			r.rank = ((weight[0]*1000+weight[1])*1000+weight[2])*maxRules + maxRules - s.left
			s.rules[at] = append(s.rules[at], r)
		}
	}
}

// rulesFor are the rules that hold for an element, or may.
func (s *Sheet) rulesFor(n *html.Node) (all []*rule) {
	for _, name := range namesOf(n) {
		for _, r := range s.rules[name] {
			if s.steps > 0 && s.selects(r.selector, n) {
				all = append(all, r)
			}
		}
	}
	return all
}

// selects reports whether a selector holds for an element. It holds for none once the steps of the page are used up: comparing long
// or many attributes takes more of them.
func (s *Sheet) selects(all []part, n *html.Node) bool {
	last := len(all) - 1
	s.steps -= 1 + len(n.Attr)/16
	for _, a := range n.Attr {
		s.steps -= len(a.Val) / 100
	}
	if s.steps < 0 || !all[last].compound.Match(n) {
		return false
	}
	joint, next := all[last].joint, func(n *html.Node) *html.Node { return n.Parent }
	if joint == "+" || joint == "~" {
		next = func(n *html.Node) *html.Node { return n.PrevSibling }
	}
	for n = next(n); last > 0; n = next(n) {
		switch {
		case n == nil || s.steps < 0:
			return false
		case n.Type != html.ElementNode:
		case s.selects(all[:last], n):
			return true
		case joint == "+" || joint == ">":
			return false
		}
	}
	return true
}
