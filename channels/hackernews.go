package channels

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// hackerNews searches the stories of Hacker News in Algolia's index (https://hn.algolia.com/api).
var hackerNews = channel{
	Description: Description{
		Name:          "hackernews",
		Description:   "Hacker News: what practitioners of software read and say of it; the page itself where a story has one, and its discussion.",
		GoodFor:       []string{"experience with software", "announcements and their reception", "practitioners' opinions"},
		For:           []Kind{KindPractice, KindNews, KindCode},
		SourceTypes:   []string{"practitioner", "press", "primary"},
		RatePerSecond: 2, // 10,000 an hour and address; 2/s chosen
		Parallel:      2,
		Honours:       Filters{Dates: true},
		Tested:        "a recorded answer of the service",
	},
	url:    "https://hn.algolia.com/api/v1/search",
	search: searchHackerNews,
}

func searchHackerNews(ctx context.Context, c *client, q Query) ([]Result, error) {
	found, err := askHackerNews(ctx, c, q, q.Text)
	if err == nil && len(found) == 0 { // the search wants every word
		found, err = aboutAlone(q.Text, func(text string) ([]Result, error) { return askHackerNews(ctx, c, q, text) })
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

func parseHackerNews(body []byte) ([]Result, error) {
	list, err := listIn(body, "hits", nil, "hits")
	if err != nil {
		return nil, err
	}
	var found []Result
	for _, hit := range each[struct {
		ID       scalar `json:"objectID"`
		Title    string `json:"title"`
		Of       string `json:"story_title"` // of the story that a comment belongs to
		URL      string `json:"url"`
		Text     string `json:"story_text"`
		Comment  string `json:"comment_text"`
		Author   string `json:"author"`
		Created  string `json:"created_at"`
		Points   int    `json:"points"`
		Comments int    `json:"num_comments"`
	}](list) {
		e := Result{Evidence: loopstate.Evidence{Title: hit.Title, URL: hit.URL, PublishedAt: hit.Created}}
		e.Title = cmp.Or(e.Title, hit.Of)
		discussion := ""
		if hit.ID != "" {
			discussion = "https://news.ycombinator.com/item?id=" + url.QueryEscape(string(hit.ID))
		}
		if e.URL == "" { // "Ask HN" and comments have no page but their own
			e.URL = discussion
			e.Authors = distinct(hit.Author)
			discussion = ""
		}
		e.SourceType = typeOfSite(e.URL)
		said := fmt.Sprintf("%d points, %d comments", hit.Points, hit.Comments)
		if discussion != "" {
			said += ": " + discussion
		}
		e.Snippet = joinSaid([]string{plainText(hit.Text + hit.Comment), said})
		found = append(found, e)
	}
	return found, nil
}

// unixOf is the first second, in UTC, of the day that is so many days after a day written YYYY-MM-DD.
func unixOf(day string, after int) int64 {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0
	}
	return t.AddDate(0, 0, after).Unix()
}
