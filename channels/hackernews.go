package channels

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// searchHackerNews searches the stories of Hacker News in Algolia's index (https://hn.algolia.com/api).
func searchHackerNews(ctx context.Context, c *client, q Query) ([]Result, error) {
	found, err := askHackerNews(ctx, c, q, q.Text)
	if err == nil && len(found) == 0 { // the search requires every word
		found, err = retryWithKeywords(q.Text, func(text string) ([]Result, error) { return askHackerNews(ctx, c, q, text) })
	}
	return found, err
}

func askHackerNews(ctx context.Context, c *client, q Query, text string) ([]Result, error) {
	params := url.Values{"query": {text}, "tags": {"story"}, "hitsPerPage": {strconv.Itoa(q.Limit)}}
	var span []string
	if q.Since != "" {
		span = append(span, fmt.Sprintf("created_at_i>=%d", unixOf(firstDay(q.Since), 0)))
	}
	if q.Until != "" {
		span = append(span, fmt.Sprintf("created_at_i<%d", unixOf(lastDay(q.Until), 1)))
	}
	if span != nil {
		params.Set("numericFilters", strings.Join(span, ","))
	}
	return ask(ctx, c, request{params: params}, parseHackerNews)
}

var parseHackerNews = records{
	of:    "hits",
	paths: paths{List: "hits", URL: "url", Date: "created_at"},
	more: func(r gjson.Result, e *Result) {
		e.Title = first(r, "title", "story_title") // story_title: of the story that a comment is on
		discussion := around("https://news.ycombinator.com/item?id=", url.QueryEscape(text(r, "objectID")), "")
		if e.URL == "" { // "Ask HN" and comments link to no page
			e.URL, discussion = discussion, ""
			e.Authors = texts(r, "author")
		}
		said := fmt.Sprintf("%d points, %d comments", r.Get("points").Int(), r.Get("num_comments").Int()) + around(": ", discussion, "")
		e.Snippet = joinMessages([]string{plainText(text(r, "story_text") + text(r, "comment_text")), said})
		bySite(r, e)
	},
}.read

// unixOf returns the Unix time at which a day (YYYY-MM-DD, UTC) plus some days begins, or 0 for an invalid day.
func unixOf(day string, after int) int64 {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0
	}
	return t.AddDate(0, 0, after).Unix()
}
