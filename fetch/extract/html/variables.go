package html

import (
	"strings"

	"golang.org/x/net/html"
)

// variable is a custom property of an element.
type variable struct {
	value string
	at    priority
}

const (
	maxVariable       = 300    // bytes of a value with variables, and of one of a variable
	maxVariableScopes = 20_000 // elements that declare some
	maxVariableDepth  = 8      // variables in variables
)

// setVariables notes the custom properties that rules give an element: the values of other properties use them.
func (s *styleSheet) setVariables(n *html.Node, matching []*rule) {
	var vars map[string]variable
	for _, r := range matching {
		for _, set := range r.settings {
			if set.prop == propCustom {
				vars = setVariable(vars, set, r.priority(set.important))
			}
		}
	}
	if vars != nil && len(s.variables) < maxVariableScopes {
		s.variables[n] = vars
	}
}

func setVariable(vars map[string]variable, s setting, at priority) map[string]variable {
	if vars == nil {
		vars = map[string]variable{}
	}
	if at >= vars[s.name].at {
		vars[s.name] = variable{s.text, at}
	}
	return vars
}

// filled is a setting with its variables replaced; false when it does not hold then.
func (s *styleSheet) filled(n *html.Node, set setting) (setting, bool) {
	if set.text == "" || set.prop == propCustom {
		return set, set.prop != propCustom
	}
	value, ok := s.replaced(n, set.text, 0)
	if !ok {
		return setting{prop: set.prop, x: unset, important: set.important}, true // as browsers do
	}
	for _, got := range appendSettings(nil, set.prop, set.name, strings.ToLower(strings.TrimSpace(value)), set.important, s != nil && s.quirks) {
		if got.prop == set.prop {
			return got, true
		}
	}
	return setting{prop: set.prop, x: unset, important: set.important}, true
}

func (s *styleSheet) replaced(n *html.Node, value string, depth int) (string, bool) {
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
		end, open := -1, 0
		for i := range len(rest) {
			switch rest[i] {
			case '(':
				open++
			case ')':
				if open--; open < 0 && end < 0 {
					end = i
				}
			}
		}
		if end < 0 {
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

// variable is the value of a custom property for an element. Names are compared without case, which real sheets do not
// tell apart.
func (s *styleSheet) variable(n *html.Node, name string) (string, bool) {
	if s == nil || len(s.variables) == 0 {
		return "", false
	}
	for p := n; p != nil && s.steps > 0; p = p.Parent {
		s.steps--
		if v, ok := s.variables[p][name]; ok {
			return v.value, true
		}
	}
	return "", false
}
