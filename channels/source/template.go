package source

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
	"github.com/tidwall/match"
)

// template says how a text is made of values, in the syntax of docs/channels.md#a-channel-of-your-own: alternatives, of which the
// first that gives a text counts. An alternative is made of parts, joined by "; "; a part whose value is missing, or whose
// condition does not hold, is left out.
type (
	template    []alternative
	alternative []part
	part        struct {
		pieces []piece
		when   conditions
	}
	// piece is a literal text, or the texts at a path of GJSON after some filters.
	piece struct {
		literal, path string
		filters       []filter
		unescaped     bool
	}
	conditions []condition
	// condition is "path", "path=value|other*" or "path has word, word", each with "!" for the opposite.
	condition struct {
		not      bool
		path, op string
		values   []string
	}
)

// syntax is where words are: the two places differ in what a text without braces is.
type syntax int

const (
	ofRecord  syntax = iota // without braces, a path; a text in single quotes is itself
	ofRequest               // without braces, itself
)

// placeholders of a request.
var placeholders = []string{"query", "limit", "since", "until", "language", "dates", "from", "to", "tag", "today", "doi", "contact", "key",
	"lang", "area", "id", // of the recipe's own templates
	"words", "kind", "ids"} // of code, see [Code]

// parseTemplate parses a text, or a list of texts: the alternatives. The error has the problem and the remedy.
func parseTemplate(given any, in syntax) (template, error) {
	list, ok := given.([]any)
	if !ok {
		list = []any{given}
	}
	var t template
	for _, one := range list {
		text, ok := one.(string)
		if !ok {
			return nil, errors.New("must be a text in quotes, or a list of them")
		}
		var a alternative
		for text := range strings.SplitSeq(text, "; ") {
			p, err := parsePart(text, in)
			if err != nil {
				return nil, err
			}
			a = append(a, p)
		}
		t = append(t, a)
	}
	return t, nil
}

func parsePart(text string, in syntax) (p part, err error) {
	text, when, _ := strings.Cut(text, " if ")
	p.when = parseConditions(when)
	switch {
	case in == ofRecord && len(text) > 1 && text[0] == '\'' && strings.HasSuffix(text, "'"):
		p.pieces = []piece{{literal: text[1 : len(text)-1]}}
		return p, nil
	case in == ofRecord && (!strings.Contains(text, "{") || strings.Contains(text, `:{"`)): // a modifier of GJSON may have an object
		one, err := parsePiece(text)
		p.pieces = []piece{one}
		return p, err
	}
	end := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		one, err := parsePiece(text[m[2]:m[3]])
		if err == nil && in == ofRequest && !slices.Contains(placeholders, one.path) {
			err = fmt.Errorf("unknown placeholder {%s}; use {%s}", one.path, strings.Join(placeholders, "}, {"))
		}
		if err != nil {
			return p, err
		}
		if m[0] > end {
			p.pieces = append(p.pieces, piece{literal: text[end:m[0]]})
		}
		p.pieces = append(p.pieces, one)
		end = m[1]
	}
	if end < len(text) {
		p.pieces = append(p.pieces, piece{literal: text[end:]})
	}
	return p, nil
}

// parsePiece parses "path | filter argument | filter".
func parsePiece(text string) (p piece, err error) {
	all := strings.Split(text, " | ")
	p.path = strings.TrimSpace(all[0])
	for _, said := range all[1:] {
		name, argument, _ := strings.Cut(strings.TrimSpace(said), " ")
		if name == "raw" {
			p.unescaped = true
			continue
		}
		f, err := newFilter(name, argument)
		if err != nil {
			return p, err
		}
		p.filters = append(p.filters, f)
	}
	return p, nil
}

func parseConditions(text string) conditions {
	if text == "" {
		return nil
	}
	var all conditions
	for said := range strings.SplitSeq(text, " and ") {
		c := condition{path: said}
		c.path, c.not = strings.CutPrefix(c.path, "!")
		if path, values, ok := strings.Cut(c.path, " has "); ok {
			c.path, c.op, c.values = path, "has", strings.Split(values, ", ")
		} else if path, values, ok := strings.Cut(c.path, "="); ok {
			c.path, c.op, c.values = path, "=", strings.Split(values, "|")
		}
		all = append(all, c)
	}
	return all
}

// holds reports whether all conditions hold for a record. Without an operator, a value must be there and not be empty, 0 or false.
func holds(all conditions, r gjson.Result) bool {
	for _, c := range all {
		at, met := r.Get(c.path), false
		switch c.op {
		case "":
			met = at.IsArray() || at.IsObject() || at.Bool() || at.Type == gjson.String && at.Str != ""
		case "has":
			low := " " + strings.ToLower(at.String()) + " "
			met = slices.ContainsFunc(c.values, func(word string) bool { return strings.Contains(low, " "+word+" ") })
		case "=":
			met = slices.ContainsFunc(normal.Texts(r, c.path), func(text string) bool {
				return slices.ContainsFunc(c.values, func(value string) bool { return match.Match(text, value) })
			})
		}
		if met == c.not {
			return false
		}
	}
	return true
}

func (p piece) texts(r gjson.Result) []string {
	said := normal.Texts(r, p.path)
	for _, f := range p.filters {
		said = value{f, said, r, p.path}.apply()
	}
	return said
}

// texts returns what a part gives: the texts of a single path, or one text of all pieces.
func (p part) texts(r gjson.Result, escape bool) []string {
	if !holds(p.when, r) {
		return nil
	}
	if len(p.pieces) == 1 && p.pieces[0].path != "" {
		return p.pieces[0].texts(r)
	}
	var whole strings.Builder
	for _, piece := range p.pieces {
		said := piece.literal
		if piece.path != "" {
			if said = strings.Join(piece.texts(r), " "); said == "" {
				return nil
			}
			switch {
			case !escape:
			case piece.unescaped: // but for what no address may have
				if u, err := url.Parse(said); err == nil {
					said = u.String()
				}
			case strings.Contains(whole.String(), "?"):
				said = url.QueryEscape(said)
			default:
				said = url.PathEscape(said)
			}
		}
		whole.WriteString(said)
	}
	return normal.Distinct(whole.String())
}

// style is how texts are put together.
type style struct {
	glue   string              // between parts; "" = "; "
	list   string              // between the texts of one part; "" = a space
	escape bool                // values within an address
	clean  func(string) string // of each part; may be nil
}

// each returns what the alternatives give, without those that give nothing.
func (t template) each(r gjson.Result, s style) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, a := range t {
			var said []string
			for _, p := range a {
				got := p.texts(r, s.escape)
				if len(a) > 1 || s.clean != nil {
					one := strings.Join(got, cmp.Or(s.list, " "))
					if s.clean != nil {
						one = s.clean(one)
					}
					got = normal.Distinct(one)
				}
				said = append(said, got...)
			}
			if len(a) > 1 && len(said) > 1 {
				said = []string{strings.Join(said, cmp.Or(s.glue, "; "))}
			}
			if len(said) > 0 && !yield(said) {
				return
			}
		}
	}
}

// texts returns what the first alternative gives that gives something.
func (t template) texts(r gjson.Result, s style) []string {
	for said := range t.each(r, s) {
		return said
	}
	return nil
}

// text returns it as one text.
func (t template) text(r gjson.Result, s style) string {
	return strings.Join(t.texts(r, s), cmp.Or(s.list, " "))
}

// placeholder is a value in braces.
var placeholder = lazyregexp.New(`\{([^{}]*)\}`)
