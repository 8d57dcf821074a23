package channels

import (
	"cmp"
	"context"
	"strings"

	"github.com/tidwall/gjson"
)

// exa searches the web by meaning, not by words (https://docs.exa.ai/reference/search).
var exa = channel{
	Description: Description{
		Name:          "exa",
		Description:   "The web, searched by meaning: pages similar to what the query describes, with the beginning of their text.",
		GoodFor:       []string{"the general web", "questions without clear keywords", "pages like a description"},
		For:           []Kind{KindWeb},
		SourceTypes:   []string{"primary", "press", "practitioner"},
		NeedsKey:      true,
		KeyFrom:       "https://dashboard.exa.ai/api-keys",
		RatePerSecond: 5, // the documented limit of searches
		Parallel:      2,
		Honours:       Filters{Dates: true},
		Tested:        "recorded answers of the service",
	},
	url:    "https://api.exa.ai/search",
	search: searchExa,
}

type exaContents struct {
	Text struct {
		Chars int `json:"maxCharacters"`
	} `json:"text"`
}

func searchExa(ctx context.Context, c *client, q Query) ([]Result, error) {
	asked := struct {
		Query    string      `json:"query"`
		Type     string      `json:"type"`
		Max      int         `json:"numResults"`
		Since    string      `json:"startPublishedDate,omitempty"`
		Until    string      `json:"endPublishedDate,omitempty"`
		Contents exaContents `json:"contents"`
	}{Query: q.Text, Type: "auto", Max: q.Limit}
	asked.Contents.Text.Chars = maxSnippet * 2 // its text has markup, which cleaning removes
	asked.Since = around("", firstDay(q.Since), "T00:00:00.000Z")
	asked.Until = around("", lastDay(q.Until), "T23:59:59.999Z")
	return ask(ctx, c, request{body: asked, header: c.keyIn("X-Api-Key", "")}, parseExa)
}

var parseExa = records{
	of:    "results",
	paths: paths{List: "results", Title: "title", URL: "url", Date: "publishedDate", Authors: "author"},
	more: func(r gjson.Result, e *Result) {
		for _, words := range []string{strings.Join(texts(r, "highlights"), " … "), text(r, "summary"), text(r, "text")} {
			e.Snippet = cmp.Or(e.Snippet, plainText(words))
		}
		bySite(r, e)
	},
}.read
