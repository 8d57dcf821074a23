package tools

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type runChannelIn struct {
	ChannelName string   `json:"channel_name,omitempty" jsonschema:"one channel; list_channels names them"`
	Channels    []string `json:"channels,omitempty" jsonschema:"several at once, fused into one list; [\"auto\"] lets citeloop choose, and it says why"`
	Query       string   `json:"query" jsonschema:"a few words, as for a search engine"`
	StateID     string   `json:"state_id,omitempty" jsonschema:"record the search and its hits in this loop"`
	Angle       string   `json:"angle,omitempty" jsonschema:"the angle this search belongs to"`
	Limit       int      `json:"limit,omitempty" jsonschema:"hits wanted of each channel"`
	Since       string   `json:"since,omitempty" jsonschema:"YYYY, YYYY-MM or YYYY-MM-DD"`
	Until       string   `json:"until,omitempty" jsonschema:"YYYY, YYYY-MM or YYYY-MM-DD"`
	Language    string   `json:"language,omitempty" jsonschema:"such as en or zh"`
	OperationID string   `json:"operation_id,omitempty" jsonschema:"a repeat with it is logged once"`
}

type runChannelOut struct {
	Evidence []hitOut             `json:"evidence" jsonschema:"new ones first"`
	Channels []channelOut         `json:"channels" jsonschema:"what each channel answered; only empty means that nothing was found"`
	Rejected []loopstate.Rejected `json:"rejected,omitempty" jsonschema:"hits that the loop did not keep, and why"`
	Chosen   string               `json:"chosen_because,omitempty" jsonschema:"why these channels, where citeloop chose them"`
	Dated    string               `json:"dated_query,omitempty" jsonschema:"what was asked in place of a query that depends on the day and named none"`
	Left     int                  `json:"left_out,omitempty" jsonschema:"hits that did not fit into the answer"`
}

type hitOut struct {
	EvidenceID  string   `json:"evidence_id,omitempty"`
	Title       string   `json:"title"`
	URL         string   `json:"url"`
	Snippet     string   `json:"snippet"`
	Source      string   `json:"source" jsonschema:"the channel's name"`
	SourceType  string   `json:"source_type"`
	PublishedAt string   `json:"published_at"`
	Authors     []string `json:"authors"`
	DOI         string   `json:"doi"`
	IDs         []string `json:"ids,omitempty"`
	Related     []string `json:"related,omitempty" jsonschema:"other versions, such as the preprint"`
	Score       float64  `json:"score"`
	Ranks       ranks    `json:"ranks,omitempty"`
	Seen        bool     `json:"seen" jsonschema:"the loop had found it before"`
	SourceID    string   `json:"source_id,omitempty" jsonschema:"the loop has read it"`
	Language    string   `json:"language,omitempty"`
}

// ranks are a hit's places in the lists of the channels; with one channel the order says it.
type ranks map[string]int

type channelOut struct {
	Name       string  `json:"name"`
	Status     string  `json:"status" jsonschema:"ok, empty, degraded, rate_limited, blocked, auth_required, unavailable, malformed or error"`
	Count      int     `json:"count"`
	TookMS     int64   `json:"took_ms"`
	RetryAfter float64 `json:"retry_after" jsonschema:"seconds; 0 when not known"`
	Message    string  `json:"message"`
}

type searcher interface {
	Search(ctx context.Context, in loops.SearchInput) (loops.Found, error)
}

// searchAnswerTokens leaves room for the channels beside the hits.
const searchAnswerTokens = loops.AnswerTokens - 800

func runChannel(d *definer, svc searcher) server.ServerTool {
	return define(d, manual{
		name: "run_channel", title: "Search",
		description: fmt.Sprintf(`Search one channel or several. The answer is a list of hits, not of sources: a hit can be cited only after fetch has read it. Each channel says how its search ended; "blocked" or "unavailable" is not "nothing found".
With state_id the search is logged and its hits are kept. %d hits of each channel unless limit says otherwise (at most %d).
Example: {"channel_name": "arxiv", "query": "retrieval augmented generation survey", "state_id": "…"}`, channels.DefaultLimit, channels.MaxLimit),
		hints: hints{openWorld: true},
	}, func(ctx context.Context, in runChannelIn) (runChannelOut, error) {
		names := in.Channels
		if in.ChannelName != "" {
			names = append([]string{in.ChannelName}, names...)
		}
		if len(names) == 0 {
			return runChannelOut{}, &wording.Mistake{Argument: "channel_name", Problem: "missing", Remedy: "name a channel, or several in channels; call list_channels for what each is good for"}
		}
		if in.Limit < 0 || in.Limit > channels.MaxLimit {
			return runChannelOut{}, &wording.Mistake{Argument: "limit", Problem: fmt.Sprintf("out of range: %d", in.Limit), Remedy: fmt.Sprintf("give 1 to %d, or leave it out for %d", channels.MaxLimit, channels.DefaultLimit)}
		}
		total := len(names)
		waiting := channels.WithProgress(ctx, func(channel string, done, of int) {
			noted(ctx, fmt.Sprintf("%s: %d of %d files indexed", channel, done, of))
		})
		found, err := svc.Search(waiting, loops.SearchInput{Loop: in.StateID, Operation: in.OperationID, Channels: names, Angle: in.Angle,
			Query: channels.Query{Text: in.Query, Limit: in.Limit, Since: in.Since, Until: in.Until, Language: in.Language},
			Done: func(o channels.Outcome) {
				stepped(ctx, total, fmt.Sprintf("%s: %s, %d hits", o.Name, o.Status, o.Count))
			}})
		if err != nil {
			return runChannelOut{}, err
		}
		out := runChannelOut{Chosen: found.Chosen, Dated: found.Sent, Rejected: found.Rejected}
		for _, h := range found.Hits {
			var places ranks
			if len(found.Outcomes) > 1 {
				places = h.Ranks
			}
			out.Evidence = append(out.Evidence, hitOut{EvidenceID: h.ID, Title: h.Title, URL: h.URL, Snippet: h.Snippet, Source: h.Source, SourceType: h.SourceType,
				PublishedAt: h.PublishedAt, Authors: h.Authors, DOI: h.DOI, IDs: h.IDs, Related: h.Related, Score: h.Score, Ranks: places, Seen: h.Seen, SourceID: h.SourceID, Language: h.Language})
		}
		out.Evidence, out.Left = firstThatFit(out.Evidence, searchAnswerTokens)
		for _, o := range found.Outcomes {
			out.Channels = append(out.Channels, channelOut{Name: o.Name, Status: string(o.Status), Count: o.Count, TookMS: o.Took.Milliseconds(), RetryAfter: o.RetryAfter.Seconds(), Message: o.Message})
		}
		return out, nil
	})
}

// firstThatFit keeps the items from the front that fit into a number of tokens, and counts the rest.
func firstThatFit[T any](items []T, tokens int) (kept []T, left int) {
	for i, item := range items {
		if body, err := marshalAnswer(item); err == nil {
			tokens -= loops.EstimateTokens(string(body))
		}
		if tokens < 0 && i > 0 {
			return items[:i], len(items) - i
		}
	}
	return items, 0
}
