package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/tools/arguments"
	"github.com/citeloop/citeloop/tools/progress"
)

type fetchIn struct {
	URL      string   `json:"url"`
	URLs     []string `json:"urls"`
	StateID  string   `json:"state_id"`
	Query    string   `json:"query"`
	MaxChars int      `json:"max_chars"`
	Offset   int      `json:"offset"`
	Lines    string   `json:"lines"`
	Show     string   `json:"show"`
	Text     string   `json:"text"`
	Title    string   `json:"title"`
}

type fetchOut struct {
	Notice      string      `json:"notice"`
	Sources     []sourceOut `json:"sources"`
	PaywallNote string      `json:"walled,omitempty" `
	Unread      []string    `json:"unread,omitempty"`
}

type pageReader interface {
	Read(ctx context.Context, in loops.ReadInput) ([]loops.PageOutcome, error)
}

func fetchPages(d *definer, svc pageReader) server.ServerTool {
	return define(d, "fetch", func(ctx context.Context, in fetchIn) (fetchOut, error) {
		urls := in.URLs
		if in.URL != "" {
			urls = append([]string{in.URL}, urls...)
		}
		if in.Offset < 0 {
			return fetchOut{}, outOfRange("offset", in.Offset, "use next_offset of the last answer")
		}
		if in.MaxChars < 0 || in.MaxChars > maxPageChars {
			return fetchOut{}, outOfRange("max_chars", in.MaxChars,
				fmt.Sprintf("give 1 to %d, or leave it out for %d", maxPageChars, defaultPageChars))
		}
		asked := fetchAsked{query: in.Query, offset: in.Offset, chars: in.MaxChars, none: in.Show == "none"}
		urls, asked.places = placesOf(urls)
		if in.Lines != "" {
			var ok bool
			if asked.lines, ok = lines.ParseRanges(in.Lines); !ok {
				return fetchOut{}, &wording.Mistake{Argument: "lines", Problem: fmt.Sprintf("invalid: %q", arguments.Clip(in.Lines)),
					Remedy: "give lines such as 120, 120-180 or 120-180,240"}
			}
		}
		total := len(slices.Compact(slices.Sorted(slices.Values(urls)))) // repeated addresses are read once
		pages, err := svc.Read(ctx, loops.ReadInput{Loop: in.StateID, URLs: urls, Text: in.Text, Title: in.Title, Query: in.Query,
			Done: func(_ int, p loops.PageOutcome) {
				progress.Step(ctx, total, fmt.Sprintf("%s: %s", arguments.Clip(p.URL), p.Status))
			}})
		if err != nil {
			return fetchOut{}, err
		}
		out := fetchOut{Notice: untrusted, Sources: layOut(pages, asked)}
		for i, p := range pages {
			if p.Status == fetch.StatusTimeout {
				out.Unread = append(out.Unread, out.Sources[i].URL)
			}
			if p.AccessRestricted {
				out.PaywallNote = "If the user can open such a page, ask them for its text and call fetch with its url, text and title."
			}
		}
		return out, nil
	})
}

// Forms of an address in a text: the citation of lines, a link, and a line of a file as programs print it.
var (
	place    = lazyregexp.New(`^(S[1-9]\d*):([\d,\s–-]+)$`)
	linked   = lazyregexp.New(`^\[[^\]]*\]\(<?([^\s>]+)>?\)$`)
	fileLine = lazyregexp.New(`^([^:]+\.\w+):(\d+)(?:[–-](\d+))?$`)
)

// bare returns an address without what a text has around it: "[S1:3]", "<weir.md>", "`weir.md`", "[log](weir.md)"; and "weir.md:3-5" as
// "weir.md#L3-L5".
func bare(address string) string {
	address = strings.TrimSpace(address)
	if m := linked.FindStringSubmatch(address); m != nil {
		address = m[1]
	}
	address = strings.Trim(address, "<>\"'`“”")
	if inner, ok := strings.CutPrefix(address, "["); ok && strings.HasSuffix(inner, "]") {
		address = strings.TrimSuffix(inner, "]")
	}
	if m := fileLine.FindStringSubmatch(address); m != nil {
		address = m[1] + "#L" + strings.TrimSuffix(m[2]+"-L"+m[3], "-L")
	}
	return address
}

// placesOf splits addresses such as S1:120-128 into the source, once, and its lines. Lines that cannot be read make it an address, which
// gets an error.
func placesOf(urls []string) (sources []string, places map[string]lines.Ranges) {
	refs := map[string]string{}
	places = map[string]lines.Ranges{}
	for _, u := range urls {
		u = bare(u)
		if m := place.FindStringSubmatch(u); m != nil {
			id, ref := m[1], strings.TrimPrefix(refs[m[1]]+","+m[2], ",")
			if ranges, ok := lines.ParseRanges(ref); ok {
				u, refs[id], places[id] = id, ref, ranges
			}
		}
		if refs[u] == "" || !slices.Contains(sources, u) {
			sources = append(sources, u)
		}
	}
	return sources, places
}
