package source

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
)

// Recipe is how a channel without code of its own asks its source and reads the answer: an entry whose texts are parsed.
type Recipe struct {
	Entry
	address  addressTemplate
	path     []template // elements after the address
	headers  map[string]template
	body     any // of a POST: objects, lists, and words for texts
	again    template
	lang     template
	degraded template
	pause    template
	lookup   *lookup

	lists        []place // the first that is there; none = the whole answer
	fields       map[string]template
	ids, related map[string]template
	none         []condition
}

// address is a template of an address and its parameters.
type addressTemplate struct {
	raw    string   // to the "?"
	base   template // raw, parsed
	host   string
	params []param
}

type param struct {
	name  string
	value template
}

// recipeError recognises an error of a source by its code and by words of its message, or of the text at Path.
type recipeError struct {
	Code   int             // 0 = any
	Path   string          // "" = the message
	Words  []string        // any of them; none = any message
	Status channels.Status // "" = that of the code
	Say    string          // before the message
}

// lookup replaces the request for a query that is an id; the answer may be one record.
type lookup struct {
	of     template // the id in a query, the value "id"
	path   []template
	params []param
	record place
}

// place is where something is in an answer: "PATH if CONDITION".
type place struct {
	path string
	when []condition
}

func parsePlace(text string) place {
	path, when, _ := strings.Cut(text, " if ")
	return place{path, parseConditions(when)}
}

// Kinds of answers.
const (
	kindJSON = "json"
	kindXML  = "xml" // see readXML
	kindAny  = "json or xml"
	kindFeed = "rss" // RSS, Atom or JSON Feed
)

// Entry is a recipe as a file has it, with the keys of docs/channels.md#a-channel-of-your-own.
type Entry struct {
	Kind    string // of its answers; "" = kindJSON
	Address string // "" = that of the channel
	Pace    string // see [channels.Request.PaceAs]
	Path    []any  // elements after the address
	Params  map[string]any
	Headers map[string]string
	Body    map[string]any
	// Again is what to search for if the query finds nothing, of the values of the request.
	Again any
	// Lang is the value "lang", which also replaces "{lang}" in the address of the channel.
	Lang any
	// Pause is how many seconds the answer asks for no requests, and Degraded what the answer says is missing in it.
	Pause, Degraded any
	Of              string // the noun for messages: "pages"
	Type            string `toml:"source_type" json:"source_type"` // of all results; "" = as the field "type" says, or by the site
	Paths           map[string]any
	None            string // the condition on an answer that found nothing, and has no list
	Errors          []recipeError
	Lookup          *struct {
		Of     string // the id in a query; "" = the query, if it is a DOI
		Path   []any
		Params map[string]any
		Record string
	}
}

// recordFields are the keys of "paths" that have words.
var recordFields = []string{"title", "url", "snippet", "date", "authors", "doi", "language", "error", "type", "container",
	"update", "update_notice", "update_date"}

// Compile checks a recipe. Errors are [*FileError].
func (t Entry) Compile() (Recipe, error) {
	t.Kind = cmp.Or(t.Kind, kindJSON)
	r := Recipe{Entry: t, none: parseConditions(t.None), fields: map[string]template{},
		headers: map[string]template{}}
	var c compiler
	if t.Address != "" {
		var err error
		r.address, err = parseAddress(t.Address)
		c.note("address", err)
	}
	r.address.params = append(r.address.params, c.params("params.", t.Params)...)
	r.path = c.elements("path", t.Path)
	for name, text := range t.Headers {
		r.headers[name] = c.template("headers."+name, text, ofRequest)
	}
	for _, one := range []struct {
		key   string
		given any
		in    syntax
		to    *template
	}{
		{"again", t.Again, ofRequest, &r.again}, {"lang", t.Lang, ofRequest, &r.lang},
		{"pause", t.Pause, ofRecord, &r.pause}, {"degraded", t.Degraded, ofRecord, &r.degraded},
	} {
		if one.given != nil && one.given != "" {
			*one.to = c.template(one.key, one.given, one.in)
		}
	}
	if t.Body != nil {
		r.body = c.body("body", t.Body)
	}
	if t.Lookup != nil {
		r.lookup = &lookup{c.template("lookup.of", cmp.Or(t.Lookup.Of, "{doi}"), ofRequest), c.elements("lookup.path", t.Lookup.Path),
			c.params("lookup.params.", t.Lookup.Params), parsePlace(t.Lookup.Record)}
	}
	for key, given := range t.Paths {
		r.addPath(&c, key, given)
	}
	return r, c.first
}

// compiler parses the templates of an entry, and keeps the first mistake.
type compiler struct{ first error }

func (c *compiler) note(key string, err error) {
	if err != nil && c.first == nil {
		c.first = mistake(key, "%v", err)
	}
}

func (c *compiler) template(key string, given any, in syntax) template {
	t, err := parseTemplate(given, in)
	c.note(key, err)
	return t
}

func (c *compiler) elements(key string, given []any) (elements []template) {
	for _, text := range given {
		elements = append(elements, c.template(key, text, ofRequest))
	}
	return elements
}

func (c *compiler) params(prefix string, given map[string]any) (params []param) {
	for name, text := range given {
		params = append(params, param{name, c.template(prefix+name, text, ofRequest)})
	}
	return params
}

// body parses the texts of a body, at any depth.
func (c *compiler) body(key string, given any) any {
	switch given := given.(type) {
	case map[string]any:
		parsed := map[string]any{}
		for name, inner := range given {
			parsed[name] = c.body(key+"."+name, inner)
		}
		return parsed
	case string:
		return c.template(key, given, ofRequest)
	}
	return given
}

// addPath adds a key of "paths".
func (r *Recipe) addPath(c *compiler, key string, given any) {
	one, isText := given.(string)
	many, isList := given.([]any)
	table, isTable := given.(map[string]any)
	at := "paths." + key
	switch {
	case slices.Contains(recordFields, key):
		r.fields[key] = c.template(at, given, ofRecord)
	case key == "list" && isText:
		r.lists = []place{parsePlace(one)}
	case key == "list" && isList:
		for _, path := range many {
			r.lists = append(r.lists, parsePlace(fmt.Sprint(path)))
		}
	case key == "each_author":
		r.fields[key] = c.template(at, given, ofRecord)
	case (key == "ids" || key == "related") && isTable:
		ids := map[string]template{}
		for kind, given := range table {
			var err error
			if ids[kind], err = parseTemplate(given, ofRecord); err != nil || !slices.Contains(normal.IDKinds, kind) {
				c.note(at+"."+kind, errors.New("not the paths of an id; use "+strings.Join(normal.IDKinds, ", ")))
			}
		}
		if key == "ids" {
			r.ids = ids
		} else {
			r.related = ids
		}
	case key == "list":
		c.note(at, errors.New("must be a text in quotes"))
	case key == "ids" || key == "related":
		c.note(at, errors.New("must be an object: {…}"))
	default:
		known := slices.Sorted(slices.Values(append([]string{"each_author", "ids", "list", "related"}, recordFields...)))
		c.note(at, errors.New("unknown key; use "+strings.Join(known, ", ")))
	}
}

// parseAddress parses a template of an address. The error has the problem and the remedy.
func parseAddress(raw string) (a addressTemplate, err error) {
	for _, m := range placeholder.FindAllStringSubmatch(raw, -1) {
		if name, _, _ := strings.Cut(m[1], " | "); !slices.Contains(placeholders, name) {
			return a, fmt.Errorf("unknown placeholder {%s}; use {%s}", name, strings.Join(placeholders, "}, {"))
		}
	}
	base, query, _ := strings.Cut(raw, "?")
	u, err := url.Parse(placeholder.ReplaceAllString(base, "x"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return a, errors.New("not an http or https address; use one such as https://search.example.org/api?q={query}")
	}
	_, host, _ := strings.Cut(base, "//")
	host, _, _ = strings.Cut(host, "/")
	if u.User != nil || strings.Contains(host, "{") || host != u.Host {
		return a, errors.New("the host must not contain a placeholder or a user; put secrets into headers")
	}
	a.raw, a.host = base, host
	if a.base, err = parseTemplate(base, ofRequest); err != nil {
		return a, err
	}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		if name, err = url.QueryUnescape(name); err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err != nil || strings.ContainsAny(name, "{}") {
			return a, fmt.Errorf("invalid parameter %q; use name=value", normal.Clip(pair, 40))
		}
		w, err := parseTemplate(value, ofRequest)
		if err != nil {
			return a, err
		}
		a.params = append(a.params, param{name, w})
	}
	return a, nil
}

// FileError is a mistake in a file of own channels.
type FileError struct {
	File    string
	Channel string // its name, or its index: "channels[0]"; "" = the whole file
	Key     string // "paths.title"; "" = the whole channel
	Problem string // the problem and the remedy
}

func (e *FileError) Error() string {
	place := e.File
	for _, part := range []string{e.Channel, e.Key} {
		if part != "" {
			place += ": " + part
		}
	}
	return place + ": " + e.Problem
}

func mistake(key, format string, args ...any) error {
	return &FileError{Key: key, Problem: fmt.Sprintf(format, args...)}
}
