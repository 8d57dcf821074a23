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
	"github.com/citeloop/citeloop/tools/progress"
)

type runChannelIn struct {
	ChannelName string   `json:"channel_name,omitempty"`
	Channels    []string `json:"channels,omitempty" jsonschema:"several; [\"auto\"]: citeloop chooses"`
	Query       string   `json:"query" jsonschema:"a few words"`
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
	Dated    string               `json:"dated_query,omitempty" jsonschema:"asked in place of a query that depends on the day"`
	NotAsked []string             `json:"not_asked,omitempty" jsonschema:"not asked, because no channel answered the first one"`
	Left     int                  `json:"left_out,omitempty" jsonschema:"hits that are not shown"`
	Cut      string               `json:"cut,omitempty"`
	Next     string               `json:"next_cursor,omitempty"`
}

type channelOut struct {
	Name string `json:"name"`

	Status string `json:"status" jsonschema:"ok, empty, degraded, rate_limited, blocked, auth_required, unavailable, malformed or error"`

	Count      int     `json:"count"`
	RetryAfter float64 `json:"retry_after,omitempty" jsonschema:"seconds; absent when not known"`
	Message    string  `json:"message,omitempty"`
}

// hitsEach is the limit of hits that each of several queries has, unless the call sets one.
const hitsEach = 5

func runChannel(d *definer, svc searcher) server.ServerTool {
	return define(d, manual{
		name: "run_channel", title: "Search",
		description: fmt.Sprintf(`Search one or several channels. Hits are no sources: fetch one before citing it. A channel that is `+
			`"blocked" or "unavailable" has not searched.
With state_id it is logged and its hits are kept. limit: hits of each channel (%d, at most %d).`, channels.DefaultLimit, channels.MaxLimit),
		hints: hints{readOnly: true, openWorld: true},
	}, func(ctx context.Context, in runChannelIn) (runChannelOut, error) {
		names := in.Channels
		if in.ChannelName != "" {
			names = append([]string{in.ChannelName}, names...)
		}
		if len(names) == 0 {
			return runChannelOut{}, &wording.Mistake{Argument: "channel_name", Problem: "missing",
				Remedy: "name a channel, or several in channels; call list_channels for what each is good for"}
		}
		if in.Limit < 0 {
			return runChannelOut{}, &wording.Mistake{Argument: "limit", Problem: fmt.Sprintf("out of range: %d", in.Limit),
				Remedy: fmt.Sprintf("give 1 to %d, or leave it out for %d", channels.MaxLimit, channels.DefaultLimit)}
		}
		if in.MaxResults < 0 {
			return runChannelOut{}, &wording.Mistake{Argument: "max_results", Problem: fmt.Sprintf("out of range: %d", in.MaxResults),
				Remedy: fmt.Sprintf("give 1 to %d, or leave it out", maxResults)}
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
		s := &searches{svc: svc, queries: queries, ask: loops.SearchInput{Loop: in.StateID, Operation: in.OperationID, Channels: names,
			Angle: in.Angle,
			Query: channels.Query{Since: in.Since, Until: in.Until, Language: in.Language}}}
		out, err := page.answer(channels.WithProgress(ctx, func(channel string, done, of int) {
			progress.Note(ctx, fmt.Sprintf("%s: %d of %d files indexed", channel, done, of))
		}), s)
		out.Cut = strings.Trim(strings.Join(append(clamped, out.Cut), "; "), "; ")
		return out, err
	})
}

// addOutcome adds what a channel answered to one of the searches. Answers with the same status and message are one line.
func (out *runChannelOut) addOutcome(o channelOut) {
	for i := range out.Channels {
		if have := &out.Channels[i]; have.Name == o.Name && have.Status == o.Status && have.Message == o.Message {
			have.Count, have.RetryAfter = have.Count+o.Count, max(have.RetryAfter, o.RetryAfter)
			return
		}
	}
	out.Channels = append(out.Channels, o)
}

// hitPage is a page of the hits of a call.
type hitPage struct {
	hitsAsked
	place  HitPlace
	search []any // what the cursor is of
	goesOn bool  // from a cursor
	weak   bool  // also hits that fit far worse than the best one
	list   bool
}

// page returns the page that a call asks for.
func (in runChannelIn) page(names, queries []string) (p hitPage, err error) {
	p = hitPage{hitsAsked: hitsAsked{queries: queries, most: in.MaxResults}, goesOn: in.Cursor != "", weak: in.MaxResults > 0 ||
		in.Cursor != "", list: in.List,
		search: []any{in.List, names, queries, in.Since, in.Until, in.Language, in.StateID, in.Angle}}
	switch {
	case in.List && len(queries) > 1:
		return p, &wording.Mistake{Argument: "queries", Problem: "given with list",
			Remedy: `put all filters into query, such as status:Final type:"Standards Track"`}
	case in.List:
		p.most = cmp.Or(in.MaxResults, in.Limit, maxResults)
	default:
		p.place.Limit = cmp.Or(in.Limit, min(in.MaxResults, channels.MaxLimit), channels.DefaultLimit)
		if len(queries) > 1 {
			p.place.Limit = cmp.Or(in.Limit, max(hitsEach, min(in.MaxResults, channels.MaxLimit)))
		} else if in.Limit > 0 {
			p.most = cmp.Or(in.MaxResults, in.Limit*len(names))
		}
	}
	if cursor := strings.TrimSpace(in.Cursor); p.goesOn {
		if p.place, err = HitPlaceOf(cursor, p.search...); err != nil {
			return p, err
		}
	}
	return p, nil
}

// answer searches and shows the page.
func (p hitPage) answer(ctx context.Context, s *searches) (out runChannelOut, err error) {
	if p.list {
		return p.listed(ctx, s)
	}
	found, notAsked, err := s.run(ctx, p.place.Limit, p.goesOn)
	if err != nil {
		return out, err
	}
	all := p.merged(found)
	out.NotAsked = notAsked
	out.describe(found, !p.goesOn)
	from := p.from(all)
	p.show(&out, all[from:])
	p.end(&out, all, from+len(out.Evidence), full(found, p.place.Limit))
	return out, nil
}

// from returns the number of the first hit of the page: the one behind the last one that was shown, wherever that is now.
func (p hitPage) from(all []foundHit) int {
	is := func(h foundHit) bool { return docid.Mark(h.URL) == p.place.After }
	at := min(p.place.From, len(all))
	if p.place.After == 0 || at > 0 && is(all[at-1]) {
		return at
	}
	if moved := slices.IndexFunc(all, is); moved >= 0 {
		return moved + 1
	}
	return at
}

// show adds the first hits of the rest to an answer.
func (p hitPage) show(out *runChannelOut, rest []foundHit) {
	if !p.weak {
		rest = slices.DeleteFunc(slices.Clone(rest), p.hitsAsked.weak)
	}
	if p.most == 0 {
		whole := each(rest, func(h foundHit) hitOut { return h.shown(maxSnippetShown) })
		out.Evidence = within(whole, hitsChars, charsOf)
		return
	}
	out.Evidence = fitted(rest[:min(p.most, len(rest))], out.left())
}

// left returns the tokens that an answer has left for its hits.
func (out *runChannelOut) left() int { return loops.AnswerTokens - aroundHitsTokens - tokensOf(*out) }

// end says what comes behind the first hits of all, up to shown. full: a channel may have more than it was asked for.
func (p hitPage) end(out *runChannelOut, all []foundHit, shown int, full bool) {
	weak := 0
	for _, h := range all[shown:] {
		if p.hitsAsked.weak(h) {
			weak++
		}
	}
	var why []string
	if out.Left = len(all) - shown; out.Left > weak {
		why = append(why, fmt.Sprintf("%d rank lower", out.Left-weak))
	}
	if weak > 0 {
		why = append(why, fmt.Sprintf("%d fit far worse than the best hit", weak))
	}
	switch next := (HitPlace{Limit: p.place.Limit, From: shown}); {
	case out.Left > 0:
		if shown > 0 {
			next.After = docid.Mark(all[shown-1].URL)
		}
		why[len(why)-1] += ": cursor or max_results shows more"
		out.Next = next.Cursor(p.search...)
	case full && p.place.Limit < channels.MaxLimit:
		why = append(why, fmt.Sprintf("limit asks each channel for up to %d hits", channels.MaxLimit))
	case full:
		why = append(why, fmt.Sprintf("a search ends at %d hits of each channel: narrow the query", channels.MaxLimit))
	}
	out.Cut = strings.Join(why, "; ")
}

// full reports whether a channel answered as many hits as it was asked for.
func full(found []loops.Found, limit int) bool {
	return slices.ContainsFunc(found, func(f loops.Found) bool {
		return slices.ContainsFunc(f.Outcomes, func(o channels.Outcome) bool { return o.Count >= limit })
	})
}

// describe adds how the searches ended, with what was rejected if they are new.
func (out *runChannelOut) describe(found []loops.Found, fresh bool) {
	for _, f := range found {
		out.Chosen = cmp.Or(out.Chosen, f.Chosen)
		if f.Sent != "" {
			out.Dated = strings.TrimPrefix(out.Dated+"; "+f.Sent, "; ")
		}
		if fresh {
			out.Rejected = append(out.Rejected, f.Rejected...)
		}
		for _, o := range f.Outcomes {
			out.addOutcome(channelOut{Name: o.Name, Status: string(o.Status), Count: o.Count, RetryAfter: o.RetryAfter.Seconds(),
				Message: o.Message})
		}
	}
}

// listed shows a page of a list.
func (p hitPage) listed(ctx context.Context, s *searches) (out runChannelOut, err error) {
	ask := s.ask
	ask.Operation = ""
	ask.Query.Text, ask.Query.Limit = s.queries[0], p.most
	ask.Query.List, ask.Query.From, ask.Query.After = true, p.place.From, p.place.After
	found, err := s.svc.Search(ctx, ask)
	if err != nil {
		return out, err
	}
	out.describe([]loops.Found{found}, true)
	all := each(found.Hits, func(h loops.Hit) foundHit { return foundHit{hitOut: showHit(h, false), text: h.Snippet} })
	if len(all) == 0 {
		return out, nil
	}
	out.Evidence = fitted(all, out.left())
	shown := found.Outcomes[0].First + len(out.Evidence)
	if out.Left = found.Outcomes[0].Total - shown; out.Left > 0 {
		out.Next = HitPlace{From: shown, After: docid.Mark(out.Evidence[len(out.Evidence)-1].URL)}.Cursor(p.search...)
	}
	return out, nil
}
