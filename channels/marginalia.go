package channels

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

const marginaliaURL = "https://api2.marginalia-search.com/search"

// marginalia searches the small web (https://about.marginalia-search.com/article/api/).
type marginalia struct{ door *door }

func newMarginalia(d *door) Channel { return &marginalia{d} }

func (c *marginalia) Describe() Description {
	return Description{
		Name:          "marginalia",
		Description:   "Marginalia: the small web of text-heavy and personal pages that large search engines rank low; English mostly.",
		GoodFor:       []string{"personal and old pages", "experience written down by individuals"},
		For:           []Kind{KindWeb, KindPractice},
		SourceTypes:   []string{"primary", "practitioner"},
		NeedsKey:      true,
		KeyFrom:       "free for non-commercial use; the key \"public\" is shared by all and often used up: https://about.marginalia-search.com/article/api/",
		Configured:    true,
		RatePerSecond: 0.5, // chosen
		Parallel:      1,
		Hosts:         []string{"api2.marginalia-search.com"},
		Tested:        "its documented format",
	}
}

func (c *marginalia) Search(ctx context.Context, q Query) ([]Result, error) {
	u, err := c.door.address(marginaliaURL, "", url.Values{"query": {allWords(q.Text)}, "count": {strconv.Itoa(q.Limit)}})
	if err != nil {
		return nil, err
	}
	req := request{url: u, want: wantJSON, explain: explainMarginalia, header: http.Header{}}
	if c.door.key != "" {
		req.header.Set("Api-Key", c.door.key)
	}
	return ask(ctx, c.door, req, func(a answer) ([]Result, error) { return parseMarginalia(a.body) })
}

func parseMarginalia(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Message string             `json:"message"`
		Results *[]json.RawMessage `json:"results"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Results == nil:
		return nil, noList(reply.Message, "pages")
	}
	var found []Result
	for _, hit := range each[struct {
		Title       string `json:"title"`
		URL         string `json:"url"`
		Description string `json:"description"`
	}](*reply.Results) {
		found = append(found, Result{Evidence: loopstate.Evidence{Title: hit.Title, URL: hit.URL, Snippet: hit.Description, SourceType: typeOfSite(hit.URL)}})
	}
	return found, nil
}

// explainMarginalia knows that 503 is its word for a key that asked too often.
func explainMarginalia(code int, body []byte) (Status, string) {
	_, words := explainMessage(code, body)
	if code == http.StatusServiceUnavailable && limitWords.MatchString(words) {
		return StatusRateLimited, words
	}
	return "", words
}
