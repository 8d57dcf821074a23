package channels

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// serper answers with Google's results (https://serper.dev).
var serper = channel{
	Description: Description{
		Name:          "serper",
		Description:   "The general web: Google's results by a service that sells them.",
		GoodFor:       []string{"the general web", "recent pages", "any language"},
		For:           []Kind{KindWeb, KindNews},
		SourceTypes:   []string{"primary", "press", "practitioner"},
		NeedsKey:      true,
		KeyFrom:       "https://serper.dev/api-key",
		RatePerSecond: 5, // plans begin at 50 a second; chosen
		Parallel:      2,
		Honours:       Filters{Dates: true, Language: true},
		Tested:        "its documented format",
	},
	url:    "https://google.serper.dev/search",
	search: searchSerper,
}

func searchSerper(ctx context.Context, c *client, q Query) ([]Result, error) {
	asked := struct {
		Query    string `json:"q"`
		Max      int    `json:"num"`
		Language string `json:"hl,omitempty"`
		Range    string `json:"tbs,omitempty"`
	}{Query: q.Text, Max: q.Limit, Language: primaryLanguage(q.Language)}
	if q.Since+q.Until != "" {
		asked.Range = "cdr:1"
		if q.Since != "" {
			asked.Range += ",cd_min:" + usDate(firstDay(q.Since))
		}
		if q.Until != "" {
			asked.Range += ",cd_max:" + usDate(lastDay(q.Until))
		}
	}
	return ask(ctx, c, request{body: asked, explain: explainSerper, header: c.keyIn("X-Api-Key", "")}, parseSerper)
}

// usDate writes YYYY-MM-DD as Google's ranges want it, M/D/YYYY.
func usDate(day string) string {
	return strings.TrimPrefix(day[5:7], "0") + "/" + strings.TrimPrefix(day[8:10], "0") + "/" + day[:4]
}

func parseSerper(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Message string             `json:"message"`
		Asked   *json.RawMessage   `json:"searchParameters"`
		Organic *[]json.RawMessage `json:"organic"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Organic == nil && reply.Message != "":
		return nil, sourceSays(reply.Message)
	case reply.Organic == nil && reply.Asked == nil:
		return nil, failure(StatusMalformed, "the answer has no list of pages")
	case reply.Organic == nil:
		return nil, nil
	}
	var found []Result
	for _, hit := range each[struct {
		Title   string `json:"title"`
		Link    string `json:"link"`
		Snippet string `json:"snippet"`
		Date    string `json:"date"` // "Jan 31, 2024", "2 days ago"
	}](*reply.Organic) {
		found = append(found, Result{Evidence: loopstate.Evidence{
			Title: hit.Title, URL: hit.Link, Snippet: hit.Snippet, PublishedAt: hit.Date, SourceType: typeOfSite(hit.Link),
		}})
	}
	return found, nil
}

// explainSerper recognises that the service answers 403 to a wrong key, and 400 where the credits are used up.
func explainSerper(code int, body []byte) (Status, string) {
	_, words := explainMessage(code, body)
	switch low := strings.ToLower(words); {
	case code == http.StatusForbidden && strings.Contains(low, "unauthorized"):
		return StatusAuthRequired, words
	case strings.Contains(low, "not enough credits"):
		return StatusRateLimited, words
	}
	return "", words
}
