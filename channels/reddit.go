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
	"sync"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

const (
	redditURL      = "https://oauth.reddit.com/search"
	redditTokenURL = "https://www.reddit.com/api/v1/access_token"
)

// reddit searches posts with the user's own application (https://www.reddit.com/dev/api#GET_search); its pages are
// closed to programs without one.
type reddit struct {
	door *door

	mu      sync.Mutex
	token   string
	expires time.Time
}

func newReddit(d *door) Channel { return &reddit{door: d} }

func (c *reddit) Describe() Description {
	return Description{
		Name:          "reddit",
		Description:   "Reddit: posts by people of all trades; what they met with and what they think.",
		GoodFor:       []string{"experience of users and practitioners", "opinions", "niche topics"},
		For:           []Kind{KindPractice},
		SourceTypes:   []string{"practitioner"},
		NeedsKey:      true,
		KeyFrom:       "an application's id and secret as ID:SECRET, or a token: https://www.reddit.com/prefs/apps",
		Configured:    true,
		RatePerSecond: 1, // 100 a minute and application
		Parallel:      1,
		Hosts:         []string{"oauth.reddit.com", "www.reddit.com"},
		Tested:        "recorded answers of the service",
	}
}

func (c *reddit) Search(ctx context.Context, q Query) ([]Result, error) {
	u, err := c.door.address(redditURL, "", url.Values{
		"q": {q.Text}, "limit": {strconv.Itoa(q.Limit)}, "sort": {"relevance"}, "type": {"link"}, "raw_json": {"1"},
	})
	if err != nil {
		return nil, err
	}
	token, err := c.bearer(ctx)
	if err != nil {
		return nil, err
	}
	req := request{url: u, want: wantJSON, explain: explainMessage, header: http.Header{}}
	if token != "" {
		req.header.Set("Authorization", "Bearer "+token)
	}
	found, err := ask(ctx, c.door, req, func(a answer) ([]Result, error) { return parseReddit(a.body) })
	if fail, ok := errors.AsType[*Failure](err); ok && fail.Status == StatusAuthRequired {
		c.mu.Lock()
		c.token = "" // revoked before its time
		c.mu.Unlock()
	}
	return found, err
}

// bearer is a token: the configured one, or one that an application's id and secret buy for a time.
func (c *reddit) bearer(ctx context.Context) (string, error) {
	if !strings.Contains(c.door.key, ":") {
		return c.door.key, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.door.cfg.Now()
	if c.token != "" && now.Before(c.expires) {
		return c.token, nil
	}
	u, err := url.Parse(redditTokenURL)
	if err != nil {
		return "", err
	}
	if c.door.base != "" { // a mirror serves both
		if u, err = url.Parse(c.door.base); err != nil {
			return "", err
		}
		u.Path, u.RawQuery = "/api/v1/access_token", ""
	}
	req := request{url: u, want: wantJSON, explain: explainMessage,
		body: []byte("grant_type=client_credentials"), bodyType: "application/x-www-form-urlencoded",
		header: http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(c.door.key))}}}
	granted, err := ask(ctx, c.door, req, func(a answer) (redditToken, error) {
		t, err := decodeJSON[redditToken](a.body)
		if err == nil && t.Token == "" {
			err = failure(StatusAuthRequired, "it gave no token for CITELOOP_REDDIT_KEY: %s", clip(oneLine(t.Error), 60))
		}
		return t, err
	})
	if err != nil {
		return "", err
	}
	// Renewed a minute early, so that none ends on its way.
	c.token, c.expires = granted.Token, now.Add(time.Duration(min(max(granted.Seconds-60, 0), 86_400))*time.Second)
	return c.token, nil
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
