package channels

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var tagInText = lazyregexp.New(`(?i)(?:^|\s)tag:([a-z0-9+-]{1,25})`)

// searchLobsters selects stories from the JSON lists of Lobsters (https://lobste.rs/about): its front page, or a tag. It does
// not use the search page, which the site does not want programs to load.
func searchLobsters(ctx context.Context, c *client, q Query) ([]Result, error) {
	elements, text := []string{"hottest.json"}, q.Text
	if m := tagInText.FindStringSubmatch(text); m != nil {
		elements = []string{"t", strings.ToLower(m[1]) + ".json"}
		text = tagInText.ReplaceAllString(text, " ")
	}
	found, err := ask(ctx, c, request{path: elements}, parseLobsters)
	if err != nil {
		return found, err
	}
	return matching(found, keywords(text), "the", "stories of its page")
}

var parseLobsters = records{
	of:    "stories",
	paths: paths{Title: "title", URL: "url", Date: "created_at"},
	more: func(r gjson.Result, e *Result) {
		discussion := first(r, "comments_url", "short_id_url")
		if e.URL == "" { // a text post
			e.URL, discussion = discussion, ""
		}
		said := fmt.Sprintf("score %d, %d comments", r.Get("score").Int(), r.Get("comment_count").Int())
		e.Snippet = joinMessages([]string{plainText(text(r, "description")), strings.Join(texts(r, "tags"), ", "), said, discussion})
		bySite(r, e)
	},
}.read
