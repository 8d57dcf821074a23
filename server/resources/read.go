package resources

import (
	"context"
	"fmt"
	"maps"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/apps"
	"github.com/citeloop/citeloop/tools"
)

// contents reads the resource at an address.
func (h *Handler) contents(ctx context.Context, a address) ([]mcp.ResourceContents, error) {
	switch a.part {
	case partList:
		return h.list(ctx)
	case partLoop:
		return h.overview(ctx, a)
	case partBrief:
		v, err := h.svc.State(ctx, loops.ViewInput{Loop: a.loop})
		if err != nil {
			return nil, err
		}
		brief, err := Brief(v)
		return text(a, "text/markdown", brief), err
	case partRounds:
		rounds, err := h.svc.Rounds(ctx, a.loop)
		if err != nil {
			return nil, err
		}
		return inJSON(a, struct {
			Rounds []loopstate.Round `json:"rounds"`
		}{rounds})
	case partReport:
		return h.report(ctx, a, "markdown", "text/markdown")
	case partReportHTML:
		return h.report(ctx, a, "html", "text/html")
	case partSources:
		return h.sources(ctx, a)
	case partSource, partSpan:
		return h.span(ctx, a)
	case partApp:
		return h.app(ctx, a)
	}
	return nil, fmt.Errorf("resources: unknown part %q", a.part)
}

func text(a address, mediaType, content string) []mcp.ResourceContents {
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: a.String(), MIMEType: mediaType, Text: content}}
}

func inJSON(a address, v any) ([]mcp.ResourceContents, error) {
	body, err := tools.MarshalAnswer(v)
	if err != nil {
		return nil, err
	}
	return text(a, "application/json", string(body)), nil
}

// listedLoop is a loop in the list of all.
type listedLoop struct {
	StateID   string `json:"state_id"`
	URI       string `json:"uri"`
	Query     string `json:"query"`
	Round     int    `json:"round"`
	Status    string `json:"status"`
	UpdatedAt string `json:"updated_at"`
}

// list returns the caller's loops, last changed first, as many as fit into the tokens of an answer.
func (h *Handler) list(ctx context.Context) ([]mcp.ResourceContents, error) {
	heads, err := h.svc.Heads(ctx)
	if err != nil {
		return nil, err
	}
	var out struct {
		Loops   []listedLoop `json:"loops"`
		LeftOut int          `json:"left_out,omitempty"`
		More    string       `json:"more,omitempty"`
	}
	left := views.AnswerTokens - 200 // for the text around the list
	for i, head := range heads {
		l := listedLoop{head.Loop, address{loop: head.Loop}.String(), sanitize.Short(head.Query, 300), head.Round, head.Status, head.UpdatedAt.UTC().Format(rfc3339)}
		body, err := tools.MarshalAnswer(l)
		if err != nil {
			return nil, err
		}
		if left -= views.EstimateTokens(string(body)) + 1; left < 0 {
			out.LeftOut = len(heads) - i
			out.More = "loop_list and resources/list return all of them, in pages"
			break
		}
		out.Loops = append(out.Loops, l)
	}
	return inJSON(address{part: partList}, out)
}

// overview returns the brief with the addresses of the loop's parts.
func (h *Handler) overview(ctx context.Context, a address) ([]mcp.ResourceContents, error) {
	v, err := h.svc.State(ctx, loops.ViewInput{Loop: a.loop})
	if err != nil {
		return nil, err
	}
	out := struct {
		loops.View
		Resources []string `json:"resources"`
	}{View: v}
	for _, p := range []part{partBrief, partRounds, partSources, partReport, partReportHTML} {
		out.Resources = append(out.Resources, a.of(p).String())
	}
	return inJSON(a, out)
}

func (h *Handler) report(ctx context.Context, a address, format, mediaType string) ([]mcp.ResourceContents, error) {
	content, err := h.svc.ReportText(ctx, a.loop, format)
	if err != nil {
		return nil, err
	}
	return text(a, mediaType, content), nil
}

// listedSource is a source in the list of a loop's sources.
type listedSource struct {
	SourceID    string `json:"source_id"`
	URI         string `json:"uri"`
	URL         string `json:"url"`
	Title       string `json:"title"`
	SourceType  string `json:"source_type"`
	PublishedAt string `json:"published_at"`
	Chars       int    `json:"chars"`
	DuplicateOf string `json:"duplicate_of,omitempty"`
	Pasted      bool   `json:"pasted,omitempty"`
}

func (h *Handler) sources(ctx context.Context, a address) ([]mcp.ResourceContents, error) {
	sources, err := h.svc.Sources(ctx, a.loop)
	if err != nil {
		return nil, err
	}
	var out struct {
		Notice  string         `json:"notice"`
		Sources []listedSource `json:"sources"`
	}
	out.Notice = "Titles: " + untrustedText
	for _, s := range sources {
		out.Sources = append(out.Sources, listedSource{s.ID, address{part: partSource, loop: a.loop, source: s.ID}.String(), s.FinalURL, s.Title, s.SourceType, s.PublishedAt, s.Chars, s.DuplicateOf, s.Pasted})
	}
	contents, err := inJSON(a, out)
	return marked(contents, nil), err
}

// span returns a stored text or a part of it, unchanged. Metadata goes into _meta, and the address of the rest into a
// second item, so that the text contains nothing of ours.
func (h *Handler) span(ctx context.Context, a address) ([]mcp.ResourceContents, error) {
	span, err := h.svc.ReadSpan(ctx, a.loop, a.source, a.start, a.end)
	if err != nil {
		return nil, err
	}
	about := map[string]any{"citeloop/start": span.Start, "citeloop/end": span.End, "citeloop/chars": span.Chars, "citeloop/sha256": span.SHA256, "citeloop/url": span.FinalURL}
	if page := span.Pages.At(span.Start); page > 0 {
		about["citeloop/page"] = page
	}
	contents := marked(text(a, "text/plain", span.Text), about)
	// A client that asked for a span and got all of it needs no pointer to the rest.
	if span.Cut() && (a.part == partSource || span.End < a.end) {
		rest := address{part: partSpan, loop: a.loop, source: a.source, start: span.End, end: min(span.End+loops.MaxSpanChars, span.Chars)}
		contents = append(contents, text(rest, "text/plain", fmt.Sprintf("[citeloop: truncated. Characters %d to %d of %d were read; the rest begins at %s]", span.Start, span.End, span.Chars, rest))...)
	}
	return contents, nil
}

// marked adds to the contents' _meta that the text is untrusted, and more metadata.
func marked(contents []mcp.ResourceContents, about map[string]any) []mcp.ResourceContents {
	for i, c := range contents {
		if t, ok := c.(mcp.TextResourceContents); ok {
			t.Meta = untrustedMeta()
			maps.Copy(t.Meta, about)
			contents[i] = t
		}
	}
	return contents
}

// app returns the page of a loop, for hosts that support MCP Apps.
func (h *Handler) app(ctx context.Context, a address) ([]mcp.ResourceContents, error) {
	detail, err := h.svc.Detail(ctx, a.loop, 0)
	if err != nil {
		return nil, err
	}
	page, err := apps.Page(detail)
	if err != nil {
		return nil, err
	}
	meta := apps.Meta()
	maps.Copy(meta, untrustedMeta())
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: a.String(), MIMEType: apps.MediaType, Text: page, Meta: meta}}, nil
}
