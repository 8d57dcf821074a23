package source

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/tidwall/gjson"
)

const redditTokenURL = "https://www.reddit.com/api/v1/access_token"

// reddit has the access token for the user's application.
type reddit struct {
	mu      sync.Mutex
	token   string
	expires time.Time
}

// search searches posts with the user's own application (https://www.reddit.com/dev/api#GET_search); it blocks programs
// without one.
func (r *reddit) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	token, err := r.bearer(ctx, c)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	req := channels.Request{Header: header, Params: url.Values{"q": {q.Text}, "limit": {strconv.Itoa(q.Limit)}, "sort": {"relevance"}, "type": {"link"}, "raw_json": {"1"}}}
	found, err := channels.Ask(ctx, c, req, parseReddit)
	if fail, ok := errors.AsType[*channels.Failure](err); ok && fail.Status == channels.StatusAuthRequired {
		r.mu.Lock()
		r.token = "" // it was revoked
		r.mu.Unlock()
	}
	return found, err
}

// bearer returns the configured token, or requests one for the configured application.
func (r *reddit) bearer(ctx context.Context, c *channels.Client) (string, error) {
	if !strings.Contains(c.Key, ":") {
		return c.Key, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := c.Config.Now()
	if r.token != "" && now.Before(r.expires) {
		return r.token, nil
	}
	u, err := url.Parse(redditTokenURL)
	if err != nil {
		return "", err
	}
	if c.Base != "" { // a mirror serves both addresses
		if u, err = url.Parse(c.Base); err != nil {
			return "", err
		}
		u.Path, u.RawQuery = "/api/v1/access_token", ""
	}
	req := channels.Request{URL: u, Body: url.Values{"grant_type": {"client_credentials"}},
		Header: http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(c.Key))}}}
	granted, err := channels.Ask(ctx, c, req, parseRedditToken)
	if err != nil {
		return "", err
	}
	// Renew a minute early, so that no token expires in transit.
	r.token, r.expires = granted.token, now.Add(time.Duration(min(max(granted.seconds-60, 0), 86_400))*time.Second)
	return granted.token, nil
}

type redditToken struct {
	token   string
	seconds int64
}

func parseRedditToken(body []byte) (redditToken, error) {
	answer, err := channels.ReadJSON(body)
	t := redditToken{normal.Text(answer, "access_token"), answer.Get("expires_in").Int()}
	if err == nil && t.token == "" {
		err = channels.Fail(channels.StatusAuthRequired, "no token for CITELOOP_REDDIT_KEY: %s", normal.Clip(normal.Text(answer, "error"), 60))
	}
	return t, err
}

// parseReddit reads a listing. The page of a post has two listings, the post and its comments; comments are not results.
func parseReddit(body []byte) ([]channels.Result, error) {
	answer, err := channels.ReadJSON(body)
	if err != nil {
		return nil, err
	}
	listings := answer.Array()
	if len(listings) == 0 || normal.Text(listings[0], "kind") != "Listing" || !listings[0].Get("data").IsObject() {
		return redditPosts.Read(body) // read reports what is wrong
	}
	var found []channels.Result
	for _, listing := range listings {
		for _, child := range listing.Get("data.children").Array() {
			switch normal.Text(child, "kind") {
			case "t3":
				found = append(found, redditPosts.Result(child.Get("data")))
			case "t1", "more":
			default:
				found = append(found, channels.Result{}) // not a post: dropped and counted
			}
		}
	}
	return found, nil
}

var redditPosts = recipe.Records{
	Of:    "posts",
	Paths: recipe.Paths{List: "none", Title: "title"},
	More: func(r gjson.Result, e *channels.Result) {
		e.PublishedAt, e.SourceType = normal.UnixDay(r.Get("created_utc").Num), "practitioner"
		if permalink := normal.Text(r, "permalink"); strings.HasPrefix(permalink, "/") {
			if link, err := url.Parse("https://www.reddit.com" + permalink); err == nil {
				e.URL = link.String()
			}
		}
		if author := normal.Text(r, "author"); author != "[deleted]" {
			e.Authors = normal.Distinct(author)
		}
		link := ""
		if !r.Get("is_self").Bool() {
			link = channels.Around("links to ", normal.Text(r, "url"), "")
		}
		said := fmt.Sprintf("score %d, %d comments", r.Get("score").Int(), r.Get("num_comments").Int())
		e.Snippet = normal.Join(normal.Plain(normal.Text(r, "selftext")), link, normal.Text(r, "subreddit_name_prefixed"), said)
	},
}
