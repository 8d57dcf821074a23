package hookrun

import (
	"context"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/loopstate"
)

// file records a file that the client read, and which of its lines the model was shown. It returns the source if it is new,
// or a line for the model if the file has changed since it was stored.
func (h hook) file(ctx context.Context, f hooks.File) (src hooks.Source, changed string, err error) {
	path, ok := h.mayRecord(f.Path)
	if !ok || h.Opened == nil {
		return src, "", nil
	}
	address := fetch.FileAddress(path)
	known, err := h.Stored(ctx, h.loop, address)
	if err != nil {
		return src, "", err
	}
	page := fetch.Page{Status: known.Status}
	page.Text, page.ContentType = known.Text, known.ContentType
	if isNew := page.Status == ""; isNew {
		page = h.Opened.ReadOpened(ctx, path)
	}
	numbered := lines.New(page.Text)
	spans, shown := shownIn(page, numbered, f)
	if page.Status != fetch.StatusRead || !shown {
		return src, "", nil
	}
	out, err := h.Read(ctx, loops.ReadInput{Loop: h.loop, URLs: []string{address}, Quiet: true,
		Show: func([]loops.PageOutcome) []loopstate.Spans { return []loopstate.Spans{spans} },
		Fetch: func(_ context.Context, _ []string, each func(int, fetch.Page)) []fetch.Page {
			each(0, page)
			return []fetch.Page{page}
		}})
	if err != nil || out[0].ID == "" {
		return src, "", err
	}
	src = hooks.Source{ID: out[0].ID, Name: path, Lines: numbered.Len()}
	same := folder.Original(out[0].Source, out[0].Text) != ""
	if !same { // the file was extracted, or it has changed: the lines are in the loop's folder
		src.File = out[0].File
	}
	if known.Status == "" {
		return src, "", nil
	}
	if !same && isPlain(page) && h.Session.Changed(src.ID) {
		changed = hooks.ChangedLine(h.Event.Dir, src)
	}
	return hooks.Source{}, changed, nil
}

func isPlain(p fetch.Page) bool {
	return p.ContentType == "text/plain" || p.ContentType == "text/markdown"
}

// shownIn returns which parts of a page's text a tool showed, in code points. shown is false if it showed nothing of it.
func shownIn(p fetch.Page, text *lines.Text, f hooks.File) (spans loopstate.Spans, shown bool) {
	var ranges []hooks.Range
	switch {
	case f.Start > 0 && isPlain(p):
		ranges = []hooks.Range{{First: f.Start, Last: f.Start + max(f.Lines, 1) - 1}}
	case f.Start > 0:
		return nil, true // the client's lines are not those of the text
	case !isPlain(p):
		ranges = hooks.ShownMarkup(f.Output, p.Text)
	}
	if f.Start == 0 && len(ranges) == 0 {
		ranges = hooks.Shown(f.Output, p.Text)
	}
	for _, r := range ranges {
		r.Last = min(r.Last, text.Len())
		if r.First <= r.Last {
			start, end, _ := text.Span(lines.Range{First: r.First, Last: r.Last})
			spans = append(spans, loopstate.Span{start, end})
		}
	}
	return spans, len(spans) > 0
}

// pageTime is how long the client waits for pages that are read again (chosen: its own tool has just taken as long).
const pageTime = 8 * time.Second

// pages reads pages that the client's own tool has read: what that tool showed is a model's summary. Pages that cannot be
// read leave no trace. It returns the new sources.
func (h hook) pages(ctx context.Context, urls []string) (fresh []hooks.Source, err error) {
	before, err := h.Sources(ctx, h.loop)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, src := range before {
		known[src.ID] = true
	}
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	out, err := h.Read(ctx, loops.ReadInput{Loop: h.loop, URLs: urls, Quiet: true, Show: loops.Unseen})
	for _, p := range out {
		if p.Status == fetch.StatusRead && !known[p.ID] {
			known[p.ID] = true
			fresh = append(fresh, hooks.Source{ID: p.ID, Name: p.URL, Lines: lines.New(p.Text).Len(), File: p.File})
		}
	}
	return fresh, err
}
