package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

var (
	siteInText = lazyregexp.New(`(?i)(?:^|\s)site:([a-z0-9.-]{2,40})\b`)
	moreIn     = lazyregexp.New(`more requests available in (\d{1,6}) seconds`)
)

// searchStackExchange searches the questions of one site of Stack Exchange
// (https://api.stackexchange.com/docs/advanced-search): Stack Overflow, or the one that "site:NAME" in the query
// names, by the API's names: serverfault, unix, stats, academia…
func searchStackExchange(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	site, text := "stackoverflow", q.Text
	if m := siteInText.FindStringSubmatch(text); m != nil {
		site = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(m[1]), ".com"), ".stackexchange")
		text = strings.TrimSpace(siteInText.ReplaceAllString(text, " "))
	}
	if about := normal.Keywords(text); len(about) > 0 && !strings.Contains(text, `"`) {
		text = strings.Join(about, " ")
	}
	params := url.Values{"q": {text}, "site": {site}, "pagesize": {strconv.Itoa(q.Limit)}, "order": {"desc"}, "sort": {"relevance"}}
	if q.Since != "" {
		params.Set("fromdate", strconv.FormatInt(normal.UnixOf(normal.FirstDay(q.Since), 0), 10))
	}
	if q.Until != "" {
		params.Set("todate", strconv.FormatInt(normal.UnixOf(normal.LastDay(q.Until), 1)-1, 10))
	}
	channels.Set(params, "key", c.Key) // not a secret: it identifies the application
	req := channels.Request{Params: params, Path: []string{"search", "advanced"}, Explain: explainStackExchange}
	found, err := channels.Ask(ctx, c, req, func(body []byte) ([]channels.Result, error) {
		var quota struct {
			Left *int `json:"quota_remaining"` // of the day; no header has it
		}
		if json.Unmarshal(body, &quota) == nil && quota.Left != nil {
			c.Left.Store(&channels.Allowance{Remaining: *quota.Left, Said: c.Config.Now()})
		}
		return parseStackExchange(body)
	})
	if fail, ok := errors.AsType[*channels.Failure](err); ok && fail.Status == channels.StatusRateLimited && fail.RetryAfter == 0 {
		if m := moreIn.FindStringSubmatch(fail.Message); m != nil { // the wait is in the message, not in a header
			fail.RetryAfter = time.Duration(normal.Atoi(m[1])) * time.Second
			c.Paced.Load().HoldOff(ctx, fail.RetryAfter)
		}
	}
	return found, err
}

// explainStackExchange maps the errors of https://api.stackexchange.com/docs/error-handling.
func explainStackExchange(_ int, body []byte) (channels.Status, string) {
	name := channels.MessageIn(body, "error_name")
	words := normal.Join(name, channels.MessageIn(body, "error_message"))
	switch name {
	case "throttle_violation":
		return channels.StatusRateLimited, words
	case "access_token_required", "invalid_access_token", "access_denied", "key_required", "access_token_compromised":
		return channels.StatusAuthRequired, words
	case "temporarily_unavailable", "internal_error":
		return channels.StatusUnavailable, words
	}
	return "", words
}

var stackExchangeQuestions = recipe.Records{
	Of:      "questions",
	Paths:   recipe.Paths{List: "items", Title: "title", URL: "link", Authors: "owner.display_name"},
	Explain: explainStackExchange,
	More: func(r gjson.Result, e *channels.Result) {
		e.PublishedAt, e.SourceType = normal.UnixDay(r.Get("creation_date").Num), "practitioner"
		n := r.Get("answer_count").Int()
		answers := fmt.Sprintf("%d answers", n)
		if r.Get("accepted_answer_id").Int() != 0 {
			answers += ", one accepted"
		} else if n > 0 && !r.Get("is_answered").Bool() {
			answers += ", none well received"
		}
		e.Snippet = normal.Join(normal.Plain(normal.Text(r, "body")), strings.Join(normal.Texts(r, "tags"), ", "), answers, fmt.Sprintf("score %d", r.Get("score").Int()))
	},
}

func parseStackExchange(body []byte) ([]channels.Result, error) {
	found, err := stackExchangeQuestions.Read(body)
	if err != nil {
		return nil, err
	}
	// Seconds until the same method may be called again.
	if backoff := min(gjson.GetBytes(body, "backoff").Int(), 86_400); backoff > 0 {
		return found, &channels.Failure{Status: channels.StatusOK, RetryAfter: time.Duration(backoff) * time.Second,
			Message: fmt.Sprintf("it asks for a pause of %d s", backoff)}
	}
	return found, nil
}
