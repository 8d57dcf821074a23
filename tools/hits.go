package tools

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/tools/progress"
)

const (
	// hitsChars bounds the characters of the hits in an answer, unless the call asks for a number of hits.
	hitsChars = 2_900
	// numberedChars bounds all of an answer if it does. More than manyHits have short snippets.
	numberedChars, manyHits = 14_000, 25
	// maxResults bounds max_results: so many fit into an answer, with short snippets.
	maxResults = 50
	// maxTitleShown, maxSnippetShown (code points) and maxAuthorsShown bound what is shown of a hit.
	maxTitleShown, maxSnippetShown, shortSnippet, maxAuthorsShown = 120, 200, 50, 3
	// headingsBetween separates the headings of a section's path.
	headingsBetween = " > "
)

type hitOut struct {
	Title       string         `json:"title"`
	URL         string         `json:"url"`
	Snippet     string         `json:"snippet,omitempty"` // what fits the query
	Lines       string         `json:"lines,omitempty"`
	Section     string         `json:"section,omitempty"`
	Queries     []int          `json:"queries,omitempty"` // that found it, from 1, if there were several
	Source      string         `json:"source"`
	SourceType  string         `json:"source_type,omitempty"`
	PublishedAt string         `json:"published_at,omitempty"`
	Authors     []string       `json:"authors,omitempty"`
	DOI         string         `json:"doi,omitempty"`
	IDs         []string       `json:"ids,omitempty"`
	Related     []string       `json:"related,omitempty"`
	Ranks       map[string]int `json:"ranks,omitempty"` // in the lists of several channels; with one the order shows it
	Seen        bool           `json:"seen,omitempty"`
	SourceID    string         `json:"source_id,omitempty"`

	text  string  // of which the snippet is a part
	query string  // the first that found it; "" in a list
	merit float64 // the sum of 1/rank over the queries
}

// merged returns each hit once. The first hit of a query comes before hits that only one query has further down.
func merged(found []loops.Found, queries []string) []hitOut {
	var all []hitOut
	at := map[string]int{} // address -> index of its hit
	for rank := range slices.Max(each(found, func(f loops.Found) int { return len(f.Hits) })) {
		for q, f := range found {
			if rank >= len(f.Hits) {
				continue
			}
			h := f.Hits[rank]
			i, known := at[h.URL]
			if !known {
				i = len(all)
				at[h.URL] = i
				all = append(all, hitOf(h, queries[q], len(f.Outcomes) > 1))
			}
			hit := &all[i]
			hit.merit += 1 / float64(rank+1)
			hit.Seen = hit.Seen && h.Seen // the first of these searches to be logged had not seen it
			if len(queries) > 1 {
				hit.Queries = append(hit.Queries, q+1)
				slices.Sort(hit.Queries)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b hitOut) int { return cmp.Compare(b.merit, a.merit) })
	return all
}

// hitOf returns a hit without its snippet. Its path of headings comes without the title, which is shown beside it.
func hitOf(h loops.Hit, query string, ranked bool) hitOut {
	section := strings.TrimPrefix(h.Section+headingsBetween, h.Title+headingsBetween)
	out := hitOut{Title: cutTo(h.Title, maxTitleShown), URL: h.URL, Source: h.Source, SourceType: h.SourceType, PublishedAt: h.PublishedAt,
		Authors: h.Authors[:min(maxAuthorsShown, len(h.Authors))], DOI: h.DOI, IDs: h.IDs, Related: h.Related, Seen: h.Seen,
		SourceID: h.SourceID, Lines: h.Lines, Section: cutTo(strings.TrimSuffix(section, headingsBetween), maxTitleShown),
		text: withoutHeadings(h), query: query}
	if ranked && query != "" {
		out.Ranks = h.Ranks
	}
	return out
}

// withoutHeadings returns a snippet of Markdown without the headings at its beginning, which are shown beside it.
func withoutHeadings(h loops.Hit) string {
	snippet := h.Snippet
	for _, heading := range append([]string{h.Title}, strings.Split(h.Section, headingsBetween)...) {
		marks := len(snippet) - len(strings.TrimLeft(snippet, "#"))
		if rest, ok := strings.CutPrefix(snippet[marks:], " "+heading+" "); ok && marks > 0 {
			snippet = rest
		}
	}
	return snippet
}

// shown returns the hit with a snippet of at most chars code points. A short one comes without the headings above it. A
// list's is the beginning of what the document states.
func (h hitOut) shown(chars int) hitOut {
	if chars < maxSnippetShown {
		h.Section = ""
	}
	if h.query == "" {
		h.Snippet = cutTo(h.text, chars)
		return h
	}
	part := passage.Excerpt(h.text, h.query, chars)
	h.Snippet = part.Text
	if part.Start > 0 {
		h.Snippet = "…" + h.Snippet
	}
	if part.End < utf8.RuneCountInString(h.text) {
		h.Snippet += "…"
	}
	return h
}

type searcher interface {
	Search(ctx context.Context, in loops.SearchInput) (loops.Found, error)
}

// searchAll asks all queries. The further ones are not asked if no channel answered the first one: they would fail as well.
func searchAll(ctx context.Context, svc searcher, ask loops.SearchInput, queries []string) (found []loops.Found, notAsked []string,
	err error) {
	found = make([]loops.Found, len(queries))
	total := len(ask.Channels) * len(queries)
	ask.Done = func(o channels.Outcome) {
		progress.Step(ctx, total, fmt.Sprintf("%s: %s, %d hits", o.Name, o.Status, o.Count))
	}
	search := func(ctx context.Context, i int) (err error) {
		one := ask
		one.Query.Text = queries[i]
		if i > 0 {
			one.Operation = operationFor(ask.Operation, queries[i])
		}
		found[i], err = svc.Search(ctx, one)
		return err
	}
	if err := search(ctx, 0); err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(found[0].Outcomes, channels.Outcome.Searched) {
		return found[:1], queries[1:], nil
	}
	group, searching := errgroup.WithContext(ctx)
	for i := 1; i < len(queries); i++ {
		group.Go(func() error { return search(searching, i) })
	}
	return found, nil, group.Wait()
}

// operationFor returns the operation id of one of several queries of a call. It has a fixed length, and no host can choose
// an id that equals it.
func operationFor(call, query string) string {
	if call == "" {
		return ""
	}
	return fmt.Sprintf("query-%x", sha256.Sum256(fmt.Appendf(nil, "citeloop query %d:%s%s", len(call), call, query)))
}
