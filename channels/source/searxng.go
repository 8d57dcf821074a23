package source

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
)

// searxng searches the general web through the user's own SearXNG, because public instances block programs
// (https://docs.searxng.org/dev/search_api.html). docs/channels.md#searxng says how to start one.
type searxng struct{ Recipe }

func (s searxng) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	found, err := s.Ask(ctx, c, q, Code{Values: map[string]string{"range": timeRange(q, c.Config.Now())}, Remark: unresponsive})
	if fail, ok := errors.AsType[*channels.Failure](err); ok && fail.Status == channels.StatusBlocked && strings.HasPrefix(fail.Message, "answered 403") {
		fail.Message += ": JSON is not enabled there; add json to search.formats in its settings.yml"
	}
	return found, err
}

// timeRange returns the shortest of SearXNG's ranges that contains the requested days, or "". All its ranges end now,
// and most engines support them; the days are filtered afterwards.
func timeRange(q channels.Query, now time.Time) string {
	if q.Since == "" {
		return ""
	}
	since, err := time.Parse(time.DateOnly, normal.FirstDay(q.Since))
	if err != nil {
		return ""
	}
	switch age := now.Sub(since); {
	case age < 0:
		return ""
	case age <= 24*time.Hour:
		return "day"
	case age <= 28*24*time.Hour:
		return "month"
	case age <= 365*24*time.Hour:
		return "year"
	}
	return ""
}

// unresponsive names the engines that did not answer; the answer has pairs of a name and a reason.
func unresponsive(answer gjson.Result) *channels.Failure {
	engines := answer.Get("unresponsive_engines").Array()
	if len(engines) == 0 {
		return nil
	}
	var silent []string
	for _, pair := range engines[:min(len(engines), 5)] {
		words := normal.Text(pair, "0")
		if why := normal.Text(pair, "1"); why != "" {
			words = fmt.Sprintf("%s (%s)", words, why)
		}
		silent = append(silent, normal.Clip(normal.Plain(words), 60))
	}
	return channels.Fail(channels.StatusDegraded, "%d engines did not answer: %s", len(engines), strings.Join(silent, ", "))
}
