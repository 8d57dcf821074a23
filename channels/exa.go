package channels

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

const exaURL = "https://api.exa.ai/search"

// exa searches the web by meaning (https://docs.exa.ai/reference/search).
type exa struct{ door *door }

func newExa(d *door) Channel { return &exa{d} }

func (c *exa) Describe() Description {
	return Description{
		Name:          "exa",
		Description:   "The web by meaning: pages that are like what the query describes, with the beginning of their text.",
		GoodFor:       []string{"the general web", "questions that have no keywords", "pages like a description"},
		For:           []Kind{KindWeb},
		SourceTypes:   []string{"primary", "press", "practitioner"},
		NeedsKey:      true,
		KeyFrom:       "https://dashboard.exa.ai/api-keys",
		Configured:    true,
		RatePerSecond: 5, // the documented limit of searches
		Parallel:      2,
		Hosts:         []string{"api.exa.ai"},
		Honours:       Filters{Dates: true},
		Tested:        "recorded answers of the service",
	}
}

type exaContents struct {
	Text struct {
		Chars int `json:"maxCharacters"`
	} `json:"text"`
}

func (c *exa) Search(ctx context.Context, q Query) ([]Result, error) {
	u, err := c.door.address(exaURL, "", nil)
	if err != nil {
		return nil, err
	}
	asked := struct {
		Query    string      `json:"query"`
		Type     string      `json:"type"`
		Max      int         `json:"numResults"`
		Since    string      `json:"startPublishedDate,omitempty"`
		Until    string      `json:"endPublishedDate,omitempty"`
		Contents exaContents `json:"contents"`
	}{Query: q.Text, Type: "auto", Max: q.Limit}
	asked.Contents.Text.Chars = maxSnippet * 2 // its text has markup, which cleaning removes
	if q.Since != "" {
		asked.Since = firstDay(q.Since) + "T00:00:00.000Z"
	}
	if q.Until != "" {
		asked.Until = lastDay(q.Until) + "T23:59:59.999Z"
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	req := request{url: u, want: wantJSON, body: body, explain: explainMessage, header: http.Header{}}
	if c.door.key != "" {
		req.header.Set("X-Api-Key", c.door.key)
	}
	return ask(ctx, c.door, req, func(a answer) ([]Result, error) { return parseExa(a.body) })
}

func parseExa(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Error   string             `json:"error"`
		Results *[]json.RawMessage `json:"results"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Results == nil:
		return nil, noList(reply.Error, "results")
	}
	var found []Result
	for _, hit := range each[struct {
		Title      string    `json:"title"`
		URL        string    `json:"url"`
		Published  string    `json:"publishedDate"`
		Author     string    `json:"author"`
		Text       string    `json:"text"`
		Summary    string    `json:"summary"`
		Highlights oneOrMany `json:"highlights"`
	}](*reply.Results) {
		e := Result{Evidence: loopstate.Evidence{Title: hit.Title, URL: hit.URL, PublishedAt: hit.Published, SourceType: typeOfSite(hit.URL)}}
		if hit.Author != "" {
			e.Authors = []string{hit.Author}
		}
		for _, text := range []string{strings.Join(hit.Highlights, " … "), hit.Summary, hit.Text} {
			if e.Snippet == "" {
				e.Snippet = plainText(text)
			}
		}
		found = append(found, e)
	}
	return found, nil
}
