package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

// brave searches the general web in Brave's own index (https://api-dashboard.search.brave.com/app/documentation).
var brave = channel{
	Description: Description{
		Name:          "brave",
		Description:   "The general web in Brave's own index.",
		GoodFor:       []string{"the general web", "recent pages"},
		For:           []Kind{KindWeb, KindNews},
		SourceTypes:   []string{"primary", "press", "practitioner"},
		NeedsKey:      true,
		KeyFrom:       "https://api-dashboard.search.brave.com",
		RatePerSecond: 1, // the smallest plan
		Parallel:      1,
		Honours:       Filters{Dates: true, Language: true},
		Tested:        "its documented format",
	},
	url:    "https://api.search.brave.com/res/v1/web/search",
	search: searchBrave,
}

const maxBrave = 20 // results of one request, by its documentation

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

// braveLanguage is a tag as Brave lists them; it parts a few languages by country or script.
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

type braveError struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func parseBrave(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Type  string      `json:"type"` // "search"
		Error *braveError `json:"error"`
		Web   *struct {
			Results []json.RawMessage `json:"results"`
		} `json:"web"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Error != nil:
		return nil, sourceSays(joinSaid([]string{reply.Error.Code, reply.Error.Detail}))
	case reply.Web == nil && reply.Type == "search":
		return nil, nil // it leaves out what it has nothing of
	case reply.Web == nil:
		return nil, failure(StatusMalformed, "the answer has no list of pages")
	}
	var found []Result
	for _, hit := range each[struct {
		Title       string `json:"title"`
		URL         string `json:"url"`
		Description string `json:"description"` // with <strong>
		Age         string `json:"page_age"`
		Shown       string `json:"age"` // "January 31, 2024", "2 days ago"
		Language    string `json:"language"`
	}](reply.Web.Results) {
		e := Result{Evidence: loopstate.Evidence{Title: hit.Title, URL: hit.URL, Snippet: hit.Description, PublishedAt: hit.Age,
			SourceType: typeOfSite(hit.URL), Language: bcp47(hit.Language)}}
		e.PublishedAt = cmp.Or(e.PublishedAt, hit.Shown)
		found = append(found, e)
	}
	return found, nil
}

func explainBrave(_ int, body []byte) (Status, string) {
	reply, err := decodeJSON[struct {
		Error braveError `json:"error"`
	}](body)
	if err != nil {
		return "", ""
	}
	if reply.Error.Code == "SUBSCRIPTION_TOKEN_INVALID" {
		return StatusAuthRequired, reply.Error.Detail
	}
	return "", joinSaid([]string{reply.Error.Code, reply.Error.Detail})
}
