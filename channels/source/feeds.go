package source

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/tidwall/gjson"
	"golang.org/x/text/language"
)

// feeds searches RSS, Atom and JSON Feed: the feed whose address is in the query, or the results of Google News.
type feeds struct{ Recipe }

func (f feeds) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	req, words, err := feedFor(c, q)
	if err != nil {
		return nil, err
	}
	req.Want, req.Explain = channels.WantJSONOrXML, f.explain
	found, err := channels.Ask(ctx, c, req, func(body []byte) ([]channels.Result, error) {
		return f.parse(body, req.URL, gjson.Result{})
	})
	if err != nil {
		return found, err
	}
	return matching(found, words)
}

// feedFor returns what to request, and the words that select entries if the source does not do so.
func feedFor(c *channels.Client, q channels.Query) (req channels.Request, words []string, err error) {
	fields := strings.Fields(q.Text)
	for i, field := range fields {
		u, err := url.Parse(field)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
			u.User = nil
			words = normal.Keywords(strings.Join(slices.Delete(fields, i, i+1), " "))
			return channels.Request{URL: u, FromQuery: true}, words, nil
		}
	}
	text := q.Text
	if q.Since != "" {
		text += " after:" + normal.FirstDay(q.Since)
	}
	if q.Until != "" {
		text += " before:" + normal.LastDay(q.Until)
	}
	// The edition of Google News: the language, the country, which is the likely one if the tag has none, and both together.
	tag := language.Make(cmp.Or(q.Language, "en-US"))
	base, _ := tag.Base()
	region, _ := tag.Region()
	req.URL, err = c.Address("", url.Values{"q": {text}, "hl": {base.String() + "-" + region.String()}, "gl": {region.String()},
		"ceid": {region.String() + ":" + base.String()}})
	return req, nil, err
}
