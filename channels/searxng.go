package channels

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// searchSearXNG searches the general web through the user's own SearXNG, because public instances block programs
// (https://docs.searxng.org/dev/search_api.html). docs/searxng.md says how to start one.
func searchSearXNG(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"q": {q.Text}, "format": {"json"}}
	set(params, "language", q.Language)
	set(params, "time_range", timeRange(q, c.cfg.Now()))
	found, err := ask(ctx, c, request{params: params}, parseSearXNG)
	if fail, ok := errors.AsType[*Failure](err); ok && fail.Status == StatusBlocked && strings.HasPrefix(fail.Message, "answered 403") {
		fail.Message += ": JSON is not enabled there; add json to search.formats in its settings.yml"
	}
	return found, err
}

// timeRange returns the shortest of SearXNG's ranges that contains the requested days, or "". All its ranges end now,
// and most engines support them; the days are filtered afterwards.
func timeRange(q Query, now time.Time) string {
	if q.Since == "" {
		return ""
	}
	since, err := time.Parse(time.DateOnly, firstDay(q.Since))
	if err != nil {
		return ""
	}
	switch age := now.Sub(since); {
	case age < 0:
		return ""
	case age <= 24*time.Hour:
		return "day"
	case age <= 28*24*time.Hour:
		return "month"
	case age <= 365*24*time.Hour:
		return "year"
	}
	return ""
}

var searxngHits = records{
	of:    "results",
	paths: paths{List: "results", Title: "title", URL: "url", Snippet: "content", Date: "publishedDate", Authors: "authors", DOI: "doi"},
	more: func(r gjson.Result, e *Result) {
		if e.Authors == nil {
			e.Authors = texts(r, "author")
		}
		bySite(r, e)
	},
}

func parseSearXNG(body []byte) ([]Result, error) {
	found, err := searxngHits.read(body)
	if err != nil {
		return nil, err
	}
	unresponsive := gjson.GetBytes(body, "unresponsive_engines").Array() // pairs of a name and a reason
	if len(unresponsive) == 0 {
		return found, nil
	}
	var silent []string
	for _, pair := range unresponsive[:min(len(unresponsive), 5)] {
		words := text(pair, "0")
		if why := text(pair, "1"); why != "" {
			words = fmt.Sprintf("%s (%s)", words, why)
		}
		silent = append(silent, clip(plainText(words), 60))
	}
	return found, failure(StatusDegraded, "%d engines did not answer: %s", len(unresponsive), strings.Join(silent, ", "))
}
