package channels

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

const redditTokenURL = "https://www.reddit.com/api/v1/access_token"

// searchReddit searches posts with the user's own application (https://www.reddit.com/dev/api#GET_search); it blocks programs
// without one.
func searchReddit(ctx context.Context, c *client, q Query) ([]Result, error) {
	token, err := redditBearer(ctx, c)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	req := request{header: header, params: url.Values{"q": {q.Text}, "limit": {strconv.Itoa(q.Limit)}, "sort": {"relevance"}, "type": {"link"}, "raw_json": {"1"}}}
	found, err := ask(ctx, c, req, parseReddit)
	if fail, ok := errors.AsType[*Failure](err); ok && fail.Status == StatusAuthRequired {
		c.granted.Lock()
		c.token = grantedToken{} // it was revoked
		c.granted.Unlock()
	}
	return found, err
}

// redditBearer returns the configured token, or requests one for the configured application.
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
	if c.base != "" { // a mirror serves both addresses
		if u, err = url.Parse(c.base); err != nil {
			return "", err
		}
		u.Path, u.RawQuery = "/api/v1/access_token", ""
	}
	req := request{url: u, body: url.Values{"grant_type": {"client_credentials"}},
		header: http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(c.key))}}}
	granted, err := ask(ctx, c, req, parseRedditToken)
	if err != nil {
		return "", err
	}
	// Renew a minute early, so that no token expires in transit.
	c.token = grantedToken{granted.token, now.Add(time.Duration(min(max(granted.seconds-60, 0), 86_400)) * time.Second)}
	return granted.token, nil
}

type redditToken struct {
	token   string
	seconds int64
}

func parseRedditToken(body []byte) (redditToken, error) {
	answer, err := readJSON(body)
	t := redditToken{text(answer, "access_token"), answer.Get("expires_in").Int()}
	if err == nil && t.token == "" {
		err = failure(StatusAuthRequired, "no token for CITELOOP_REDDIT_KEY: %s", clip(text(answer, "error"), 60))
	}
	return t, err
}

// parseReddit reads a listing. The page of a post has two listings, the post and its comments; comments are not results.
func parseReddit(body []byte) ([]Result, error) {
	answer, err := readJSON(body)
	if err != nil {
		return nil, err
	}
	listings := answer.Array()
	if len(listings) == 0 || text(listings[0], "kind") != "Listing" || !listings[0].Get("data").IsObject() {
		return redditPosts.read(body) // read reports what is wrong
	}
	var found []Result
	for _, listing := range listings {
		for _, child := range listing.Get("data.children").Array() {
			switch text(child, "kind") {
			case "t3":
				found = append(found, redditPosts.result(child.Get("data")))
			case "t1", "more":
			default:
				found = append(found, Result{}) // not a post: dropped and counted
			}
		}
	}
	return found, nil
}

var redditPosts = records{
	of:    "posts",
	paths: paths{List: "none", Title: "title"},
	more: func(r gjson.Result, e *Result) {
		e.PublishedAt, e.SourceType = unixDay(r.Get("created_utc").Num), "practitioner"
		if permalink := text(r, "permalink"); strings.HasPrefix(permalink, "/") {
			if link, err := url.Parse("https://www.reddit.com" + permalink); err == nil {
				e.URL = link.String()
			}
		}
		if author := text(r, "author"); author != "[deleted]" {
			e.Authors = distinct(author)
		}
		link := ""
		if !r.Get("is_self").Bool() {
			link = around("links to ", text(r, "url"), "")
		}
		said := fmt.Sprintf("score %d, %d comments", r.Get("score").Int(), r.Get("num_comments").Int())
		e.Snippet = joinMessages([]string{plainText(text(r, "selftext")), link, text(r, "subreddit_name_prefixed"), said})
	},
}
