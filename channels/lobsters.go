package channels

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

const lobstersURL = "https://lobste.rs"

// lobsters picks from the lists that Lobsters gives to programs (https://lobste.rs/about): its front page, or a tag.
// Its search page is not asked: it is the site's most expensive, and its makers want programs to stay away from it.
type lobsters struct{ door *door }

func newLobsters(d *door) Channel { return &lobsters{d} }

func (c *lobsters) Describe() Description {
	return Description{
		Name:          "lobsters",
		Description:   "Lobsters: what practitioners of computing discuss now; of its front page, or of a tag named as tag:rust, the stories that hold a word of the query.",
		GoodFor:       []string{"what practitioners discuss now"},
		For:           []Kind{KindPractice},
		SourceTypes:   []string{"practitioner", "primary"},
		BestEffort:    true,
		Configured:    true,
		RatePerSecond: 0.5, // chosen
		Parallel:      1,
		Hosts:         []string{"lobste.rs"},
		Tested:        "the format that its source code shows",
	}
}

var tagInText = regexp.MustCompile(`(?i)(?:^|\s)tag:([a-z0-9+-]{1,25})`)

func (c *lobsters) Search(ctx context.Context, q Query) ([]Result, error) {
	elements, text := []string{"hottest.json"}, q.Text
	if m := tagInText.FindStringSubmatch(text); m != nil {
		elements = []string{"t", strings.ToLower(m[1]) + ".json"}
		text = tagInText.ReplaceAllString(text, " ")
	}
	u, err := c.door.address(lobstersURL, "", url.Values{}, elements...)
	if err != nil {
		return nil, err
	}
	found, err := ask(ctx, c.door, request{url: u, want: wantJSON, explain: explainMessage},
		func(a answer) ([]Result, error) { return parseLobsters(a.body) })
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
		discussion := s.Discussion
		if discussion == "" {
			discussion = s.Short
		}
		if e.URL == "" {
			e.URL, discussion = discussion, ""
		}
		e.SourceType = typeOfSite(e.URL)
		e.Snippet = joinSaid([]string{plainText(s.Description), strings.Join(s.Tags, ", "), fmt.Sprintf("score %d, %d comments", s.Score, s.Comments), discussion})
		found = append(found, e)
	}
	return found, nil
}
