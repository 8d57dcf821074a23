package channels

import (
	"context"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// searchKiwix searches the books of the user's own kiwix-serve, such as an offline Wikipedia
// (https://kiwix-tools.readthedocs.io/en/latest/kiwix-serve.html#search). Parameters in the configured address, such as
// books.name=wikipedia_en, choose the books.
func searchKiwix(ctx context.Context, c *client, q Query) ([]Result, error) {
	search := func(text string) ([]Result, error) {
		u, err := c.address("", url.Values{"pattern": {unaccented(text)}, "format": {"xml"}, "pageLength": {strconv.Itoa(q.Limit)}})
		if err != nil {
			return nil, err
		}
		return ask(ctx, c, request{url: u, want: wantXML, explain: explainKiwix}, func(body []byte) ([]Result, error) { return parseKiwix(body, u) })
	}
	found, err := search(q.Text)
	if err == nil && len(found) == 0 {
		found, err = retryWithKeywords(q.Text, search)
	}
	return found, err
}

// parseKiwix reads the answer of the server at an address: its links are relative to it.
func parseKiwix(body []byte, at *url.URL) ([]Result, error) {
	reply, err := decodeXML[struct {
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
			return nil, failureWithMessage(words)
		}
		return nil, failure(StatusMalformed, "the answer has no list of articles")
	}
	var found []Result
	for _, item := range reply.Channel.Items {
		e := Result{Evidence: Evidence{Title: item.Title, Snippet: joinMessages([]string{plainText(item.Snippet.Inner), item.Book.Title})}}
		if link, err := url.Parse(item.Link); err == nil && item.Link != "" {
			e.URL = at.ResolveReference(link).String()
		}
		found = append(found, e)
	}
	return found, nil
}

// kiwixDetail finds the details of an error. With status 400 the server sends XML that is not well-formed.
var kiwixDetail = lazyregexp.New(`(?s)<detail>([^<]*)</detail>`)

func explainKiwix(code int, body []byte) (Status, string) {
	if details := kiwixDetail.FindAllSubmatch(body[:min(len(body), 4_000)], 4); len(details) > 0 {
		return "", string(details[len(details)-1][1]) // the first repeats the request
	}
	return explainXML(code, body)
}
