package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// devto searches the articles of DEV (https://developers.forem.com/api/v1).
var devto = channel{
	Description: Description{
		Name:          "devto",
		Description:   "DEV: articles by developers; tutorials and experience of uneven depth.",
		GoodFor:       []string{"tutorials", "how developers use a tool"},
		For:           []Kind{KindPractice},
		SourceTypes:   []string{"practitioner"},
		BestEffort:    true,
		RatePerSecond: 1, // it allows 30 requests in 30 s
		Parallel:      1,
		Tested:        "its documented format",
	},
	url:    "https://dev.to/api/articles/search",
	search: searchDevto,
}

func searchDevto(ctx context.Context, c *client, q Query) ([]Result, error) {
	return ask(ctx, c, request{params: url.Values{"q": {allWords(q.Text)}, "per_page": {strconv.Itoa(q.Limit)}}, header: http.Header{"Accept": {"application/vnd.forem.api-v1+json"}}}, parseDevto)
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
		e.URL = cmp.Or(e.URL, a.URL)
		e.Authors = distinct(a.User.Name)
		e.Snippet = joinSaid([]string{plainText(a.Description), strings.Join(a.Tags, ", "), fmt.Sprintf("%d reactions", a.Reactions)})
		found = append(found, e)
	}
	return found, nil
}
