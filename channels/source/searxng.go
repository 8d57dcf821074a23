package source

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/tidwall/gjson"
)

// searchSearXNG searches the general web through the user's own SearXNG, because public instances block programs
// (https://docs.searxng.org/dev/search_api.html). docs/searxng.md says how to start one.
func searchSearXNG(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	params := url.Values{"q": {q.Text}, "format": {"json"}}
	channels.Set(params, "language", q.Language)
	channels.Set(params, "time_range", timeRange(q, c.Config.Now()))
	found, err := channels.Ask(ctx, c, channels.Request{Params: params}, parseSearXNG)
	if fail, ok := errors.AsType[*channels.Failure](err); ok && fail.Status == channels.StatusBlocked && strings.HasPrefix(fail.Message, "answered 403") {
		fail.Message += ": JSON is not enabled there; add json to search.formats in its settings.yml"
	}
	return found, err
}

// timeRange returns the shortest of SearXNG's ranges that contains the requested days, or "". All its ranges end now,
// and most engines support them; the days are filtered afterwards.
func timeRange(q channels.Query, now time.Time) string {
	if q.Since == "" {
		return ""
	}
	since, err := time.Parse(time.DateOnly, normal.FirstDay(q.Since))
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

var searxngHits = recipe.Records{
	Of:    "results",
	Paths: recipe.Paths{List: "results", Title: "title", URL: "url", Snippet: "content", Date: "publishedDate", Authors: "authors", DOI: "doi"},
	More: func(r gjson.Result, e *channels.Result) {
		if e.Authors == nil {
			e.Authors = normal.Texts(r, "author")
		}
		recipe.BySite(r, e)
	},
}

func parseSearXNG(body []byte) ([]channels.Result, error) {
	found, err := searxngHits.Read(body)
	if err != nil {
		return nil, err
	}
	unresponsive := gjson.GetBytes(body, "unresponsive_engines").Array() // pairs of a name and a reason
	if len(unresponsive) == 0 {
		return found, nil
	}
	var silent []string
	for _, pair := range unresponsive[:min(len(unresponsive), 5)] {
		words := normal.Text(pair, "0")
		if why := normal.Text(pair, "1"); why != "" {
			words = fmt.Sprintf("%s (%s)", words, why)
		}
		silent = append(silent, normal.Clip(normal.Plain(words), 60))
	}
	return found, channels.Fail(channels.StatusDegraded, "%d engines did not answer: %s", len(unresponsive), strings.Join(silent, ", "))
}
