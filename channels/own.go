package channels

import (
	"context"
	"net/http"
	"net/url"
)

// Own is a channel of the user's own, by configuration instead of code: docs/own-channel.md. [ReadOwn] makes them.
type Own struct {
	name        string
	description string
	goodFor     []string
	kinds       []Kind
	sourceType  string
	rate        float64
	feed        bool // RSS, Atom or JSON Feed; else JSON
	address     addressTemplate
	headers     http.Header
	paths       ownPaths
	from        string // the file that says so
	missing     string // what the environment lacks; "" = nothing
}

// Name is the channel's name.
func (o Own) Name() string { return o.name }

// Address is where the channel asks, without what depends on the query; its host is the user's own choice.
func (o Own) Address() string { return o.address.base }

// ownChannel asks the source that an Own describes.
type ownChannel struct {
	Own
	door *door
}

func (c *ownChannel) Describe() Description {
	d := Description{
		Name: c.name, Description: c.description, GoodFor: c.goodFor, For: c.kinds,
		Configured: c.missing == "", Missing: c.missing,
		RatePerSecond: c.rate, Parallel: 1,
		Hosts:   []string{c.address.host()},
		Honours: Filters{Dates: c.address.takes("since") && c.address.takes("until"), Language: c.address.takes("language")},
		Live:    true, Tested: "what its user tried: it is configured in " + c.from,
	}
	if c.sourceType != "" {
		d.SourceTypes = []string{c.sourceType}
	}
	return d
}

func (c *ownChannel) Search(ctx context.Context, q Query) ([]Result, error) {
	base, params, err := c.address.fill(q)
	if err != nil {
		return nil, err
	}
	u, err := c.door.address(base, "", params)
	if err != nil {
		return nil, err
	}
	req := request{url: u, header: c.headers.Clone(), want: wantJSON, explain: explainMessage}
	if c.feed {
		req.want, req.explain = wantJSONOrXML, explainXML
	}
	found, err := ask(ctx, c.door, req, func(a answer) ([]Result, error) { return c.parse(a.body, u) })
	if err != nil || c.address.takes("query") {
		return found, err
	}
	return pickedBy(found, keywords(q.Text), "the", "entries of its list") // which is whole, whatever the question is
}

// parse reads an answer that came from an address.
func (o Own) parse(body []byte, at *url.URL) (found []Result, err error) {
	if o.feed {
		found, err = parseFeed(body, at)
	} else {
		found, err = o.paths.read(body, at)
	}
	for i := range found {
		if o.sourceType != "" {
			found[i].SourceType = o.sourceType
		} else if found[i].SourceType == "" {
			found[i].SourceType = typeOfSite(found[i].URL)
		}
	}
	return found, err
}
