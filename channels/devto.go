package channels

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// devto searches the articles of DEV (https://developers.forem.com/api/v1).
var devto = channel{
	Description: Description{
		Name:          "devto",
		Description:   "DEV: articles by developers; tutorials and experience of varying depth.",
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

var parseDevto = records{
	of:    "articles",
	paths: paths{Title: "title", Date: "published_at", Authors: "user.name"},
	more: func(r gjson.Result, e *Result) {
		e.URL, e.SourceType = first(r, "canonical_url", "url"), "practitioner"
		e.Snippet = joinMessages([]string{plainText(text(r, "description")), strings.Join(texts(r, "tag_list"), ", "), fmt.Sprintf("%d reactions", r.Get("public_reactions_count").Int())})
	},
}.read
