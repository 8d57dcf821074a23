package source

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/tidwall/gjson"
)

// search is the search function of a channel without code of its own.
func (r Recipe) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	found, err := r.Ask(ctx, c, q, Code{})
	if err != nil || r.takes("query") {
		return found, err
	}
	return matching(found, normal.Keywords(q.Text)) // the answer does not depend on the words
}

// takes reports whether the request has a value.
func (r Recipe) takes(name string) bool {
	for _, a := range slices.AppendSeq(slices.Clone(r.Path), maps.Values(r.Params)) {
		if a.mentions(name) {
			return true
		}
	}
	return strings.Contains(fmt.Sprint(r.Body), "{"+name)
}

// reword returns what to search for if a query finds nothing, or "".
func (r Recipe) reword(c *channels.Client, q channels.Query) string {
	return template(r.Again).text(r.values(c, q, nil), style{})
}

// Code is what a channel with code of its own adds to its recipe.
type Code struct {
	Values map[string]string // more placeholders of the request; paths of records find all placeholders below "$"
	// Read reads an answer in place of the paths; may be nil.
	Read func(body []byte) ([]channels.Result, error)
}

// Ask makes one request and reads the answer.
func (r Recipe) Ask(ctx context.Context, c *channels.Client, q channels.Query, code Code) ([]channels.Result, error) {
	values := r.values(c, q, code.Values)
	req, err := r.request(c, values)
	if err != nil {
		return nil, err
	}
	return channels.Ask(ctx, c, req, func(body []byte) ([]channels.Result, error) {
		if code.Read != nil {
			return code.Read(body)
		}
		found, err := r.parse(body, req.URL, values)
		if err != nil {
			return found, err
		}
		return found, r.remark(body)
	})
}

// remark returns what an answer with a list says of itself, or nil.
func (r Recipe) remark(body []byte) error {
	answer := gjson.ParseBytes(body)
	if missing := r.Degraded.text(answer); missing != "" {
		return channels.Fail(channels.StatusDegraded, "%s", normal.Clip(normal.Plain(missing), channels.MaxWords))
	}
	if pause := r.pauseIn(answer); pause > 0 {
		fail := channels.Fail(channels.StatusOK, "it asks for a pause of %.0f s", pause.Seconds())
		fail.RetryAfter = pause
		return fail
	}
	return nil
}

// pauseIn returns how long an answer asks for no requests.
func (r Recipe) pauseIn(answer gjson.Result) time.Duration {
	return time.Duration(normal.Atoi(r.Pause.text(answer))) * time.Second
}

// values returns the values of a request, as the JSON that templates read.
func (r Recipe) values(c *channels.Client, q channels.Query, coded map[string]string) gjson.Result {
	dates := ""
	if q.Since+q.Until != "" {
		dates = q.Since + ":" + q.Until
	}
	values := map[string]any{
		"query": q.Text, "limit": q.Limit, "since": normal.FirstDay(q.Since), "until": normal.LastDay(q.Until), "from": q.Since,
		"to": q.Until, "dates": dates,
		"language": normal.PrimaryLanguage(q.Language), "tag": q.Language, "doi": normal.WholeQueryDOI(q.Text),
		"today": c.Config.Now().UTC().Format(time.DateOnly), "contact": c.Config.Contact, "key": c.Key,
	}
	for name, value := range coded {
		values[name] = value
	}
	given := asJSON(values)
	values["lang"], values["area"] = template(r.Lang).text(given, style{}), template(r.Area).text(given, style{})
	if r.Lookup != nil {
		values["id"] = template(r.Lookup.Of).text(given, style{})
	}
	return asJSON(values)
}

func asJSON(values map[string]any) gjson.Result {
	raw, _ := json.Marshal(values) // texts and numbers
	return gjson.ParseBytes(raw)
}

// fill returns a text of a request; "" without a value. A query without words is an error.
func (r Recipe) fill(a asked, values gjson.Result) (string, error) {
	said := template(a).text(values, style{glue: ","})
	if said == "" && a.mentions("query") {
		return "", channels.Fail(channels.StatusError, "%s", cmp.Or(r.Asks, "the query has no words"))
	}
	return said, nil
}

// request makes the request for the values of a query.
func (r Recipe) request(c *channels.Client, values gjson.Result) (req channels.Request, err error) {
	params, path := r.Params, r.Path
	if l := r.Lookup; l != nil && (l.Path != nil || l.Params != nil) && values.Get("id").Str != "" {
		params, path, req.LookUp = l.Params, l.Path, true
	}
	req = channels.Request{LookUp: req.LookUp, PaceAs: r.Pace, Explain: r.explain, Params: url.Values{}, Header: http.Header{}}
	for name, value := range params {
		said, err := r.fill(value, values)
		if err != nil {
			return req, err
		}
		if said != "" {
			req.Params.Set(name, said)
		}
	}
	for _, element := range path {
		said, err := r.fill(element, values)
		if err != nil {
			return req, err
		}
		if said != "" {
			req.Path = append(req.Path, said)
		}
	}
	for name, value := range r.Headers {
		if said, _ := r.fill(value, values); said != "" {
			req.Header.Set(name, said)
		}
	}
	if r.Body != nil {
		if req.Body, err = r.fillBody(r.Body, values); err != nil {
			return req, err
		}
	}
	switch r.Kind {
	case kindXML, kindFeed:
		req.Want = channels.WantJSONOrXML
	case kindLines:
		req.Want = channels.WantText
	}
	req.URL, err = c.Address(values.Get("lang").Str, req.Params, req.Path...)
	return req, err
}

// mentions reports whether the text has a value of this name.
func (a asked) mentions(name string) bool {
	for _, one := range a {
		for _, p := range one {
			if slices.ContainsFunc(p.pieces, func(piece piece) bool { return piece.path == name }) {
				return true
			}
		}
	}
	return false
}

// fillBody fills the texts of a body. Those without a value are left out; the limit is a number.
func (r Recipe) fillBody(body any, values gjson.Result) (any, error) {
	switch body := body.(type) {
	case map[string]any:
		filled := map[string]any{}
		for name, inner := range body {
			one, err := r.fillBody(inner, values)
			if err != nil {
				return nil, err
			}
			if one != "" {
				filled[name] = one
			}
		}
		return filled, nil
	case string:
		t, err := parseTemplate(body, ofRequest)
		if err != nil {
			return nil, err
		}
		said, err := r.fill(asked(t), values)
		if asked(t).mentions("limit") {
			return json.Number(said), err
		}
		return said, err
	}
	return body, nil
}
