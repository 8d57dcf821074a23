package channels

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// searchMarginalia searches the small web (https://about.marginalia-search.com/article/api/).
func searchMarginalia(ctx context.Context, c *client, q Query) ([]Result, error) {
	return ask(ctx, c, request{params: url.Values{"query": {allWords(q.Text)}, "count": {strconv.Itoa(q.Limit)}}, explain: explainMarginalia, header: c.keyIn("Api-Key", "")}, parseMarginalia)
}

var parseMarginalia = records{
	of: "pages", explain: explainMarginalia, more: bySite,
	paths: paths{List: "results", Title: "title", URL: "url", Snippet: "description"},
}.read

// explainMarginalia recognises a 503 that means too many requests of a key.
var explainMarginalia = explains(
	errorRule{http.StatusServiceUnavailable, "rate limit", StatusRateLimited},
	errorRule{http.StatusServiceUnavailable, "abuse detection", StatusRateLimited})
