package channels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// searxngURL is where SearXNG listens unless told otherwise. The channel asks only at a configured address: there
// is no instance for everybody that lets programs in.
// searxng searches the general web through a SearXNG of the user's own
// (https://docs.searxng.org/dev/search_api.html). docs/searxng.md says how to start one.
var searxng = channel{
	Description: Description{
		Name:          "searxng",
		Description:   "The general web through a SearXNG of your own, which asks many search engines at once.",
		GoodFor:       []string{"the general web", "anything no other channel covers", "any language"},
		For:           []Kind{KindWeb, KindNews, KindPractice},
		SourceTypes:   []string{"primary", "press", "practitioner"},
		RatePerSecond: 2, // the user's own server; chosen with regard to the engines behind it
		Parallel:      2,
		Honours:       Filters{Language: true},
		Tested:        "a searx 1.1.0 (SearXNG's predecessor) of its own, and its documented format",
	},
	url:     "http://127.0.0.1:8080/search",
	search:  searchSearXNG,
	missing: needsURL("set CITELOOP_SEARXNG_URL to the address of a SearXNG, such as http://127.0.0.1:8080 (docs/searxng.md starts one with two commands)"),
}

func searchSearXNG(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"q": {q.Text}, "format": {"json"}}
	set(params, "language", q.Language)
	set(params, "time_range", timeRange(q, c.cfg.Now()))
	found, err := ask(ctx, c, request{params: params}, parseSearXNG)
	if fail, ok := errors.AsType[*Failure](err); ok && fail.Status == StatusBlocked && strings.HasPrefix(fail.Message, "answered 403") {
		fail.Message += ": JSON is not switched on there; add json to search.formats in its settings.yml"
	}
	return found, err
}

// timeRange is the shortest of SearXNG's ranges, which all end now, that holds the days asked for. Most engines
// behind it know them; the frame looks at the days themselves.
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

func parseSearXNG(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Error        string             `json:"error"`
		Results      *[]json.RawMessage `json:"results"`
		Unresponsive []oneOrMany        `json:"unresponsive_engines"` // pairs of a name and a reason
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Results == nil:
		return nil, noList(reply.Error, "results")
	}
	var found []Result
	for _, hit := range each[struct {
		URL       string    `json:"url"`
		Title     string    `json:"title"`
		Content   string    `json:"content"`
		Published string    `json:"publishedDate"`
		Author    string    `json:"author"`
		Authors   oneOrMany `json:"authors"`
		DOI       string    `json:"doi"`
	}](*reply.Results) {
		e := Result{Evidence: loopstate.Evidence{
			Title: hit.Title, URL: hit.URL, Snippet: hit.Content, PublishedAt: hit.Published, DOI: hit.DOI,
			SourceType: typeOfSite(hit.URL), Authors: hit.Authors,
		}}
		if e.Authors == nil && hit.Author != "" {
			e.Authors = []string{hit.Author}
		}
		found = append(found, e)
	}
	if len(reply.Unresponsive) == 0 {
		return found, nil
	}
	var silent []string
	for _, pair := range reply.Unresponsive[:min(len(reply.Unresponsive), 5)] {
		words := pair.first()
		if len(pair) > 1 {
			words = fmt.Sprintf("%s (%s)", words, pair[1])
		}
		silent = append(silent, clip(plainText(words), 60))
	}
	return found, failure(StatusDegraded, "%d engines did not answer: %s", len(reply.Unresponsive), strings.Join(silent, ", "))
}
