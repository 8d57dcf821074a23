package css

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/tdewolff/parse/v2/css"
)

// properties are those that are read, and what they are read as.
var properties = map[string]string{
	"display": "display", "visibility": "visibility", "content-visibility": "visibility", "opacity": "opacity",
	"width": "width", "max-width": "width", "height": "height", "max-height": "height",
	"font-size": "font-size", "text-indent": "text-indent",
	"overflow": "overflow", "overflow-x": "overflow", "overflow-y": "overflow", "position": "position",
	"left": "left", "margin-left": "left", "right": "left", "top": "top", "margin-top": "top",
	"clip": "clip", "clip-path": "clip", "text-decoration": "text-decoration", "text-decoration-line": "text-decoration",
	"animation": "animation", "animation-name": "animation", "list-style": "list-style", "list-style-type": "list-style",
	"white-space": "white-space",
}

// keywords are the values that a property can have and that are no lengths, besides usual. A property without is free.
var keywords = map[string]string{
	"display": "none block inline inline-block flex inline-flex grid inline-grid list-item contents flow-root revert -webkit-box " +
		"table table-cell table-row table-row-group table-header-group table-footer-group table-column table-caption inline-table ruby",
	"visibility": "visible hidden collapse auto", "position": "static relative absolute fixed sticky", "opacity": "-",
	"font-size": sizes, "width": sizes, "height": sizes, "left": sizes, "top": sizes, "text-indent": sizes,
}

const sizes, usual = "auto none fit-content max-content", "inherit initial unset"

// setting is a declaration of a property.
type setting struct {
	property, value string // in lower case
	important       bool
	rank            int // among those that hold for an element
}

// settingOf reads a declaration; ok is false for a property that is not read, and for an invalid value.
func settingOf(name, value string) (s setting, ok bool) {
	s = setting{property: properties[strings.ToLower(name)], value: strings.ToLower(value)}
	if at := strings.LastIndexByte(s.value, '!'); at >= 0 && strings.TrimSpace(s.value[at+1:]) == "important" {
		s.value, s.important = s.value[:at], true
	}
	s.value = strings.Join(strings.Fields(s.value), " ")
	words := keywords[s.property]
	_, isNumber := number(s.value)
	computed := strings.HasPrefix(words, sizes) && strings.Contains(s.value, "(") // calc(…), min(…), var(…): not computed
	isKeyword := words == "" && s.value != "" || slices.Contains(strings.Fields(words+" "+usual), s.value)
	return s, s.property != "" && (isNumber || computed || isKeyword)
}

// number reads a length in pixels, roughly, or a plain number. A share of an unknown length counts as one.
func number(value string) (float64, bool) {
	end := strings.LastIndexAny(value, "0123456789.") + 1
	x, err := strconv.ParseFloat(value[:end], 64)
	if err != nil {
		return 0, false
	}
	switch value[end:] {
	case "", "px", "pt", "ms", "s":
		return x, true
	case "em", "rem", "ch", "ex", "vw", "vh", "%", "cm", "in", "mm", "vmin", "vmax":
		return x * 16, true
	}
	return 0, false
}

// declarations reads those of a style attribute, or of the rule that a parser is in; what is nested in it is left out.
func declarations(p *css.Parser) (all []setting) {
	for depth := 0; depth >= 0; {
		switch kind, _, name := p.Next(); kind {
		case css.DeclarationGrammar:
			if s, ok := settingOf(string(name), textOf(p.Values())); ok && depth == 0 {
				all = append(all, s)
			}
		case css.BeginRulesetGrammar, css.BeginAtRuleGrammar:
			depth++
		case css.EndRulesetGrammar, css.EndAtRuleGrammar:
			depth--
		case css.ErrorGrammar:
			if !p.HasParseError() {
				return all
			}
		}
	}
	return all
}

func textOf(tokens []css.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		if b.Len() < 50*maxSelector {
			b.Write(t.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// Ranks order the settings of one property: importance, style attribute, specificity, order.
const (
	ofAttribute = 1 << 40
	isImportant = 1 << 50
)

func rankOf(of cascadia.Specificity, order int) (rank int) {
	for _, n := range of {
		rank = rank<<7 + min(n, 1<<7-1)
	}
	return rank<<17 + order
}

// declared are the settings that hold for an element, by property.
type declared map[string]setting

func (d declared) put(settings []setting, rank int) {
	for _, s := range settings {
		if s.rank = rank; s.important {
			s.rank += isImportant
		}
		if d[s.property].rank <= s.rank {
			d[s.property] = s
		}
	}
}

// with returns what would hold if these settings did so before all that are not important.
func (d declared) with(settings []setting) declared {
	d = maps.Clone(d)
	d.put(settings, ofAttribute-1)
	return d
}

func (d declared) is(property string, values ...string) bool {
	return slices.Contains(values, d[property].value)
}

// within reports a number that is declared and lies between two others.
func (d declared) within(property string, from, to float64) bool {
	x, isNumber := number(d[property].value)
	return isNumber && from <= x && x <= to
}
