package channels

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// Custom is a channel that the user configured (docs/own-channel.md). [ReadCustom] reads them.
type Custom struct {
	name        string
	description string
	goodFor     []string
	kinds       []Kind
	sourceType  string
	rate        float64
	feed        bool // RSS, Atom or JSON Feed; else JSON
	address     addressTemplate
	headers     http.Header
	paths       paths
	from        string // the file that configures it
	missing     string // missing environment variable; "" = none
}

// Name is the channel's name.
func (o Custom) Name() string { return o.name }

// Address is the channel's address without its parameters.
func (o Custom) Address() string { return o.address.base }

func (o Custom) channel() channel {
	d := Description{
		Name: o.name, Description: o.description, GoodFor: o.goodFor, For: o.kinds, Missing: o.missing,
		RatePerSecond: o.rate, Parallel: 1,
		Hosts:   []string{o.address.host()},
		Honours: Filters{Dates: o.address.takes("since") && o.address.takes("until"), Language: o.address.takes("language")},
		Live:    true, Tested: "its user's own tests: it is configured in " + o.from,
	}
	if o.sourceType != "" {
		d.SourceTypes = []string{o.sourceType}
	}
	return channel{Description: d, search: o.search}
}

func (o Custom) search(ctx context.Context, c *client, q Query) ([]Result, error) {
	base, params, err := o.address.fill(q)
	if err != nil {
		return nil, err
	}
	u, err := joined(base, c.base, params)
	if err != nil {
		return nil, err
	}
	req := request{url: u, header: o.headers}
	if o.feed {
		req.want, req.explain = wantJSONOrXML, explainXML
	}
	found, err := ask(ctx, c, req, func(body []byte) ([]Result, error) { return o.parse(body, u) })
	if err != nil || o.address.takes("query") {
		return found, err
	}
	return matching(found, keywords(q.Text), "the", "entries of its list") // the answer does not depend on the query
}

// parse reads an answer that came from an address.
func (o Custom) parse(body []byte, at *url.URL) (found []Result, err error) {
	if o.feed {
		found, err = parseFeed(body, at)
	} else {
		found, err = records{of: fmt.Sprintf("records at the configured path %q", o.paths.List), paths: o.paths, explain: o.explain}.read(body)
	}
	for i := range found {
		if u, err := url.Parse(found[i].URL); err == nil && found[i].URL != "" {
			found[i].URL = at.ResolveReference(u).String()
		}
		if o.sourceType != "" {
			found[i].SourceType = o.sourceType
		} else if found[i].SourceType == "" {
			found[i].SourceType = typeOfSite(found[i].URL)
		}
	}
	return found, err
}

// explain reads the message of an error at the configured path, or at the usual ones.
func (o Custom) explain(status int, body []byte) (Status, string) {
	if answer, err := readJSON(body); err == nil {
		if words := text(answer, o.paths.Error); words != "" {
			return "", words
		}
	}
	return explainMessage(status, body)
}
