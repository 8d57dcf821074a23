package source

import (
	"context"
	"encoding/json"
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

// Search is the search function of a channel without code of its own.
func (r Recipe) Search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	found, err := r.Ask(ctx, c, q, Code{})
	if err != nil || r.takes("query") {
		return found, err
	}
	return matching(found, normal.Keywords(q.Text)) // the answer does not depend on the words
}

// Again returns what to search for if a query finds nothing, or "".
func (r Recipe) Again(c *channels.Client, q channels.Query) string {
	return r.again.text(r.values(c, q, nil), style{})
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
	if missing := r.degraded.text(answer, style{}); missing != "" {
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
	return time.Duration(normal.Atoi(r.pause.text(answer, style{}))) * time.Second
}

// takes reports whether the request has the value.
func (t Entry) takes(name string) bool {
	all := fmt.Sprint(t.Address, t.Path, t.Params, t.Body)
	return strings.Contains(all, "{"+name+"}") || strings.Contains(all, "{"+name+" ")
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
	values["lang"] = r.lang.text(given, style{})
	if r.lookup != nil {
		values["id"] = r.lookup.of.text(given, style{})
	}
	return asJSON(values)
}

func asJSON(values map[string]any) gjson.Result {
	raw, _ := json.Marshal(values) // texts and numbers
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

// request makes the request for the values of a query.
func (r Recipe) request(c *channels.Client, values gjson.Result) (req channels.Request, err error) {
	params, path := r.address.params, r.path
	if l := r.lookup; l != nil && (l.path != nil || l.params != nil) && values.Get("id").Str != "" {
		params, path, req.LookUp = l.params, l.path, true
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
		if said != "" {
			elements = append(elements, said)
		}
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
	req.Explain = r.explain
	switch r.Kind {
	case kindFeed:
		req.Want, req.Explain = channels.WantJSONOrXML, channels.ExplainXML
	case kindAny:
		req.Want = channels.WantJSONOrXML
	case kindXML:
		req.Want = channels.WantXML
	}
	req.PaceAs = r.Pace
	if r.address.raw == "" {
		req.URL, err = c.Address(values.Get("lang").Str, filled, elements...)
		return req, err
	}
	base, err := r.address.fill(values)
	if err == nil {
		req.URL, err = channels.Joined(base, c.Base, filled, elements...)
	}
	return req, err
}

// literal reports whether the words have no value to fill in.
func (t template) literal() bool {
	return len(t) == 1 && len(t[0]) == 1 && t[0][0].when == nil &&
		!slices.ContainsFunc(t[0][0].pieces, func(p piece) bool { return p.path != "" })
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

// fill returns the address to the "?".
func (a addressTemplate) fill(values gjson.Result) (string, error) {
	base := a.base.text(values, style{escape: true})
	if base == "" {
		return "", channels.Fail(channels.StatusError, "its address %s needs a value that the search does not give", a.raw)
	}
	return base, nil
}
