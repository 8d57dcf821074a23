package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
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

func parseLobsters(body []byte) ([]Result, error) {
	stories, err := decodeJSON[[]json.RawMessage](body)
	if err != nil || stories == nil {
		return nil, notAList(body, "stories")
	}
	var found []Result
	for _, s := range each[struct {
		Short       string   `json:"short_id_url"`
		Title       string   `json:"title"`
		URL         string   `json:"url"` // "" where the story is a text
		Score       int      `json:"score"`
		Comments    int      `json:"comment_count"`
		Discussion  string   `json:"comments_url"`
		Description string   `json:"description"`
		Created     string   `json:"created_at"`
		Tags        []string `json:"tags"`
	}](stories) {
		e := Result{Evidence: loopstate.Evidence{Title: s.Title, URL: s.URL, PublishedAt: s.Created}}
		discussion := cmp.Or(s.Discussion, s.Short)
		if e.URL == "" {
			e.URL, discussion = discussion, ""
		}
		e.SourceType = typeOfSite(e.URL)
		e.Snippet = joinSaid([]string{plainText(s.Description), strings.Join(s.Tags, ", "), fmt.Sprintf("score %d, %d comments", s.Score, s.Comments), discussion})
		found = append(found, e)
	}
	return found, nil
}
