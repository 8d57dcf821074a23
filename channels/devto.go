package channels

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

const devtoURL = "https://dev.to/api/articles/search"

// devto searches the articles of DEV (https://developers.forem.com/api/v1).
type devto struct{ door *door }

func newDevto(d *door) Channel { return &devto{d} }

func (c *devto) Describe() Description {
	return Description{
		Name:          "devto",
		Description:   "DEV: articles by developers; tutorials and experience of uneven depth.",
		GoodFor:       []string{"tutorials", "how developers use a tool"},
		For:           []Kind{KindPractice},
		SourceTypes:   []string{"practitioner"},
		BestEffort:    true,
		Configured:    true,
		RatePerSecond: 1, // it allows 30 requests in 30 s
		Parallel:      1,
		Hosts:         []string{"dev.to"},
		Tested:        "its documented format",
	}
}

func (c *devto) Search(ctx context.Context, q Query) ([]Result, error) {
	u, err := c.door.address(devtoURL, "", url.Values{"q": {allWords(q.Text)}, "per_page": {strconv.Itoa(q.Limit)}})
	if err != nil {
		return nil, err
	}
	req := request{url: u, want: wantJSON, explain: explainMessage, header: http.Header{"Accept": {"application/vnd.forem.api-v1+json"}}}
	return ask(ctx, c.door, req, func(a answer) ([]Result, error) { return parseDevto(a.body) })
}

func parseDevto(body []byte) ([]Result, error) {
	articles, err := decodeJSON[[]json.RawMessage](body)
	if err != nil || articles == nil {
		return nil, notAList(body, "articles")
	}
	var found []Result
	for _, a := range each[struct {
		Title       string    `json:"title"`
		URL         string    `json:"url"`
		Canonical   string    `json:"canonical_url"`
		Description string    `json:"description"`
		Published   string    `json:"published_at"`
		Tags        oneOrMany `json:"tag_list"`
		Reactions   int       `json:"public_reactions_count"`
		User        struct {
			Name string `json:"name"`
		} `json:"user"`
	}](articles) {
		e := Result{Evidence: loopstate.Evidence{Title: a.Title, URL: a.Canonical, PublishedAt: a.Published, SourceType: "practitioner"}}
		if e.URL == "" {
			e.URL = a.URL
		}
		if a.User.Name != "" {
			e.Authors = []string{a.User.Name}
		}
		e.Snippet = joinSaid([]string{plainText(a.Description), strings.Join(a.Tags, ", "), fmt.Sprintf("%d reactions", a.Reactions)})
		found = append(found, e)
	}
	return found, nil
}
