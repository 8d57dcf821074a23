package source

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/tidwall/gjson"
)

// Search is the search function of a channel without code of its own.
func (r Recipe) Search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	found, err := r.Ask(ctx, c, q, Code{})
	words := q.Text
	switch {
	case err != nil:
		return found, err
	case len(found) == 0 && r.again != nil:
		q.Text = r.again.text(r.values(c, q, nil), style{})
		if q.Text == "" || q.Text == words {
			return nil, nil
		}
		found, err = r.Ask(ctx, c, q, Code{})
		if err == nil && len(found) > 0 {
			err = channels.Fail(channels.StatusOK, "no results for the whole query; searched for %q",
				normal.Clip(q.Text, channels.MaxWords))
		}
		return found, err
	case r.selected == nil && r.takes("query"):
		return found, err
	case r.selected != nil:
		words = r.selected.text(r.values(c, q, nil), style{})
	}
	return matching(found, normal.Keywords(words)) // the answer does not depend on the words
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
	var pause time.Duration
	if explain := req.Explain; r.pause != nil {
		req.Explain = func(code int, body []byte) (channels.Status, string) {
			pause = r.holdOff(c, body)
			return explain(code, body)
		}
	}
	found, err := channels.Ask(ctx, c, req, func(body []byte) ([]channels.Result, error) {
		if code.Read != nil {
			return code.Read(body)
		}
		found, err := r.parse(body, req.URL, values)
		if err != nil {
			return found, err
		}
		pause = r.holdOff(c, body)
		if missing := r.degraded.text(gjson.ParseBytes(body), style{}); missing != "" {
			err = channels.Fail(channels.StatusDegraded, "%s", normal.Clip(normal.Plain(missing), channels.MaxWords))
		}
		return found, err
	})
	if err == nil && pause > 0 {
		err = channels.Fail(channels.StatusOK, "it asks for a pause of %.0f s", pause.Seconds())
	}
	if fail, ok := errors.AsType[*channels.Failure](err); ok {
		fail.RetryAfter = cmp.Or(fail.RetryAfter, pause)
	}
	return found, err
}

// holdOff sends the host no requests for as long as an answer asks, and returns how long that is.
func (r Recipe) holdOff(c *channels.Client, body []byte) time.Duration {
	if r.pause == nil {
		return 0
	}
	pause := time.Duration(normal.Atoi(r.pause.text(gjson.ParseBytes(body), style{}))) * time.Second
	c.HoldOff(pause)
	return pause
}

// takes reports whether the request has the value.
func (r Recipe) takes(name string) bool {
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
		return "", channels.Fail(channels.StatusError, "the path of its address needs %s, which the search does not give",
			a.lacking(values))
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
