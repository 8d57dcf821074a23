package channels

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// marginalia searches the small web (https://about.marginalia-search.com/article/api/).
var marginalia = channel{
	Description: Description{
		Name:          "marginalia",
		Description:   "Marginalia: the small web of text-heavy and personal pages that large search engines rank low; English mostly.",
		GoodFor:       []string{"personal and old pages", "experience written down by individuals"},
		For:           []Kind{KindWeb, KindPractice},
		SourceTypes:   []string{"primary", "practitioner"},
		NeedsKey:      true,
		KeyFrom:       "free for non-commercial use; the key \"public\" is shared by all and often used up: https://about.marginalia-search.com/article/api/",
		RatePerSecond: 0.5, // chosen
		Parallel:      1,
		Tested:        "its documented format",
	},
	url:    "https://api2.marginalia-search.com/search",
	search: searchMarginalia,
}

func searchMarginalia(ctx context.Context, c *client, q Query) ([]Result, error) {
	return ask(ctx, c, request{params: url.Values{"query": {allWords(q.Text)}, "count": {strconv.Itoa(q.Limit)}}, explain: explainMarginalia, header: c.keyIn("Api-Key", "")}, parseMarginalia)
}

var parseMarginalia = records{
	of: "pages", explain: explainMarginalia, more: bySite,
	paths: paths{List: "results", Title: "title", URL: "url", Snippet: "description"},
}.read

// explainMarginalia recognises a 503 that means too many requests of a key.
func explainMarginalia(code int, body []byte) (Status, string) {
	_, words := explainMessage(code, body)
	if code == http.StatusServiceUnavailable && limitWords.MatchString(words) {
		return StatusRateLimited, words
	}
	return "", words
}
