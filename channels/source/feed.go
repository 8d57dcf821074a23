package source

import (
	"bytes"
	"cmp"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/rss"
)

// ParseFeed reads a feed. Its links are relative to the address at.
func ParseFeed(body []byte, at *url.URL) ([]channels.Result, error) {
	parser := gofeed.NewParser()
	parser.KeepOriginalFeed = true
	feed, err := parser.Parse(bytes.NewReader(body))
	if err != nil {
		if words := channels.MessageInXML(body); words != "" {
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
