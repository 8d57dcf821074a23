package source

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
)

const redditTokenURL = "https://www.reddit.com/api/v1/access_token"

// reddit has the access token for the user's application.
type reddit struct {
	Recipe
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
	found, err := r.Ask(ctx, c, q, Code{Values: map[string]string{"key": token}})
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
