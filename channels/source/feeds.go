package source

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"golang.org/x/text/language"
)

// searchFeeds reads RSS, Atom and JSON Feed: the feed whose address is in the query, the configured one, or the results of
// Google News.
func searchFeeds(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	u, words, fromQuery, err := feedFor(c, q)
	if err != nil {
		return nil, err
	}
	found, err := channels.Ask(ctx, c, channels.Request{URL: u, FromQuery: fromQuery, Want: channels.WantJSONOrXML, Explain: channels.ExplainXML},
		func(body []byte) ([]channels.Result, error) { return ParseFeed(body, u) })
	if err != nil {
		return found, err
	}
	return Matching(found, words)
}

// feedFor returns the address to request, the words that select entries if the source does not do so, and whether the
// address is from the query.
func feedFor(c *channels.Client, q channels.Query) (at *url.URL, words []string, fromQuery bool, err error) {
	fields := strings.Fields(q.Text)
	for i, field := range fields {
		u, err := url.Parse(field)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
			u.User = nil
			return u, normal.Keywords(strings.Join(slices.Delete(fields, i, i+1), " ")), true, nil
		}
	}
	text := q.Text + normal.Around(" after:", normal.FirstDay(q.Since), "") + normal.Around(" before:", normal.LastDay(q.Until), "")
	params := url.Values{"q": {text}}
	for name, value := range newsEdition(q.Language) {
		params.Set(name, value)
	}
	u, err := c.Address("", params)
	if err != nil {
		return nil, nil, false, err
	}
	if google, _ := url.Parse(c.URL); c.Base != "" && u.Path != google.Path { // the user's own feed
		about := normal.Keywords(q.Text)
		if len(about) == 0 {
			about = strings.Fields(q.Text)
		}
		u, err = c.Address("", nil)
		return u, about, false, err
	}
	return u, nil, false, nil
}

// newsEdition returns Google News's parameters for a language: the interface, the country, and both together.
func newsEdition(tag string) map[string]string {
	tag = cmp.Or(tag, "en-US")
	parsed, err := language.Parse(tag)
	if err != nil {
		return nil
	}
	base, _ := parsed.Base()
	region, _ := parsed.Region() // the likely one if the tag has none
	return map[string]string{"hl": base.String() + "-" + region.String(), "gl": region.String(), "ceid": region.String() + ":" + base.String()}
}
