package channels

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

const hackerNewsURL = "https://hn.algolia.com/api/v1/search"

// hackerNews searches the stories of Hacker News in Algolia's index (https://hn.algolia.com/api).
type hackerNews struct{ door *door }

func newHackerNews(d *door) Channel { return &hackerNews{d} }

func (c *hackerNews) Describe() Description {
	return Description{
		Name:          "hackernews",
		Description:   "Hacker News: what practitioners of software read and say of it; the page itself where a story has one, and its discussion.",
		GoodFor:       []string{"experience with software", "announcements and their reception", "practitioners' opinions"},
		For:           []Kind{KindPractice, KindNews, KindCode},
		SourceTypes:   []string{"practitioner", "press", "primary"},
		Configured:    true,
		RatePerSecond: 2, // 10,000 an hour and address; 2/s chosen
		Parallel:      2,
		Hosts:         []string{"hn.algolia.com"},
		Honours:       Filters{Dates: true},
		Tested:        "a recorded answer of the service",
	}
}

func (c *hackerNews) Search(ctx context.Context, q Query) ([]Result, error) {
	found, err := c.ask(ctx, q, q.Text)
	// The search wants every word. A question as people write it has too many: what it is about is asked again.
	if words := keywords(q.Text); err == nil && len(found) == 0 && len(words) > 1 && len(strings.Fields(q.Text)) > len(words) {
		if found, err = c.ask(ctx, q, strings.Join(words, " ")); err == nil && len(found) > 0 {
			err = failure(StatusOK, "nothing for the whole query; asked for %q", clip(strings.Join(words, " "), maxWords))
		}
	}
	return found, err
}

func (c *hackerNews) ask(ctx context.Context, q Query, text string) ([]Result, error) {
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
	u, err := c.door.address(hackerNewsURL, "", params)
	if err != nil {
		return nil, err
	}
	return ask(ctx, c.door, request{url: u, want: wantJSON, explain: explainMessage},
		func(a answer) ([]Result, error) { return parseHackerNews(a.body) })
}

func parseHackerNews(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Message string             `json:"message"`
		Hits    *[]json.RawMessage `json:"hits"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Hits == nil:
		return nil, noList(reply.Message, "hits")
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
	}](*reply.Hits) {
		e := Result{Evidence: loopstate.Evidence{Title: hit.Title, URL: hit.URL, PublishedAt: hit.Created}}
		if e.Title == "" {
			e.Title = hit.Of
		}
		discussion := ""
		if hit.ID != "" {
			discussion = "https://news.ycombinator.com/item?id=" + url.QueryEscape(string(hit.ID))
		}
		if e.URL == "" { // "Ask HN" and comments have no page but their own
			e.URL = discussion
			if hit.Author != "" {
				e.Authors = []string{hit.Author}
			}
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
