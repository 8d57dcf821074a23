package source

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/rss"
	"golang.org/x/text/language"
)

// searchFeeds reads RSS, Atom and JSON Feed: the feed whose address is in the query, or the results of Google News.
func searchFeeds(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	req, words, err := feedFor(c, q)
	if err != nil {
		return nil, err
	}
	req.Want, req.Explain = channels.WantJSONOrXML, explainXML
	found, err := channels.Ask(ctx, c, req, func(body []byte) ([]channels.Result, error) { return parseFeed(body, req.URL) })
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
	params := url.Values{"q": {text}}
	for name, value := range newsEdition(q.Language) {
		params.Set(name, value)
	}
	req.URL, err = c.Address("", params)
	return req, nil, err
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
	return map[string]string{"hl": base.String() + "-" + region.String(), "gl": region.String(), "ceid": region.String() + ":" +
		base.String()}
}

// parseFeed reads a feed. Its links are relative to the address at.
func parseFeed(body []byte, at *url.URL) ([]channels.Result, error) {
	parser := gofeed.NewParser()
	parser.KeepOriginalFeed = true
	feed, err := parser.Parse(bytes.NewReader(body))
	if err != nil {
		if words := messageInXML(body); words != "" {
			return nil, channels.SourceSays(words)
		}
		return nil, &channels.Failure{Status: channels.StatusMalformed, Message: "the answer is not a feed", Cause: err}
	}
	publishers := map[int]*rss.Source{} // from Google News, by index
	if original, ok := feed.OriginalFeed().(*rss.Feed); ok && len(original.Items) == len(feed.Items) {
		for i, item := range original.Items {
			publishers[i] = item.Source
		}
	}
	var found []channels.Result
	for i, item := range feed.Items {
		e := entryOf(item, at)
		e.Language = normal.Language(feed.Language)
		site := e.URL
		if p := publishers[i]; p != nil && p.Title != "" {
			e.Title = strings.TrimSuffix(e.Title, " - "+p.Title)
			e.Snippet = normal.Join(e.Snippet, p.Title)
			site = p.URL
		}
		e.SourceType = normal.TypeOfSite(site)
		found = append(found, e)
	}
	return found, nil
}

func entryOf(item *gofeed.Item, at *url.URL) channels.Result {
	e := channels.Result{Evidence: channels.Evidence{Title: normal.Plain(item.Title), Snippet: normal.Plain(item.Description)}}
	e.Snippet = cmp.Or(e.Snippet, normal.Plain(item.Content))
	e.Title = cmp.Or(e.Title, normal.Clip(e.Snippet, 80)) // RSS entries may have only a text: use its first words
	addresses := []string{item.Link, item.GUID}
	for _, enclosure := range item.Enclosures {
		addresses = append(addresses, enclosure.URL)
	}
	for _, a := range addresses {
		if a = strings.TrimSpace(a); a == "" {
			continue
		}
		if u, err := url.Parse(a); err == nil {
			if a == item.Link || u.IsAbs() {
				e.URL = at.ResolveReference(u).String()
			}
		}
		if normal.ValidURL(e.URL) {
			break
		}
	}
	switch {
	case item.PublishedParsed != nil:
		e.PublishedAt = normal.UnixDay(float64(item.PublishedParsed.Unix()))
	case item.UpdatedParsed != nil:
		e.PublishedAt = normal.UnixDay(float64(item.UpdatedParsed.Unix()))
	default:
		e.PublishedAt = item.Published
	}
	for _, author := range item.Authors {
		if author != nil {
			e.Authors = append(e.Authors, author.Name)
		}
	}
	return e
}
