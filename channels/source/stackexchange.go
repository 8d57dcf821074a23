package source

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	siteInText = lazyregexp.New(`(?i)(?:^|\s)site:([a-z0-9.-]{2,40})\b`)
	moreIn     = lazyregexp.New(`more requests available in (\d{1,6}) seconds`)
)

// stackExchange searches the questions of one site of Stack Exchange (https://api.stackexchange.com/docs/advanced-search):
// Stack Overflow, or the one that "site:NAME" in the query names, by the API's names: serverfault, unix, stats, academia…
type stackExchange struct{ Recipe }

func (s stackExchange) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	site, text := "stackoverflow", q.Text
	if m := siteInText.FindStringSubmatch(text); m != nil {
		site = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(m[1]), ".com"), ".stackexchange")
		text = strings.TrimSpace(siteInText.ReplaceAllString(text, " "))
	}
	if about := normal.Keywords(text); len(about) > 0 && !strings.Contains(text, `"`) {
		text = strings.Join(about, " ")
	}
	found, err := s.Ask(ctx, c, q, Code{Values: map[string]string{"site": site, "words": text}, Remark: func(answer gjson.Result) *channels.Failure {
		if left := answer.Get("quota_remaining"); left.Type == gjson.Number {
			c.SetRemaining(int(left.Int())) // of the day; no header has it
		}
		backoff := min(answer.Get("backoff").Int(), 86_400) // seconds until the same method may be called again
		if backoff <= 0 {
			return nil
		}
		pause := channels.Fail(channels.StatusOK, "it asks for a pause of %d s", backoff)
		pause.RetryAfter = time.Duration(backoff) * time.Second
		return pause
	}})
	if fail, ok := errors.AsType[*channels.Failure](err); ok && fail.Status == channels.StatusRateLimited && fail.RetryAfter == 0 {
		if m := moreIn.FindStringSubmatch(fail.Message); m != nil { // the wait is in the message, not in a header
			fail.RetryAfter = time.Duration(normal.Atoi(m[1])) * time.Second
			c.HoldOff(fail.RetryAfter)
		}
	}
	return found, err
}
