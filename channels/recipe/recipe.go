// Package recipe runs channels that a file describes instead of code, in the format of docs/own-channel.md: a request with
// placeholders, and paths into a JSON answer. The built-in ones are in channels/source/catalog.toml, the user's own in a file.
package recipe

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/tidwall/gjson"
)

// recipe is how a channel without code of its own asks its source and reads the answer: the keys of docs/own-channel.md.
type recipe struct {
	feed     bool // RSS, Atom or JSON Feed; else JSON
	address  addressTemplate
	path     []template // elements after the address
	headers  map[string]template
	body     any  // of a POST: objects, lists, and words for texts
	widen    bool // search again for the keywords of a query that finds nothing
	relative bool // the addresses of results may be relative to that of the request

	of           string // the noun for messages: "pages"
	list         string
	fields       map[string]template
	ids, related map[string]template
	sourceType   string // of all results; "" = as the field "type" says, or by the site
	none         []condition
	errors       []recipeError
	lookup       *lookup
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

// Text is a recipe in a file.
type Text struct {
	Address string
	Path    []any
	Params  map[string]any
	Headers map[string]string
	Body    map[string]any
	Widen   bool
	Of      string
	Type    string `toml:"source_type"`
	Paths   map[string]any
	None    string
	Errors  []recipeError
	Lookup  *struct {
		Path   []any
		Params map[string]any
		Record string
	}
}

// placeholders of a request.
var placeholders = []string{"query", "limit", "since", "until", "language", "dates", "from", "to", "tag", "today", "doi", "contact", "key"}

// recordFields are the keys of "paths" that have words.
var recordFields = []string{"title", "url", "snippet", "date", "authors", "doi", "language", "error", "type"}

// Compile checks a recipe. Errors are [*CustomError].
func (t Text) Compile() (r recipe, err error) {
	r = recipe{widen: t.Widen, of: t.Of, sourceType: t.Type, errors: t.Errors, none: parseConditions(t.None), fields: map[string]template{}, headers: map[string]template{}}
	if r.address, err = parseAddress(t.Address); err != nil {
		return r, mistake("address", "%v", err)
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

func (r *recipe) parsePaths(paths map[string]any) (err error) {
	for key, given := range paths {
		one, isText := given.(string)
		table, isTable := given.(map[string]any)
		switch {
		case slices.Contains(recordFields, key):
			if r.fields[key], err = parseTemplate(given, ofRecord); err != nil {
				return mistake("paths."+key, "%v", err)
			}
		case key == "list" && isText:
			r.list = one
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

// valuesOf returns the values of a request, as the JSON that words read.
func valuesOf(c *channels.Client, q channels.Query) gjson.Result {
	dates := ""
	if q.Since+q.Until != "" {
		dates = q.Since + ":" + q.Until
	}
	raw, err := json.Marshal(map[string]any{
		"query": q.Text, "limit": q.Limit, "since": normal.FirstDay(q.Since), "until": normal.LastDay(q.Until), "from": q.Since, "to": q.Until, "dates": dates,
		"language": normal.PrimaryLanguage(q.Language), "tag": q.Language, "doi": normal.WholeQueryDOI(q.Text),
		"today": c.Config.Now().UTC().Format(time.DateOnly), "contact": c.Config.Contact, "key": c.Key,
	})
	if err != nil {
		return gjson.Result{}
	}
	return gjson.ParseBytes(raw)
}

// fill returns a text of a request; "" without a value. A query without words is an error.
func (t template) fill(values gjson.Result) (string, error) {
	said := t.text(values, style{glue: ","})
	if said == "" && t.mentions("query") {
		return "", channels.Fail(channels.StatusError, "the query has no words")
	}
	return said, nil
}

// request makes the request for a query.
func (r recipe) request(c *channels.Client, q channels.Query) (req channels.Request, err error) {
	values := valuesOf(c, q)
	params, path := r.address.params, r.path
	if r.lookup != nil && values.Get("doi").Str != "" {
		params, path, req.LookUp = r.lookup.params, r.lookup.path, true
	}
	base, err := r.address.fill(values)
	if err != nil {
		return req, err
	}
	filled, elements := url.Values{}, []string{}
	for _, p := range params {
		said, err := p.value.fill(values)
		if err != nil {
			return req, err
		}
		if said != "" || p.value.literal() {
			filled.Add(p.name, said)
		}
	}
	for _, w := range path {
		said, err := w.fill(values)
		if err != nil {
			return req, err
		}
		elements = append(elements, said)
	}
	req.Header = http.Header{}
	for name, w := range r.headers {
		if said := w.text(values, style{}); said != "" {
			req.Header.Set(name, said)
		}
	}
	if r.body != nil {
		if req.Body, err = fillBody(r.body, values); err != nil {
			return req, err
		}
	}
	if req.Explain = r.explain; r.feed {
		req.Want, req.Explain = channels.WantJSONOrXML, channels.ExplainXML
	}
	req.URL, err = channels.Joined(base, c.Base, filled, elements...)
	return req, err
}

// literal reports whether the words have no value to fill in.
func (t template) literal() bool {
	return len(t) == 1 && len(t[0]) == 1 && t[0][0].when == nil && !slices.ContainsFunc(t[0][0].pieces, func(p piece) bool { return p.path != "" })
}

// fillBody fills the texts of a body. Those without a value are left out; the limit is a number.
func fillBody(body any, values gjson.Result) (any, error) {
	switch body := body.(type) {
	case map[string]any:
		filled := map[string]any{}
		for name, inner := range body {
			one, err := fillBody(inner, values)
			if err != nil {
				return nil, err
			}
			if one != "" {
				filled[name] = one
			}
		}
		return filled, nil
	case template:
		said, err := body.fill(values)
		if body.mentions("limit") {
			return json.Number(said), err
		}
		return said, err
	}
	return body, nil
}

func (r recipe) Search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	found, err := r.ask(ctx, c, q)
	if r.widen && err == nil && len(found) == 0 {
		found, err = RetryWithKeywords(q.Text, func(text string) ([]channels.Result, error) {
			q.Text = text
			return r.ask(ctx, c, q)
		})
	}
	if err != nil || r.takes("query") {
		return found, err
	}
	return Matching(found, normal.Keywords(q.Text), "the", "entries of its list") // the answer does not depend on the query
}

func (r recipe) ask(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	req, err := r.request(c, q)
	if err != nil {
		return nil, err
	}
	return channels.Ask(ctx, c, req, func(body []byte) ([]channels.Result, error) { return r.parse(body, req.URL) })
}

// takes reports whether the request has the value.
func (r recipe) takes(name string) bool {
	has := r.address.base.mentions(name)
	for _, p := range r.address.params {
		has = has || p.value.mentions(name)
	}
	for _, w := range r.path {
		has = has || w.mentions(name)
	}
	return has || mentionedIn(r.body, name)
}

func mentionedIn(body any, name string) bool {
	switch body := body.(type) {
	case map[string]any:
		for _, inner := range body {
			if mentionedIn(inner, name) {
				return true
			}
		}
	case template:
		return body.mentions(name)
	}
	return false
}

// parse reads an answer that came from an address.
func (r recipe) parse(body []byte, at *url.URL) (found []channels.Result, err error) {
	if r.feed {
		found, err = ParseFeed(body, at)
	} else {
		s := Records{Of: r.of, Paths: Paths{List: r.list}, Explain: r.explain, More: r.record}
		if r.none != nil {
			s.None = func(answer gjson.Result) bool { return holds(r.none, answer) }
		}
		if r.lookup != nil {
			s.One = func(answer gjson.Result) gjson.Result {
				if !holds(r.lookup.when, answer) {
					return gjson.Result{}
				}
				return answer.Get(r.lookup.record)
			}
		}
		found, err = s.Read(body)
	}
	for i := range found {
		if u, err := url.Parse(found[i].URL); r.relative && err == nil && found[i].URL != "" {
			found[i].URL = at.ResolveReference(u).String()
		}
		if r.sourceType != "" {
			found[i].SourceType = r.sourceType
		} else if found[i].SourceType == "" && r.fields["type"] == nil {
			found[i].SourceType = normal.TypeOfSite(found[i].URL)
		}
	}
	return found, err
}

// record reads one record.
func (r recipe) record(from gjson.Result, e *channels.Result) {
	e.Title = r.fields["title"].text(from, style{})
	e.Snippet = r.fields["snippet"].text(from, style{list: " … ", clean: normal.Plain})
	e.DOI = r.fields["doi"].text(from, style{})
	e.Language = normal.Language(r.fields["language"].text(from, style{}))
	e.SourceType = r.fields["type"].text(from, style{})
	for said := range r.fields["url"].each(from, style{escape: true}) {
		if e.URL == "" || !normal.ValidURL(e.URL) {
			e.URL = normal.FirstValid(said...)
		}
		e.URL = cmp.Or(e.URL, strings.Join(said, " "))
	}
	for _, a := range r.fields["date"] {
		if e.PublishedAt == "" {
			e.PublishedAt = normal.Date(a.date(from))
		}
	}
	for _, path := range r.fields["each_author"] {
		for _, author := range from.Get(path[0].pieces[0].path).Array() {
			e.Authors = append(e.Authors, r.fields["authors"].texts(author, style{})...)
		}
	}
	if e.Authors == nil {
		e.Authors = r.fields["authors"].texts(from, style{})
	}
	e.IDs, e.Related = typedIDs(r.ids, from), typedIDs(r.related, from)
}

// date returns the date of an alternative: that of a single path may be a number, or a list of year, month and day.
func (a alternative) date(r gjson.Result) string {
	if one := a[0].pieces; len(a) == 1 && len(one) == 1 && one[0].path != "" && one[0].filters == nil && holds(a[0].when, r) {
		return normal.DateAt(r, one[0].path)
	}
	return template{a}.text(r, style{})
}

// typedID makes an id of a kind, or "".
var typedID = map[string]func(string) string{"arxiv": normal.ArxivKey, "doi": normal.DOIKey, "isbn": normal.ISBN, "openalex": normal.OpenAlexKey, "pmcid": normal.PMCID, "pmid": normal.PMID, "s2": normal.S2Key}

// typedIDs returns the ids that all alternatives give.
func typedIDs(kinds map[string]template, r gjson.Result) (ids []string) {
	for kind, w := range kinds {
		for said := range w.each(r, style{}) {
			for _, one := range said {
				ids = normal.Distinct(append(ids, typedID[kind](one))...)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// explain reads the message of an error, at the configured place or at the usual ones.
func (r recipe) explain(code int, body []byte) (channels.Status, string) {
	answer, err := channels.ReadJSON(body)
	said := r.fields["error"].text(answer, style{clean: normal.Plain})
	if said == "" {
		if _, said = channels.ExplainMessage(code, body); err != nil {
			said = channels.MessageInXML(body)
		}
	}
	for _, rule := range r.errors {
		at := said
		if rule.Path != "" {
			at = normal.Text(answer, rule.Path)
		}
		at = strings.ToLower(at)
		if (rule.Code == 0 || rule.Code == code) && (rule.Words == nil || slices.ContainsFunc(rule.Words, func(w string) bool { return strings.Contains(at, strings.ToLower(w)) })) {
			return rule.Status, strings.TrimPrefix(rule.Say+": "+said, ": ")
		}
	}
	return "", said
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

// fill returns the address to the "?".
func (a addressTemplate) fill(values gjson.Result) (string, error) {
	base := a.base.text(values, style{escape: true})
	if base == "" {
		return "", channels.Fail(channels.StatusError, "the path of its address needs %s, which the search does not give", a.lacking(values))
	}
	return base, nil
}

// lacking names the placeholder of the address that has no value.
func (a addressTemplate) lacking(values gjson.Result) string {
	for _, p := range a.base[0][0].pieces {
		if p.path != "" && len(p.texts(values)) == 0 {
			return "{" + p.path + "}"
		}
	}
	return "a value"
}
