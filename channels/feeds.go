package channels

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// searchFeeds reads RSS, Atom and JSON Feed: the feed whose address is in the query, the configured one, or the results of
// Google News.
func searchFeeds(ctx context.Context, c *client, q Query) ([]Result, error) {
	u, words, fromQuery, err := feedFor(c, q)
	if err != nil {
		return nil, err
	}
	found, err := ask(ctx, c, request{url: u, fromQuery: fromQuery, want: wantJSONOrXML, explain: explainXML},
		func(body []byte) ([]Result, error) { return parseFeed(body, u) })
	if err != nil {
		return found, err
	}
	return matching(found, words, "the feed's", "entries")
}

// feedFor returns the address to request, the words that select entries if the source does not do so, and whether the
// address is from the query.
func feedFor(c *client, q Query) (at *url.URL, words []string, fromQuery bool, err error) {
	fields := strings.Fields(q.Text)
	for i, field := range fields {
		u, err := url.Parse(field)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
			u.User = nil
			return u, keywords(strings.Join(slices.Delete(fields, i, i+1), " ")), true, nil
		}
	}
	text := q.Text + around(" after:", firstDay(q.Since), "") + around(" before:", lastDay(q.Until), "")
	params := url.Values{"q": {text}}
	for name, value := range newsEdition(q.Language) {
		params.Set(name, value)
	}
	u, err := c.address("", params)
	if err != nil {
		return nil, nil, false, err
	}
	if google, _ := url.Parse(c.url); c.base != "" && u.Path != google.Path { // the user's own feed
		about := keywords(q.Text)
		if len(about) == 0 {
			about = strings.Fields(q.Text)
		}
		u, err = c.address("", nil)
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
