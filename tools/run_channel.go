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
		ask := loops.SearchInput{Loop: in.StateID, Operation: in.OperationID, Channels: names, Angle: in.Angle, Again: in.Cursor != "",
			Query: channels.Query{Since: in.Since, Until: in.Until, Language: in.Language, Limit: page.limit}}
		search := page.searched
		if in.List {
			search = page.listed
		}
		out, err := search(ctx, svc, ask)
		out.Cut = strings.Trim(strings.Join(append(clamped, out.Cut), "; "), "; ")
		return out, err
	})
}

// hitPage is a page of the hits of a call.
type hitPage struct {
	hitPlace
	queries []string
	most    int   // hits; 0: as many as hitsChars holds
	search  []any // what the cursor is of
}

// page returns the page that a call asks for.
func (in runChannelIn) page(names, queries []string) (p hitPage, err error) {
	p = hitPage{queries: queries, most: in.MaxResults,
		search: []any{in.List, names, queries, in.Since, in.Until, in.Language, in.StateID, in.Angle}}
	asked := min(in.MaxResults, channels.MaxLimit)
	switch {
	case in.List:
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

// searched searches and shows the page.
func (p hitPage) searched(ctx context.Context, svc searcher, ask loops.SearchInput) (out runChannelOut, err error) {
	ask.Query.Limit = p.limit
	found, notAsked, err := searchAll(ctx, svc, ask, p.queries)
	if err != nil {
		return out, err
	}
	out.NotAsked = notAsked
	out.describe(found, !ask.Again)
	all := merged(found, p.queries)
	rest := all[min(p.from, len(all)):]
	if p.most == 0 {
		out.Evidence = within(each(rest, func(h foundHit) hitOut { return h.shown(maxSnippetShown) }), hitsChars)
	} else {
		out.Evidence = fitted(rest[:min(p.most, len(rest))], allHitsChars-charsOf(out))
	}
	full := slices.ContainsFunc(found, func(f loops.Found) bool {
		return slices.ContainsFunc(f.Outcomes, func(o channels.Outcome) bool { return o.Count >= p.limit })
	})
	p.end(&out, len(all), p.from+len(out.Evidence), full)
	return out, nil
}

// end says what comes behind the hits that were shown. full: a channel may have more than it was asked for.
func (p hitPage) end(out *runChannelOut, all, shown int, full bool) {
	switch out.Left = max(0, all-shown); {
	case out.Left > 0:
		out.Cut = fmt.Sprintf("%d rank lower: cursor or max_results shows more", out.Left)
		out.Next = hitPlace{limit: p.limit, from: shown}.cursor(p.search...)
	case full && p.limit < channels.MaxLimit:
		out.Cut = fmt.Sprintf("limit asks each channel for up to %d hits", channels.MaxLimit)
	case full:
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

// listed shows a page of a list.
func (p hitPage) listed(ctx context.Context, svc searcher, ask loops.SearchInput) (out runChannelOut, err error) {
	ask.Operation, ask.Query.Text, ask.Query.Limit = "", p.queries[0], p.most
	ask.Query.List, ask.Query.From, ask.Query.After = true, p.from, p.after
	ask.Again = false
	found, err := svc.Search(ctx, ask)
	if err != nil {
		return out, err
	}
	out.describe([]loops.Found{found}, true)
	if len(found.Hits) == 0 {
		return out, nil
	}
	out.Evidence = fitted(each(found.Hits, func(h loops.Hit) foundHit { return foundHit{hitOut: showHit(h, false), text: h.Snippet} }),
		allHitsChars-charsOf(out))
	shown := found.Outcomes[0].First + len(out.Evidence)
	if out.Left = found.Outcomes[0].Total - shown; out.Left > 0 {
		out.Next = hitPlace{from: shown, after: docid.Mark(out.Evidence[len(out.Evidence)-1].URL)}.cursor(p.search...)
	}
	return out, nil
}
