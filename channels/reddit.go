package channels

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

const redditTokenURL = "https://www.reddit.com/api/v1/access_token"

// reddit searches posts with the user's own application (https://www.reddit.com/dev/api#GET_search); its pages are
// closed to programs without one.
var reddit = channel{
	Description: Description{
		Name:          "reddit",
		Description:   "Reddit: posts by people of all trades; what they met with and what they think.",
		GoodFor:       []string{"experience of users and practitioners", "opinions", "niche topics"},
		For:           []Kind{KindPractice},
		SourceTypes:   []string{"practitioner"},
		NeedsKey:      true,
		KeyFrom:       "an application's id and secret as ID:SECRET, or a token: https://www.reddit.com/prefs/apps",
		RatePerSecond: 1, // 100 a minute and application
		Parallel:      1,
		Hosts:         []string{"oauth.reddit.com", "www.reddit.com"},
		Tested:        "recorded answers of the service",
	},
	url:    "https://oauth.reddit.com/search",
	search: searchReddit,
}

func searchReddit(ctx context.Context, c *client, q Query) ([]Result, error) {
	token, err := redditBearer(ctx, c)
	if err != nil {
		return nil, err
	}
	req := request{params: url.Values{"q": {q.Text}, "limit": {strconv.Itoa(q.Limit)}, "sort": {"relevance"}, "type": {"link"}, "raw_json": {"1"}}}
	if token != "" {
		req.header = http.Header{"Authorization": {"Bearer " + token}}
	}
	found, err := ask(ctx, c, req, parseReddit)
	if fail, ok := errors.AsType[*Failure](err); ok && fail.Status == StatusAuthRequired {
		c.granted.Lock()
		c.token = grantedToken{} // revoked before its time
		c.granted.Unlock()
	}
	return found, err
}

// grantedToken is what an application's id and secret buy for a time.
type grantedToken struct {
	token   string
	expires time.Time
}

// redditBearer is the configured token, or one that the configured application is granted.
func redditBearer(ctx context.Context, c *client) (string, error) {
	if !strings.Contains(c.key, ":") {
		return c.key, nil
	}
	c.granted.Lock()
	defer c.granted.Unlock()
	now := c.cfg.Now()
	if c.token.token != "" && now.Before(c.token.expires) {
		return c.token.token, nil
	}
	u, err := url.Parse(redditTokenURL)
	if err != nil {
		return "", err
	}
	if c.base != "" { // a mirror serves both
		if u, err = url.Parse(c.base); err != nil {
			return "", err
		}
		u.Path, u.RawQuery = "/api/v1/access_token", ""
	}
	req := request{url: u, body: url.Values{"grant_type": {"client_credentials"}},
		header: http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(c.key))}}}
	granted, err := ask(ctx, c, req, func(body []byte) (redditToken, error) {
		t, err := decodeJSON[redditToken](body)
		if err == nil && t.Token == "" {
			err = failure(StatusAuthRequired, "it gave no token for CITELOOP_REDDIT_KEY: %s", clip(oneLine(t.Error), 60))
		}
		return t, err
	})
	if err != nil {
		return "", err
	}
	// Renewed a minute early, so that none ends on its way.
	c.token = grantedToken{granted.Token, now.Add(time.Duration(min(max(granted.Seconds-60, 0), 86_400)) * time.Second)}
	return granted.Token, nil
}

type redditToken struct {
	Token   string `json:"access_token"`
	Seconds int    `json:"expires_in"`
	Error   string `json:"error"`
}

type redditListing struct {
	Kind string `json:"kind"`
	Data *struct {
		Children []json.RawMessage `json:"children"`
	} `json:"data"`
}

// parseReddit reads a listing. The page of a post is two of them, the post and its comments; comments are no results.
func parseReddit(body []byte) ([]Result, error) {
	listings, err := decodeJSON[[]redditListing](body)
	if err != nil {
		one, err := decodeJSON[redditListing](body)
		if err != nil {
			return nil, err
		}
		listings = []redditListing{one}
	}
	if len(listings) == 0 || listings[0].Kind != "Listing" || listings[0].Data == nil {
		return nil, notAList(body, "posts")
	}
	var raws []json.RawMessage
	for _, l := range listings {
		if l.Data == nil {
			continue
		}
		for _, child := range each[struct {
			Kind string          `json:"kind"`
			Data json.RawMessage `json:"data"`
		}](l.Data.Children) {
			switch child.Kind {
			case "t3":
				raws = append(raws, child.Data)
			case "t1", "more":
			default:
				raws = append(raws, nil) // something that no search for posts answers: dropped and counted
			}
		}
	}
	var found []Result
	for _, p := range each[struct {
		Title     string  `json:"title"`
		Permalink string  `json:"permalink"`
		URL       string  `json:"url"`
		Text      string  `json:"selftext"`
		Subreddit string  `json:"subreddit_name_prefixed"`
		Author    string  `json:"author"`
		Created   float64 `json:"created_utc"`
		Score     int     `json:"score"`
		Comments  int     `json:"num_comments"`
		IsSelf    bool    `json:"is_self"`
	}](raws) {
		e := Result{Evidence: loopstate.Evidence{Title: p.Title, PublishedAt: unixDay(p.Created), SourceType: "practitioner"}}
		if strings.HasPrefix(p.Permalink, "/") {
			if link, err := url.Parse("https://www.reddit.com" + p.Permalink); err == nil {
				e.URL = link.String()
			}
		}
		if p.Author != "" && p.Author != "[deleted]" {
			e.Authors = []string{p.Author}
		}
		link := ""
		if !p.IsSelf && p.URL != "" {
			link = "links to " + p.URL
		}
		e.Snippet = joinSaid([]string{plainText(p.Text), link, p.Subreddit, fmt.Sprintf("score %d, %d comments", p.Score, p.Comments)})
		found = append(found, e)
	}
	return found, nil
}
