package channels

import (
	"context"
)

const maxTavily = 20 // results of one request, by its documentation

// searchTavily searches the general web for programs (https://docs.tavily.com/documentation/api-reference/endpoint/search).
func searchTavily(ctx context.Context, c *client, q Query) ([]Result, error) {
	asked := struct {
		Query string `json:"query"`
		Max   int    `json:"max_results"`
		Since string `json:"start_date,omitempty"`
		Until string `json:"end_date,omitempty"`
	}{Query: q.Text, Max: min(q.Limit, maxTavily), Since: firstDay(q.Since), Until: lastDay(q.Until)}
	return ask(ctx, c, request{body: asked, explain: explainTavily, header: c.keyIn("Authorization", "Bearer ")}, parseTavily)
}

var parseTavily = records{
	of: "results", explain: explainTavily, more: bySite,
	paths: paths{List: "results", Title: "title", URL: "url", Snippet: "content", Date: "published_date"},
}.read

// explainTavily reads {"detail": {"error": "words"}}, and its two codes for a plan that is used up.
func explainTavily(code int, body []byte) (Status, string) {
	var status Status
	if code == 432 || code == 433 {
		status = StatusRateLimited
	}
	if words := messageIn(body, "detail.error"); words != "" {
		return status, words
	}
	_, words := explainMessage(code, body)
	return status, words
}
