package channels

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"
)

// lobsters picks from the lists that Lobsters gives to programs (https://lobste.rs/about): its front page, or a tag.
// Its search page is not asked: it is the site's most expensive, and its makers want programs to stay away from it.
var lobsters = channel{
	Description: Description{
		Name:          "lobsters",
		Description:   "Lobsters: what practitioners of computing discuss now; of its front page, or of a tag named as tag:rust, the stories that hold a word of the query.",
		GoodFor:       []string{"what practitioners discuss now"},
		For:           []Kind{KindPractice},
		SourceTypes:   []string{"practitioner", "primary"},
		BestEffort:    true,
		RatePerSecond: 0.5, // chosen
		Parallel:      1,
		Tested:        "the format that its source code shows",
	},
	url:    "https://lobste.rs",
	search: searchLobsters,
}

var tagInText = regexp.MustCompile(`(?i)(?:^|\s)tag:([a-z0-9+-]{1,25})`)

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
	return pickedBy(found, keywords(text), "the", "stories of its page")
}

var parseLobsters = records{
	of:    "stories",
	paths: paths{Title: "title", URL: "url", Date: "created_at"},
	more: func(r gjson.Result, e *Result) {
		discussion := first(r, "comments_url", "short_id_url")
		if e.URL == "" { // a story that is a text
			e.URL, discussion = discussion, ""
		}
		said := fmt.Sprintf("score %d, %d comments", r.Get("score").Int(), r.Get("comment_count").Int())
		e.Snippet = joinSaid([]string{plainText(text(r, "description")), strings.Join(texts(r, "tags"), ", "), said, discussion})
		bySite(r, e)
	},
}.read
