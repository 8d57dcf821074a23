package tools

import (
	"context"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/tools/arguments"
	"github.com/citeloop/citeloop/tools/progress"
)

type fetchIn struct {
	URL      string   `json:"url,omitempty" jsonschema:"or a file in a corpus folder"`
	URLs     []string `json:"urls,omitempty" jsonschema:"several, or places: S1:120-128"`
	StateID  string   `json:"state_id,omitempty"`
	Query    string   `json:"query,omitempty"`
	MaxChars int      `json:"max_chars,omitempty" jsonschema:"text of each page"`
	Offset   int      `json:"offset,omitempty" jsonschema:"the last next_offset"`
	Lines    string   `json:"lines,omitempty" jsonschema:"show these: 120-180,240"`
	Show     string   `json:"show,omitempty" enum:"none" jsonschema:"outline only"`
	Text     string   `json:"text,omitempty" jsonschema:"text that the user pasted"`
	Title    string   `json:"title,omitempty"`
}

type fetchOut struct {
	Notice      string      `json:"notice"`
	Sources     []sourceOut `json:"sources"`
	PaywallNote string      `json:"walled,omitempty" `
	Unread      []string    `json:"unread,omitempty" jsonschema:"not in time: ask again"`
}

type pageReader interface {
	Read(ctx context.Context, in loops.ReadInput) ([]loops.PageOutcome, error)
}

func fetchPages(d *definer, svc pageReader) server.ServerTool {
	return define(d, manual{
		name: "fetch", title: "Read pages",
		description: fmt.Sprintf(`Read pages. With state_id the loop keeps the texts, each with a source_id (S1), which a claim may `+
			`cite. A text under %d characters is no source.
With query the answer has the paragraphs that fit it, with lines those; without, the first %d characters and an outline, of several `+
			`pages outlines. At most %d addresses a call; call again with unread.
Example: {"url": "https://…", "state_id": "…", "query": "channel send"}`, fetch.MinChars, defaultPageChars, loops.MaxURLs),
		hints: hints{readOnly: true, idempotent: true, openWorld: true},
	}, func(ctx context.Context, in fetchIn) (fetchOut, error) {
		urls := in.URLs
		if in.URL != "" {
			urls = append([]string{in.URL}, urls...)
		}
		if in.Offset < 0 {
			return fetchOut{}, &wording.Mistake{Argument: "offset", Problem: fmt.Sprintf("out of range: %d", in.Offset),
				Remedy: "use next_offset of the last answer"}
		}
		if in.MaxChars < 0 || in.MaxChars > maxPageChars {
			return fetchOut{}, &wording.Mistake{Argument: "max_chars", Problem: fmt.Sprintf("out of range: %d", in.MaxChars),
				Remedy: fmt.Sprintf("give 1 to %d, or leave it out for %d", maxPageChars, defaultPageChars)}
		}
		var asked fetchAsked
		urls, asked.places = placesOf(urls)
		total := len(slices.Compact(slices.Sorted(slices.Values(urls)))) // repeated addresses are read once
		asked.query, asked.offset, asked.chars, asked.none = in.Query, in.Offset, in.MaxChars, in.Show == "none"
		if in.Lines != "" {
			var ok bool
			if asked.lines, ok = lines.ParseRanges(in.Lines); !ok {
				return fetchOut{}, &wording.Mistake{Argument: "lines", Problem: fmt.Sprintf("invalid: %q", arguments.Clip(in.Lines)),
					Remedy: "give lines such as 120, 120-180 or 120-180,240"}
			}
		}
		read := loops.ReadInput{Loop: in.StateID, URLs: urls, Text: in.Text, Title: in.Title, Query: in.Query,
			Done: func(_ int, p loops.PageOutcome) {
				progress.Step(ctx, total, fmt.Sprintf("%s: %s", arguments.Clip(p.URL), p.Status))
			}}
		pages, err := svc.Read(ctx, read)
		if err != nil {
			return fetchOut{}, err
		}
		out, laid := fetchOut{Notice: untrusted}, layOut(pages, asked)
		for i, p := range pages {
			shown := laid.show(i, p, asked)
			out.Sources = append(out.Sources, shown)
			if p.Status == fetch.StatusTimeout {
				out.Unread = append(out.Unread, shown.URL)
			}
		}
		if slices.ContainsFunc(pages, func(p loops.PageOutcome) bool { return p.AccessRestricted }) {
			out.PaywallNote = "If the user can open such a page, ask them for its text and call fetch with its url, text and title."
		}
		return out, nil
	})
}
