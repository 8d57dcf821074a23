// Package recipe runs channels that a file describes instead of code, in the format of docs/own-channel.md: a request with
// placeholders, and paths into a JSON answer. The built-in ones are in channels/source/catalog.toml, the user's own in a file.
package recipe

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

// Recipe is how a channel without code of its own asks its source and reads the answer: the keys of docs/own-channel.md.
type Recipe struct {
	kind     string // of its answers
	address  addressTemplate
	path     []template // elements after the address
	pace     string     // see [channels.Request.PaceAs]
	headers  map[string]template
	body     any // of a POST: objects, lists, and words for texts
	selected template
	widen    bool // search again for the keywords of a query that finds nothing
	relative bool // the addresses of results may be relative to that of the request

	of           string   // the noun for messages: "pages"
	lists        []string // the first that is there; none = the whole answer
	fields       map[string]template
	ids, related map[string]template
	sourceType   string // of all results; "" = as the field "type" says, or by the site
	none, failed []condition
	errors       []recipeError
	lookup       *lookup
	ofQuery      bool // the paths of records have values of the query: "$.name"
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

// lookup replaces the request for a query that is a DOI and nothing else; the answer is one record.
type lookup struct {
	path   []template
	params []param
	record string
	when   []condition
}

// Kinds of answers.
const (
	kindJSON = "json"
	kindXML  = "xml" // see readXML
	kindAny  = "json or xml"
	kindFeed = "rss" // RSS, Atom or JSON Feed
)

// Entry is a recipe as a file has it.
type Entry struct {
	Kind    string // "" = kindJSON
	Address string // "" = that of the channel
	Pace    string // the service whose rate applies, if it has many hosts
	Path    []any
	Params  map[string]any
	Headers map[string]string
	Body    map[string]any
	Widen   bool
	// Relative addresses of results are resolved against that of the request.
	Relative bool
	Select   string // for a list that is the same for every query: the words that select its entries; "" = the query
	Of       string
	Type     string `toml:"source_type"`
	Paths    map[string]any
	None     string // the condition on an answer that found nothing, and has no list
	Failed   string // the condition on an answer with a list that is an error
	Errors   []recipeError
	Lookup   *struct {
		Path   []any
		Params map[string]any
		Record string
	}
}

// recordFields are the keys of "paths" that have words.
var recordFields = []string{"title", "url", "snippet", "date", "authors", "doi", "language", "error", "type", "container", "version", "update", "update_notice", "update_date"}

// Compile checks a recipe. Errors are [*FileError].
func (t Entry) Compile() (r Recipe, err error) {
	r = Recipe{kind: cmp.Or(t.Kind, kindJSON), relative: t.Relative, pace: t.Pace, widen: t.Widen, of: t.Of, sourceType: t.Type, errors: t.Errors, none: parseConditions(t.None), failed: parseConditions(t.Failed), fields: map[string]template{}, headers: map[string]template{}}
	if t.Address != "" {
		if r.address, err = parseAddress(t.Address); err != nil {
			return r, mistake("address", "%v", err)
		}
	}
	more, err := parseParams("params.", t.Params)
	if r.address.params = append(r.address.params, more...); err != nil {
		return r, err
	}
	if r.path, err = parseElements("path", t.Path); err != nil {
		return r, err
	}
	for name, text := range t.Headers {
		if r.headers[name], err = parseTemplate(text, ofAddress); err != nil {
			return r, mistake("headers."+name, "%v", err)
		}
	}
	if t.Select != "" {
		if r.selected, err = parseTemplate(t.Select, ofRecord); err != nil {
			return r, mistake("select", "%v", err)
		}
	}
	if t.Body != nil {
		if r.body, err = parseBody("body", t.Body); err != nil {
			return r, err
		}
	}
	if t.Lookup != nil {
		record, when, _ := strings.Cut(t.Lookup.Record, " if ")
		r.lookup = &lookup{record: record, when: parseConditions(when)}
		if r.lookup.path, err = parseElements("lookup.path", t.Lookup.Path); err == nil {
			r.lookup.params, err = parseParams("lookup.params.", t.Lookup.Params)
		}
		if err != nil {
			return r, err
		}
	}
	return r, r.parsePaths(t.Paths)
}

// typedID makes an id of a kind, or "".
var typedID = map[string]func(string) string{"arxiv": normal.ArxivKey, "doi": normal.DOIKey, "isbn": normal.ISBN, "openalex": normal.OpenAlexKey, "pmcid": normal.PMCID, "pmid": normal.PMID, "s2": normal.S2Key}

func (r *Recipe) parsePaths(paths map[string]any) (err error) {
	for key, given := range paths {
		one, isText := given.(string)
		many, isList := given.([]any)
		table, isTable := given.(map[string]any)
		switch {
		case slices.Contains(recordFields, key):
			if r.fields[key], err = parseTemplate(given, ofRecord); err != nil {
				return mistake("paths."+key, "%v", err)
			}
			r.ofQuery = r.ofQuery || strings.Contains(fmt.Sprint(given), "$.")
		case key == "list" && isText:
			r.lists = []string{one}
		case key == "list" && isList:
			for _, path := range many {
				r.lists = append(r.lists, fmt.Sprint(path)) // each may have a condition
			}
		case key == "each_author" && isText:
			r.fields[key] = template{{{pieces: []piece{{path: one}}}}}
		case (key == "ids" || key == "related") && isTable:
			ids := map[string]template{}
			for kind, given := range table {
				if ids[kind], err = parseTemplate(given, ofRecord); err != nil || typedID[kind] == nil {
					return mistake("paths."+key+"."+kind, "not the paths of an id; use %s", strings.Join(normal.IDKinds, ", "))
				}
			}
			if key == "ids" {
				r.ids = ids
			} else {
				r.related = ids
			}
		case key == "list" || key == "each_author":
			return mistake("paths."+key, "must be a text in quotes")
		case key == "ids" || key == "related":
			return mistake("paths."+key, "must be an object: {…}")
		default:
			return mistake("paths."+key, "unknown key; use %s", strings.Join(slices.Sorted(slices.Values(append([]string{"each_author", "ids", "list", "related"}, recordFields...))), ", "))
		}
	}
	return nil
}

func parseElements(key string, given []any) (elements []template, err error) {
	for _, text := range given {
		w, err := parseTemplate(text, ofRequest)
		if err != nil {
			return nil, mistake(key, "%v", err)
		}
		elements = append(elements, w)
	}
	return elements, nil
}

func parseParams(prefix string, given map[string]any) (params []param, err error) {
	for name, text := range given {
		w, err := parseTemplate(text, ofRequest)
		if err != nil {
			return nil, mistake(prefix+name, "%v", err)
		}
		params = append(params, param{name, w})
	}
	return params, nil
}

// parseBody parses the texts of a body, at any depth.
func parseBody(key string, given any) (any, error) {
	switch given := given.(type) {
	case map[string]any:
		parsed := map[string]any{}
		for name, inner := range given {
			one, err := parseBody(key+"."+name, inner)
			if err != nil {
				return nil, err
			}
			parsed[name] = one
		}
		return parsed, nil
	case string:
		w, err := parseTemplate(given, ofRequest)
		if err != nil {
			return nil, mistake(key, "%v", err)
		}
		return w, nil
	}
	return given, nil
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
	if a.base, err = parseTemplate(base, ofAddress); err != nil {
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
		w, err := parseTemplate(value, ofAddress)
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
