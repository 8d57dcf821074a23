package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools/arguments"
)

type runChannelIn struct {
	ChannelName string   `json:"channel_name"`
	Channels    []string `json:"channels"`
	Query       string   `json:"query"`
	Queries     []string `json:"queries"`
	StateID     string   `json:"state_id"`
	Angle       string   `json:"angle"`
	Limit       int      `json:"limit"`
	MaxResults  int      `json:"max_results"`
	Since       string   `json:"since"`
	Until       string   `json:"until"`
	Language    string   `json:"language"`
	OperationID string   `json:"operation_id"`
	List        bool     `json:"list"`
	Cursor      string   `json:"cursor"`
}

type runChannelOut struct {
	Evidence []hitOut             `json:"evidence"` // best first
	Channels []channelOut         `json:"channels"` // only the status empty means that nothing was found
	Rejected []loopstate.Rejected `json:"rejected,omitempty"`
	Chosen   string               `json:"chosen_because,omitempty"`
	Dated    string               `json:"dated_query,omitempty"` // asked in place of a query that depends on the day
	NotAsked []string             `json:"not_asked,omitempty"`   // because no channel answered the first query
	Left     int                  `json:"left_out,omitempty"`    // hits that are not shown
	Cut      string               `json:"cut,omitempty"`
	Next     string               `json:"next_cursor,omitempty"`
}

type channelOut struct {
	Name       string          `json:"name"`
	Status     channels.Status `json:"status"`
	Count      int             `json:"count"`
	RetryAfter float64         `json:"retry_after,omitempty"` // seconds; absent when not known
	Message    string          `json:"message,omitempty"`
}

// hitsEach is the limit of hits that each of several queries has, unless the call sets one.
const hitsEach = 5

func runChannel(d *definer, svc searcher) server.ServerTool {
	return define(d, "run_channel", func(ctx context.Context, in runChannelIn) (runChannelOut, error) {
		names := in.Channels
		if in.ChannelName != "" {
			names = append([]string{in.ChannelName}, names...)
		}
		names = each(names, arguments.Fold)
		queries, err := severalQueries(in.Query, in.Queries)
		switch {
		case len(names) == 0:
			return runChannelOut{}, &wording.Mistake{Argument: "channel_name", Problem: "missing",
				Remedy: "name a channel, or several in channels; call list_channels for what each is good for"}
		case in.Limit < 0:
			return runChannelOut{}, outOfRange("limit", in.Limit,
				fmt.Sprintf("give 1 to %d, or leave it out for %d", channels.MaxLimit, channels.DefaultLimit))
		case in.MaxResults < 0:
			return runChannelOut{}, outOfRange("max_results", in.MaxResults, fmt.Sprintf("give 1 to %d, or leave it out", maxResults))
		case in.List && len(in.Queries) > 0:
			return runChannelOut{}, &wording.Mistake{Argument: "queries", Problem: "given with list",
				Remedy: `put all filters into query, such as status:Final type:"Standards Track"`}
		case err != nil:
			return runChannelOut{}, err
		}
		var clamped []string
		in.Limit = clamp("limit", in.Limit, channels.MaxLimit, &clamped)
		in.MaxResults = clamp("max_results", in.MaxResults, maxResults, &clamped)
		page, err := in.page(names, queries)
		if err != nil {
			return runChannelOut{}, err
		}
		ask := loops.SearchInput{Loop: in.StateID, Operation: in.OperationID, Channels: names, Angle: in.Angle,
			Again: in.Cursor != "" && !in.List,
			Query: channels.Query{Since: in.Since, Until: in.Until, Language: in.Language, Limit: page.limit}}
		if in.List { // it is not logged
			ask.Operation, ask.Query.Limit = "", page.most
			ask.Query.List, ask.Query.From, ask.Query.After = true, page.from, page.after
		}
		found, notAsked, err := searchAll(ctx, svc, ask, queries)
		if err != nil {
			return runChannelOut{}, err
		}
		out := runChannelOut{NotAsked: notAsked}
		out.describe(found, !ask.Again)
		page.show(&out, found)
		out.Cut = strings.Trim(strings.Join(append(clamped, out.Cut), "; "), "; ")
		return out, nil
	})
}

// hitPage is a page of the hits of a call.
type hitPage struct {
	hitPlace
	list    bool
	queries []string // that a snippet fits
	most    int      // hits; 0: as many as hitsChars holds
	search  []any    // what the cursor is of
}

// page returns the page that a call asks for.
func (in runChannelIn) page(names, queries []string) (p hitPage, err error) {
	p = hitPage{list: in.List, queries: queries, most: in.MaxResults,
		search: []any{in.List, names, queries, in.Since, in.Until, in.Language, in.StateID, in.Angle}}
	asked := min(in.MaxResults, channels.MaxLimit)
	switch {
	case in.List:
		p.queries = []string{""} // a snippet is not chosen by the filters
		p.most = cmp.Or(in.MaxResults, in.Limit, maxResults)
	case len(queries) > 1:
		p.limit = cmp.Or(in.Limit, max(hitsEach, asked))
	default:
		p.limit = cmp.Or(in.Limit, asked, channels.DefaultLimit)
		if in.Limit > 0 {
			p.most = cmp.Or(in.MaxResults, in.Limit*len(names))
		}
	}
	if in.Cursor != "" {
		p.hitPlace, err = hitPlaceOf(strings.TrimSpace(in.Cursor), p.search...)
	}
	return p, err
}

// show adds the hits that fit, at least one, and says what comes behind them. The snippets of many are short.
func (p hitPage) show(out *runChannelOut, found []loops.Found) {
	hits := merged(found, p.queries)
	first, all := min(p.from, len(hits)), len(hits)
	if p.list {
		first, all = found[0].Outcomes[0].First, found[0].Outcomes[0].Total
	} else {
		hits = hits[first:]
	}
	chars, snippet := hitsChars, maxSnippetShown
	if p.most > 0 {
		hits, chars = hits[:min(p.most, len(hits))], numberedChars-charsOf(*out)
		if len(hits) > manyHits {
			snippet = shortSnippet
		}
	}
	out.Evidence = within(each(hits, func(h hitOut) hitOut { return h.shown(snippet) }), chars)
	if len(out.Evidence) == 0 {
		return
	}
	shown := first + len(out.Evidence)
	full := func(f loops.Found) bool {
		return slices.ContainsFunc(f.Outcomes, func(o channels.Outcome) bool { return o.Count >= p.limit })
	}
	switch out.Left = max(0, all-shown); {
	case out.Left > 0:
		out.Next = hitPlace{p.limit, shown, docid.Mark(out.Evidence[len(out.Evidence)-1].URL)}.cursor(p.search...)
		if !p.list {
			out.Cut = fmt.Sprintf("%d rank lower: cursor or max_results shows more", out.Left)
		}
	case p.list || !slices.ContainsFunc(found, full):
	case p.limit < channels.MaxLimit:
		out.Cut = fmt.Sprintf("limit asks each channel for up to %d hits", channels.MaxLimit)
	default:
		out.Cut = fmt.Sprintf("a search ends at %d hits of each channel: narrow the query", channels.MaxLimit)
	}
}

// describe adds how the searches ended, with what was rejected if they are new. Answers of a channel with the same status and message are
// one line.
func (out *runChannelOut) describe(found []loops.Found, fresh bool) {
	out.Evidence, out.Channels = []hitOut{}, []channelOut{}
	for _, f := range found {
		out.Chosen = cmp.Or(out.Chosen, f.Chosen)
		if f.Sent != "" {
			out.Dated = strings.TrimPrefix(out.Dated+"; "+f.Sent, "; ")
		}
		if fresh {
			out.Rejected = append(out.Rejected, f.Rejected...)
		}
		for _, o := range f.Outcomes {
			i := slices.IndexFunc(out.Channels, func(c channelOut) bool {
				return c.Name == o.Name && c.Status == o.Status && c.Message == o.Message
			})
			if i < 0 {
				i = len(out.Channels)
				out.Channels = append(out.Channels, channelOut{Name: o.Name, Status: o.Status, Message: o.Message})
			}
			c := &out.Channels[i]
			c.Count, c.RetryAfter = c.Count+o.Count, max(c.RetryAfter, o.RetryAfter.Seconds())
		}
	}
}
