package channels

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// addressTemplate is an address with placeholders: {query}, {limit}, {since}, {until} and {language}. Values are
// escaped for the path or for a parameter. A parameter without a value is omitted.
type addressTemplate struct {
	base   string // to the "?"
	params []templateParam
}

type templateParam struct{ name, value string }

// placeholders of an address.
var placeholders = []string{"query", "limit", "since", "until", "language"}

var (
	placeholder = lazyregexp.New(`\{([^{}]*)\}`)
	filledIn    = lazyregexp.New(`\{(?:query|limit|since|until|language)\}`) // a secret may contain other braces
)

// parseAddress parses a template. The error has the problem and the remedy.
func parseAddress(raw string) (addressTemplate, error) {
	var t addressTemplate
	for _, m := range placeholder.FindAllStringSubmatch(raw, -1) {
		if !slices.Contains(placeholders, m[1]) {
			return t, fmt.Errorf("unknown placeholder {%s}; use {%s}", m[1], strings.Join(placeholders, "}, {"))
		}
	}
	base, query, _ := strings.Cut(raw, "?")
	u, err := url.Parse(placeholder.ReplaceAllString(base, "x"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return t, fmt.Errorf("not an http or https address; use one such as https://search.example.org/api?q={query}")
	}
	if plain, err := url.Parse(base); err == nil && u.User == nil && plain.Host != u.Host || u.User != nil || strings.Contains(hostOf(base), "{") {
		return t, fmt.Errorf("the host must not contain a placeholder or a user; put secrets into headers")
	}
	t.base = base
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		if name, err = url.QueryUnescape(name); err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err != nil || strings.ContainsAny(name, "{}") {
			return t, fmt.Errorf("invalid parameter %q; use name=value", clip(pair, 40))
		}
		t.params = append(t.params, templateParam{name, value})
	}
	return t, nil
}

// hostOf returns the text between "//" and the next "/".
func hostOf(address string) string {
	_, rest, _ := strings.Cut(address, "//")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

func (t addressTemplate) host() string { return hostOf(t.base) }

// takes reports whether the template has the placeholder.
func (t addressTemplate) takes(name string) bool {
	has := strings.Contains(t.base, "{"+name+"}")
	for _, p := range t.params {
		has = has || strings.Contains(p.value, "{"+name+"}")
	}
	return has
}

// fill writes a query into the template.
func (t addressTemplate) fill(q Query) (base string, params url.Values, err error) {
	values := map[string]string{"query": q.Text, "limit": strconv.Itoa(q.Limit), "since": "", "until": "", "language": primaryLanguage(q.Language)}
	if q.Since != "" {
		values["since"] = firstDay(q.Since)
	}
	if q.Until != "" {
		values["until"] = lastDay(q.Until)
	}
	lacks := ""
	base = placeholder.ReplaceAllStringFunc(t.base, func(m string) string {
		value := values[strings.Trim(m, "{}")]
		if value == "" {
			lacks = m
		}
		return url.PathEscape(value)
	})
	if lacks != "" {
		return "", nil, failure(StatusError, "the path of its address needs %s, which the search does not give", lacks)
	}
	params = url.Values{}
	for _, p := range t.params {
		said := true
		value := filledIn.ReplaceAllStringFunc(p.value, func(m string) string {
			v := values[strings.Trim(m, "{}")]
			said = said && v != ""
			return v
		})
		if said {
			params.Add(p.name, value)
		}
	}
	return base, params, nil
}
