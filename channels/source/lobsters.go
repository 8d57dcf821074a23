package source

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

var tagInText = lazyregexp.New(`(?i)(?:^|\s)tag:([a-z0-9+-]{1,25})`)

// searchLobsters selects stories from the JSON lists of Lobsters (https://lobste.rs/about): its front page, or a tag. It does
// not use the search page, which the site does not want programs to load.
func searchLobsters(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	elements, text := []string{"hottest.json"}, q.Text
	if m := tagInText.FindStringSubmatch(text); m != nil {
		elements = []string{"t", strings.ToLower(m[1]) + ".json"}
		text = tagInText.ReplaceAllString(text, " ")
	}
	found, err := channels.Ask(ctx, c, channels.Request{Path: elements}, parseLobsters)
	if err != nil {
		return found, err
	}
	return recipe.Matching(found, normal.Keywords(text), "the", "stories of its page")
}

var parseLobsters = recipe.Records{
	Of:    "stories",
	Paths: recipe.Paths{Title: "title", URL: "url", Date: "created_at"},
	More: func(r gjson.Result, e *channels.Result) {
		discussion := normal.First(r, "comments_url", "short_id_url")
		if e.URL == "" { // a text post
			e.URL, discussion = discussion, ""
		}
		said := fmt.Sprintf("score %d, %d comments", r.Get("score").Int(), r.Get("comment_count").Int())
		e.Snippet = normal.Join(normal.Plain(normal.Text(r, "description")), strings.Join(normal.Texts(r, "tags"), ", "), said, discussion)
		recipe.BySite(r, e)
	},
}.Read
