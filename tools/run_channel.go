package tools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	ChannelName string   `json:"channel_name,omitempty"`
	Channels    []string `json:"channels,omitempty" jsonschema:"several at once; [\"auto\"] lets citeloop choose"`
	Query       string   `json:"query" jsonschema:"a few words, as for a search engine"`
	Queries     []string `json:"queries,omitempty" jsonschema:"up to 7 more"`
	StateID     string   `json:"state_id,omitempty"`
	Angle       string   `json:"angle,omitempty"`
	Limit       int      `json:"limit,omitempty"`
	MaxResults  int      `json:"max_results,omitempty" jsonschema:"hits shown, up to 50"`
	Since       string   `json:"since,omitempty" jsonschema:"YYYY, YYYY-MM or YYYY-MM-DD"`
	Until       string   `json:"until,omitempty"`
	Language    string   `json:"language,omitempty" jsonschema:"en, zh"`
	OperationID string   `json:"operation_id,omitempty"`
	List        bool     `json:"list,omitempty" jsonschema:"all files of local by query: status:Final, *"`
	Cursor      string   `json:"cursor,omitempty" jsonschema:"next_cursor"`
}

type runChannelOut struct {
	Evidence []hitOut             `json:"evidence" jsonschema:"best first"`
	Channels []channelOut         `json:"channels" jsonschema:"what each channel answered; only empty means that nothing was found"`
	Rejected []loopstate.Rejected `json:"rejected,omitempty" jsonschema:"hits that the loop did not keep, and why"`
	Chosen   string               `json:"chosen_because,omitempty" jsonschema:"why these channels, where citeloop chose them"`
	Dated    string               `json:"dated_query,omitempty" jsonschema:"what was asked in place of a query that depends on the day and named none"`
	NotAsked []string             `json:"not_asked,omitempty" jsonschema:"queries that were not asked, because no channel answered the first one"`
	Left     int                  `json:"left_out,omitempty" jsonschema:"hits that are not shown"`
	Cut      string               `json:"cut,omitempty"`
	Next     string               `json:"next_cursor,omitempty"`
}

type hitOut struct {
	Title       string   `json:"title"`
	URL         string   `json:"url"`
	Snippet     string   `json:"snippet,omitempty" jsonschema:"what fits the query"`
	Lines       string   `json:"lines,omitempty"`
	Section     string   `json:"section,omitempty"`
	Queries     []int    `json:"queries,omitempty" jsonschema:"the queries that found it, from 1, if there were several"`
	Source      string   `json:"source" jsonschema:"the channel's name"`
	SourceType  string   `json:"source_type,omitempty"`
	PublishedAt string   `json:"published_at,omitempty"`
	Authors     []string `json:"authors,omitempty"`
	DOI         string   `json:"doi,omitempty"`
	IDs         []string `json:"ids,omitempty"`
	Related     []string `json:"related,omitempty" jsonschema:"other versions, such as the preprint"`
	Ranks       ranks    `json:"ranks,omitempty"`
	Seen        bool     `json:"seen,omitempty" jsonschema:"the loop had found it before"`
	SourceID    string   `json:"source_id,omitempty" jsonschema:"the loop has read it"`
}

// ranks are a hit's places in the lists of several channels; with one channel the order shows it.
type ranks map[string]int

type channelOut struct {
	Name       string  `json:"name"`
	Status     string  `json:"status" jsonschema:"ok, empty, degraded, rate_limited, blocked, auth_required, unavailable, malformed or error"`
	Count      int     `json:"count"`
	RetryAfter float64 `json:"retry_after,omitempty" jsonschema:"seconds; absent when not known"`
	Message    string  `json:"message,omitempty"`
}

type searcher interface {
	Search(ctx context.Context, in loops.SearchInput) (loops.Found, error)
}

// hitsEach is the limit of hits that each of several queries has, unless the call sets one.
const hitsEach = 5

func runChannel(d *definer, svc searcher) server.ServerTool {
	return define(d, manual{
		name: "run_channel", title: "Search",
		description: fmt.Sprintf(`Search one or several channels. Hits are no sources: fetch one before citing it. A channel that is "blocked" or "unavailable" has not searched.
With state_id it is logged and its hits are kept. limit: hits of each channel (%d, at most %d).
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
		if in.Limit < 0 {
			return runChannelOut{}, &wording.Mistake{Argument: "limit", Problem: fmt.Sprintf("out of range: %d", in.Limit), Remedy: fmt.Sprintf("give 1 to %d, or leave it out for %d", channels.MaxLimit, channels.DefaultLimit)}
		}
		if in.MaxResults < 0 {
			return runChannelOut{}, &wording.Mistake{Argument: "max_results", Problem: fmt.Sprintf("out of range: %d", in.MaxResults), Remedy: fmt.Sprintf("give 1 to %d, or leave it out", maxResults)}
		}
		queries, err := severalQueries(in.Query, in.Queries)
		if err != nil {
			return runChannelOut{}, err
		}
		var clamped []string
		in.Limit = clamp("limit", in.Limit, channels.MaxLimit, &clamped)
		in.MaxResults = clamp("max_results", in.MaxResults, maxResults, &clamped)
		page, err := in.page(names, queries)
		if err != nil {
			return runChannelOut{}, err
		}
		s := &searches{svc: svc, in: in, names: names, queries: queries}
		out, err := page.answer(channels.WithProgress(ctx, func(channel string, done, of int) {
			noted(ctx, fmt.Sprintf("%s: %d of %d files indexed", channel, done, of))
		}), s)
		out.Cut = joinRemarks(append(clamped, out.Cut)...)
		return out, err
	})
}

// searches are the searches of a call, one for each query.
type searches struct {
	svc            searcher
	in             runChannelIn
	names, queries []string
}

// run asks all queries for a number of hits of each channel. The further ones are not asked if no channel answered the first one:
// they would fail as well. again asks for hits that an earlier call had, see [loops.SearchInput].
func (s *searches) run(ctx context.Context, limit int, again bool) (found []loops.Found, notAsked []string, err error) {
	found = make([]loops.Found, len(s.queries))
	total := len(s.names) * len(s.queries)
	search := func(ctx context.Context, i int, operation string) (err error) {
		ask := loops.SearchInput{Loop: s.in.StateID, Operation: operation, Channels: s.names, Angle: s.in.Angle, Again: again,
			Query: channels.Query{Text: s.queries[i], Limit: limit, Since: s.in.Since, Until: s.in.Until, Language: s.in.Language},
			Done: func(o channels.Outcome) {
				stepped(ctx, total, fmt.Sprintf("%s: %s, %d hits", o.Name, o.Status, o.Count))
			}}
		found[i], err = s.svc.Search(ctx, ask)
		return err
	}
	if err := search(ctx, 0, s.in.OperationID); err != nil {
		return nil, nil, err
	}
	if !searched(found[0]) {
		return found[:1], s.queries[1:], nil
	}
	group, searching := errgroup.WithContext(ctx)
	for i, query := range s.queries {
		if i > 0 || len(s.queries) > 1 && provisional(found[0]) { // the index has grown
			group.Go(func() error { return search(searching, i, operationFor(s.in.OperationID, query)) })
		}
	}
	return found, nil, group.Wait()
}

// operationFor returns the operation id of one of several queries of a call. It has a fixed length, and no host can choose
// an id that equals it.
func operationFor(call, query string) string {
	if call == "" {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "citeloop query %d:%s%s", len(call), call, query))
	return "query-" + hex.EncodeToString(sum[:])
}

// provisional reports whether a channel answered from a part of its source.
func provisional(f loops.Found) bool {
	return slices.ContainsFunc(f.Outcomes, func(o channels.Outcome) bool { return o.Provisional })
}

// searched reports whether any channel could be searched.
func searched(f loops.Found) bool {
	return slices.ContainsFunc(f.Outcomes, func(o channels.Outcome) bool {
		return o.Status == channels.StatusOK || o.Status == channels.StatusEmpty || o.Status == channels.StatusDegraded
	})
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

// clamp returns a number of an argument, at most its maximum. It adds a remark where the argument is above it.
func clamp(argument string, n, most int, remarks *[]string) int {
	if n > most {
		*remarks = append(*remarks, fmt.Sprintf("%s: %d is above the maximum; %d is used", argument, n, most))
	}
	return min(n, most)
}

// joinRemarks joins the remarks that are not empty.
func joinRemarks(remarks ...string) string {
	return strings.Join(slices.DeleteFunc(remarks, func(r string) bool { return r == "" }), "; ")
}
