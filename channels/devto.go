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

// searchDevto searches the articles of DEV (https://developers.forem.com/api/v1).
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
