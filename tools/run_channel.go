package tools

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

type runChannelIn struct {
	ChannelName string   `json:"channel_name,omitempty" jsonschema:"one channel; list_channels names them"`
	Channels    []string `json:"channels,omitempty" jsonschema:"several, fused into one list; [\"auto\"] lets citeloop choose"`
	Query       string   `json:"query" jsonschema:"a few words, as for a search engine"`
	Queries     []string `json:"queries,omitempty" jsonschema:"up to 7 more"`
	StateID     string   `json:"state_id,omitempty" jsonschema:"log it in this loop"`
	Angle       string   `json:"angle,omitempty" jsonschema:"its angle"`
	Limit       int      `json:"limit,omitempty" jsonschema:"hits of each channel"`
	Since       string   `json:"since,omitempty" jsonschema:"YYYY, YYYY-MM or YYYY-MM-DD"`
	Until       string   `json:"until,omitempty"`
	Language    string   `json:"language,omitempty" jsonschema:"en, zh"`
	OperationID string   `json:"operation_id,omitempty"`
}

type runChannelOut struct {
	Evidence []hitOut             `json:"evidence" jsonschema:"best first"`
	Channels []channelOut         `json:"channels" jsonschema:"what each channel answered; only empty means that nothing was found"`
	Rejected []loopstate.Rejected `json:"rejected,omitempty" jsonschema:"hits that the loop did not keep, and why"`
	Chosen   string               `json:"chosen_because,omitempty" jsonschema:"why these channels, where citeloop chose them"`
	Dated    string               `json:"dated_query,omitempty" jsonschema:"what was asked in place of a query that depends on the day and named none"`
	NotAsked []string             `json:"not_asked,omitempty" jsonschema:"queries that were not asked, because no channel answered the first one"`
	Left     int                  `json:"left_out,omitempty" jsonschema:"lower-ranked hits that did not fit; a smaller limit or one channel at a time shows them"`
}

type hitOut struct {
	EvidenceID  string   `json:"evidence_id,omitempty"`
	Title       string   `json:"title"`
	URL         string   `json:"url"`
	Snippet     string   `json:"snippet,omitempty" jsonschema:"left out for a hit that the loop had found before"`
	Source      string   `json:"source" jsonschema:"the channel's name"`
	SourceType  string   `json:"source_type,omitempty"`
	PublishedAt string   `json:"published_at,omitempty"`
	Authors     []string `json:"authors,omitempty"`
	DOI         string   `json:"doi,omitempty"`
	IDs         []string `json:"ids,omitempty"`
	Related     []string `json:"related,omitempty" jsonschema:"other versions, such as the preprint"`
	Score       float64  `json:"score"`
	Ranks       ranks    `json:"ranks,omitempty"`
	Seen        bool     `json:"seen,omitempty" jsonschema:"the loop had found it before"`
	SourceID    string   `json:"source_id,omitempty" jsonschema:"the loop has read it"`
	Language    string   `json:"language,omitempty"`
}

// ranks are a hit's places in the lists of several channels; with one channel the order shows it.
type ranks map[string]int

type channelOut struct {
	Name       string  `json:"name"`
	Status     string  `json:"status" jsonschema:"ok, empty, degraded, rate_limited, blocked, auth_required, unavailable, malformed or error"`
	Count      int     `json:"count"`
	TookMS     int64   `json:"took_ms,omitempty"`
	RetryAfter float64 `json:"retry_after,omitempty" jsonschema:"seconds; absent when not known"`
	Message    string  `json:"message,omitempty"`
}

type searcher interface {
	Search(ctx context.Context, in loops.SearchInput) (loops.Found, error)
}

const (
	// searchAnswerTokens bounds the hits; the channels need the rest of the answer.
	searchAnswerTokens = loops.AnswerTokens - 600
	// maxTitleShown, maxSnippetShown (code points) and maxAuthorsShown bound what is shown of a hit.
	maxTitleShown, maxSnippetShown, maxAuthorsShown = 200, 200, 3
	// hitsEach is the limit of hits that each of several queries has, unless the call sets one.
	hitsEach = 5
)

func runChannel(d *definer, svc searcher) server.ServerTool {
	return define(d, manual{
		name: "run_channel", title: "Search",
		description: fmt.Sprintf(`Search one or several channels. Hits are not sources: fetch one before citing it. Each channel reports how its search ended; "blocked" or "unavailable" does not mean "nothing found".
With state_id the search is logged and its hits are kept. %d hits of each channel unless limit is set (at most %d).
Example: {"channel_name": "arxiv", "query": "RAG survey"}`, channels.DefaultLimit, channels.MaxLimit),
		hints: hints{readOnly: true, openWorld: true},
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
		queries, err := severalQueries(in.Query, in.Queries)
		if err != nil {
			return runChannelOut{}, err
		}
		if in.Limit == 0 && len(queries) > 1 {
			in.Limit = hitsEach
		}
		total := len(names) * len(queries)
		waiting := channels.WithProgress(ctx, func(channel string, done, of int) {
			noted(ctx, fmt.Sprintf("%s: %d of %d files indexed", channel, done, of))
		})
		found := make([]loops.Found, len(queries))
		search := func(ctx context.Context, i int) (err error) {
			ask := loops.SearchInput{Loop: in.StateID, Operation: in.OperationID, Channels: names, Angle: in.Angle,
				Query: channels.Query{Text: queries[i], Limit: in.Limit, Since: in.Since, Until: in.Until, Language: in.Language},
				Done: func(o channels.Outcome) {
					stepped(ctx, total, fmt.Sprintf("%s: %s, %d hits", o.Name, o.Status, o.Count))
				}}
			if ask.Operation != "" && i > 0 {
				ask.Operation += fmt.Sprintf("/%d", i+1)
			}
			found[i], err = svc.Search(ctx, ask)
			return err
		}
		if err := search(waiting, 0); err != nil {
			return runChannelOut{}, err
		}
		if !searched(found[0]) { // the others would fail as well
			out := showFound(found[:1])
			out.NotAsked = queries[1:]
			return out, nil
		}
		searches, searching := errgroup.WithContext(waiting)
		for i := range queries[1:] {
			searches.Go(func() error { return search(searching, i+1) })
		}
		if err := searches.Wait(); err != nil {
			return runChannelOut{}, err
		}
		return showFound(found), nil
	})
}

// searched reports whether any channel could be searched.
func searched(f loops.Found) bool {
	return slices.ContainsFunc(f.Outcomes, func(o channels.Outcome) bool {
		return o.Status == channels.StatusOK || o.Status == channels.StatusEmpty || o.Status == channels.StatusDegraded
	})
}

// showFound shows the hits of one or several searches: the best one of each search first, then the second one of each.
func showFound(found []loops.Found) runChannelOut {
	var out runChannelOut
	at := map[string]int{} // address -> index of its hit
	for rank, more := 0, true; more; rank++ {
		more = false
		for _, f := range found {
			if rank >= len(f.Hits) {
				continue
			}
			more = true
			shown := showHit(f.Hits[rank], len(f.Outcomes) > 1)
			i, known := at[shown.URL]
			if !known {
				at[shown.URL] = len(out.Evidence)
				out.Evidence = append(out.Evidence, shown)
			} else if out.Evidence[i].Seen && !shown.Seen { // the first of these searches to be logged had not seen it
				out.Evidence[i].Seen, out.Evidence[i].Snippet = false, shown.Snippet
			}
		}
	}
	out.Evidence, out.Left = firstThatFit(out.Evidence, searchAnswerTokens)
	for _, f := range found {
		out.Chosen = cmp.Or(out.Chosen, f.Chosen)
		if f.Sent != "" {
			out.Dated = strings.TrimPrefix(out.Dated+"; "+f.Sent, "; ")
		}
		out.Rejected = append(out.Rejected, f.Rejected...)
		for _, o := range f.Outcomes {
			out.addOutcome(channelOut{Name: o.Name, Status: string(o.Status), Count: o.Count, TookMS: o.Took.Milliseconds(), RetryAfter: o.RetryAfter.Seconds(), Message: o.Message})
		}
	}
	return out
}

// addOutcome adds what a channel answered to one of the searches. Answers with the same status and message are one line.
func (out *runChannelOut) addOutcome(o channelOut) {
	for i := range out.Channels {
		if have := &out.Channels[i]; have.Name == o.Name && have.Status == o.Status && have.Message == o.Message {
			have.Count, have.TookMS, have.RetryAfter = have.Count+o.Count, max(have.TookMS, o.TookMS), max(have.RetryAfter, o.RetryAfter)
			return
		}
	}
	out.Channels = append(out.Channels, o)
}

func showHit(h loops.Hit, ranked bool) hitOut {
	out := hitOut{EvidenceID: h.ID, Title: cutTo(h.Title, maxTitleShown), URL: h.URL, Source: h.Source, SourceType: h.SourceType, PublishedAt: h.PublishedAt,
		Authors: h.Authors[:min(maxAuthorsShown, len(h.Authors))], DOI: h.DOI, IDs: h.IDs, Related: h.Related, Score: rounded(h.Score), Seen: h.Seen, SourceID: h.SourceID, Language: h.Language}
	if ranked {
		out.Ranks = h.Ranks
	}
	if !h.Seen {
		out.Snippet = cutTo(h.Snippet, maxSnippetShown)
	}
	return out
}

// maxQueries bounds the queries of one call.
const maxQueries = 8

// severalQueries returns the queries of a call, each once.
func severalQueries(first string, further []string) ([]string, error) {
	out := []string{first}
	for _, query := range further {
		if !slices.Contains(out, query) {
			out = append(out, query)
		}
	}
	if len(out) > maxQueries {
		return nil, &wording.Mistake{Argument: "queries", Problem: fmt.Sprintf("too many: %d", len(out)), Remedy: fmt.Sprintf("ask at most %d in one call", maxQueries)}
	}
	return out, nil
}

// firstThatFit returns the first items that fit into a number of tokens, and the number of the others.
func firstThatFit[T any](items []T, tokens int) (kept []T, left int) {
	for i, item := range items {
		if body, err := MarshalAnswer(item); err == nil {
			tokens -= loops.EstimateTokens(string(body))
		}
		if tokens < 0 && i > 0 {
			return items[:i], len(items) - i
		}
	}
	return items, 0
}

// rounded keeps four decimals of a score.
func rounded(f float64) float64 { return math.Round(f*10_000) / 10_000 }
