package source

import (
	"context"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// searchKiwix searches the books of the user's own kiwix-serve, such as an offline Wikipedia
// (https://kiwix-tools.readthedocs.io/en/latest/kiwix-serve.html#search). Parameters in the configured address, such as
// books.name=wikipedia_en, choose the books.
func searchKiwix(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	search := func(text string) ([]channels.Result, error) {
		u, err := c.Address("", url.Values{"pattern": {normal.Unaccented(text)}, "format": {"xml"}, "pageLength": {strconv.Itoa(q.Limit)}})
		if err != nil {
			return nil, err
		}
		return channels.Ask(ctx, c, channels.Request{URL: u, Want: channels.WantXML, Explain: explainKiwix}, func(body []byte) ([]channels.Result, error) { return parseKiwix(body, u) })
	}
	found, err := search(q.Text)
	if err == nil && len(found) == 0 {
		found, err = recipe.RetryWithKeywords(q.Text, search)
	}
	return found, err
}

// parseKiwix reads the answer of the server at an address: its links are relative to it.
func parseKiwix(body []byte, at *url.URL) ([]channels.Result, error) {
	reply, err := channels.DecodeXML[struct {
		Channel *struct {
			Title string `xml:"title"`
			Items []struct {
				Title   string `xml:"title"`
				Link    string `xml:"link"`
				Snippet struct {
					Inner string `xml:",innerxml"` // with <b> around what was found
				} `xml:"description"`
				Book struct {
					Title string `xml:"title"`
				} `xml:"book"`
			} `xml:"item"`
		} `xml:"channel"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Channel == nil:
		if _, words := explainKiwix(200, body); words != "" {
			return nil, channels.SourceSays(words)
		}
		return nil, channels.Fail(channels.StatusMalformed, "the answer has no list of articles")
	}
	var found []channels.Result
	for _, item := range reply.Channel.Items {
		e := channels.Result{Evidence: channels.Evidence{Title: item.Title, Snippet: normal.Join(normal.Plain(item.Snippet.Inner), item.Book.Title)}}
		if link, err := url.Parse(item.Link); err == nil && item.Link != "" {
			e.URL = at.ResolveReference(link).String()
		}
		found = append(found, e)
	}
	return found, nil
}

// kiwixDetail finds the details of an error. With status 400 the server sends XML that is not well-formed.
var kiwixDetail = lazyregexp.New(`(?s)<detail>([^<]*)</detail>`)

func explainKiwix(code int, body []byte) (channels.Status, string) {
	if details := kiwixDetail.FindAllSubmatch(body[:min(len(body), 4_000)], 4); len(details) > 0 {
		return "", string(details[len(details)-1][1]) // the first repeats the request
	}
	return channels.ExplainXML(code, body)
}
