package channels

import (
	"cmp"
	"context"
	"strings"

	"github.com/tidwall/gjson"
)

type exaContents struct {
	Text struct {
		Chars int `json:"maxCharacters"`
	} `json:"text"`
}

// searchExa searches the web by meaning, not by words (https://docs.exa.ai/reference/search).
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
