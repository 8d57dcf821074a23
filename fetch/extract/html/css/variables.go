package css

import (
	"strings"

	"golang.org/x/net/html"
)

const (
	maxVariableScopes = 20_000 // elements that declare some
	maxVariableDepth  = 8      // variables in variables
)

// variable is the value of a custom property for an element. Names are compared without case, which real sheets do not
// tell apart.
func (s *Sheet) variable(n *html.Node, name string) (string, bool) {
	for p := n; p != nil && s.steps > 0; p = p.Parent {
		s.steps--
		if v, ok := s.variables[p][name]; ok {
			return v.value, true
		}
	}
	return "", false
}

// setVariables notes the custom properties that rules give an element: the values of other properties use them.
func (s *Sheet) setVariables(n *html.Node, matching []*rule) {
	var vars map[string]variable
	for _, r := range matching {
		for _, set := range r.settings {
			if set.prop != propCustom {
				continue
			}
			if vars == nil {
				vars = map[string]variable{}
			}
			if at := r.priority(set.important); at >= vars[set.name].at {
				vars[set.name] = variable{set.text, at}
			}
		}
	}
	if vars != nil && len(s.variables) < maxVariableScopes {
		s.variables[n] = vars
	}
}

// filled is a setting with its variables replaced. It goes back to the default where that is not possible.
func (s *Sheet) filled(n *html.Node, set setting) setting {
	if set.text == "" || set.prop == propCustom {
		return set
	}
	back := setting{prop: set.prop, x: unset, important: set.important}
	value, ok := s.replaced(n, set.text, 0)
	if !ok {
		return back
	}
	for _, got := range settingsOf(nil, set.name, strings.ToLower(strings.TrimSpace(value)), set.important, s.quirks) {
		if got.prop == set.prop {
			return got
		}
	}
	return back
}

func (s *Sheet) replaced(n *html.Node, value string, depth int) (string, bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(value, "var(")
		b.WriteString(before)
		if !found {
			return b.String(), b.Len() <= maxVariable
		}
		if depth == maxVariableDepth || b.Len() > maxVariable {
			return "", false
		}
		end := closing(rest, '(', ')')
		if end == len(rest) {
			return "", false
		}
		name, other, hasOther := strings.Cut(rest[:end], ",")
		got, ok := s.variable(n, strings.TrimSpace(name))
		if !ok {
			got, ok = other, hasOther
		}
		if ok {
			got, ok = s.replaced(n, got, depth+1)
		}
		if !ok {
			return "", false
		}
		b.WriteString(got)
		value = rest[end+1:]
	}
}
