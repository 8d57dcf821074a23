package channels

import (
	"cmp"
	"context"
	"net/url"
	"strconv"

	"github.com/tidwall/gjson"
)

const maxBrave = 20 // results of one request, according to its documentation

// searchBrave searches the general web in Brave's own index (https://api-dashboard.search.brave.com/app/documentation).
func searchBrave(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"q": {q.Text}, "count": {strconv.Itoa(min(q.Limit, maxBrave))}}
	if q.Since+q.Until != "" {
		from, to := cmp.Or(firstDay(q.Since), "1990-01-01"), cmp.Or(lastDay(q.Until), c.cfg.Now().UTC().Format("2006-01-02"))
		params.Set("freshness", from+"to"+to)
	}
	if q.Language != "" {
		params.Set("search_lang", braveLanguage(q.Language))
	}
	return ask(ctx, c, request{params: params, explain: explainBrave, header: c.keyIn("X-Subscription-Token", "")}, parseBrave)
}

// braveLanguage returns the language code in Brave's list, which divides a few languages by country or script.
func braveLanguage(tag string) string {
	switch primary := primaryLanguage(tag); primary {
	case "zh":
		return "zh-hans"
	case "pt":
		return "pt-pt"
	case "ja":
		return "jp"
	default:
		return primary
	}
}

var parseBrave = records{
	of: "pages", explain: explainBrave,
	paths: paths{List: "web.results", Title: "title", URL: "url", Snippet: "description", Language: "language"},
	none:  func(answer gjson.Result) bool { return text(answer, "type") == "search" && !answer.Get("web").Exists() }, // without results, the answer has no list
	more: func(r gjson.Result, e *Result) {
		e.PublishedAt = first(r, "page_age", "age") // "January 31, 2024", "2 days ago"
		bySite(r, e)
	},
}.read

func explainBrave(_ int, body []byte) (Status, string) {
	if messageIn(body, "error.code") == "SUBSCRIPTION_TOKEN_INVALID" {
		return StatusAuthRequired, messageIn(body, "error.detail")
	}
	return "", messageIn(body, "error.code", "error.detail")
}
