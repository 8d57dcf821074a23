package tools

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	// aroundHitsTokens is for the rest of an answer, besides its channels.
	aroundHitsTokens = 120
	// maxResults bounds max_results: so many fit into an answer, with short snippets.
	maxResults = 50
	// maxTitleShown, maxSnippetShown (code points) and maxAuthorsShown bound what is shown of a hit. The last hits of a long answer have
	// short snippets.
	maxTitleShown, maxSnippetShown, shortSnippet, maxAuthorsShown = 120, 200, 50, 3
	// leastShare of the best hit's score is shown. Of 40 questions on Debian's documentation
	// (channels/local/testdata/questions.tsv), the worst best page among the first ten has .72 of it on one half, .64 on the
	// other.
	leastShare = 0.6
	// firstHits of a query are shown in any case: a few documents have few good scores (chosen).
	firstHits = 3
	// leastMerit of the hits of several queries is shown: the last of the firstHits of one query has it.
	leastMerit = 1.0 / firstHits
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
}

// foundHit is a hit of one or several queries.
type foundHit struct {
	hitOut
	text  string  // of which the snippet is a part
	query string  // the first that found it; "" in a list
	merit float64 // the sum of 1/rank over the queries
	weak  bool    // it fits far worse than the best one
}

// merged returns each hit once, the weak ones behind the others. The first hit of a query comes before hits that only one query has
// further down.
func merged(found []loops.Found, queries []string) []foundHit {
	var all []foundHit
	at := map[string]int{} // address -> index of its hit
	share := map[string]float64{}
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
				all = append(all, foundHit{hitOut: showHit(h, len(f.Outcomes) > 1), text: withoutHeadings(h), query: queries[q]})
			}
			hit := &all[i]
			hit.merit += 1 / float64(rank+1)
			if share[h.URL] = max(share[h.URL], cmp.Or(h.Share, 1)); rank < firstHits {
				share[h.URL] = 1
			}
			hit.Seen = hit.Seen && h.Seen // the first of these searches to be logged had not seen it
			if len(queries) > 1 {
				hit.Queries = append(hit.Queries, q+1)
			}
		}
	}
	rank := func(weak bool) int { return map[bool]int{true: 1}[weak] }
	for i := range all {
		slices.Sort(all[i].Queries)
		all[i].weak = share[all[i].URL] < leastShare || len(queries) > 1 && all[i].merit < leastMerit
	}
	slices.SortStableFunc(all, func(a, b foundHit) int { return cmp.Or(rank(a.weak)-rank(b.weak), cmp.Compare(b.merit, a.merit)) })
	return all
}

// showHit returns a hit without its snippet. Its path of headings comes without the title, which is shown beside it.
func showHit(h loops.Hit, ranked bool) hitOut {
	out := hitOut{Title: cutTo(h.Title, maxTitleShown), URL: h.URL, Source: h.Source, SourceType: h.SourceType, PublishedAt: h.PublishedAt,
		Authors: h.Authors[:min(maxAuthorsShown, len(h.Authors))], DOI: h.DOI, IDs: h.IDs, Related: h.Related, Seen: h.Seen,
		SourceID: h.SourceID, Lines: h.Lines}
	section := strings.TrimPrefix(h.Section+headingsBetween, h.Title+headingsBetween)
	out.Section = cutTo(strings.TrimSuffix(section, headingsBetween), maxTitleShown)
	if ranked {
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
func (h foundHit) shown(chars int) hitOut {
	out := h.hitOut
	if chars < maxSnippetShown {
		out.Section = ""
	}
	if h.query == "" {
		out.Snippet = cutTo(h.text, chars)
		return out
	}
	part := passage.Excerpt(h.text, h.query, chars)
	out.Snippet = part.Text
	if part.Start > 0 {
		out.Snippet = "…" + out.Snippet
	}
	if part.End < utf8.RuneCountInString(h.text) {
		out.Snippet += "…"
	}
	return out
}

// fitted returns the first hits that fit into a number of tokens, at least one. If whole snippets do not fit, those of the last
// hits are shorter.
func fitted(hits []foundHit, tokens int) []hitOut {
	out := within(each(hits, func(h foundHit) hitOut { return h.shown(shortSnippet) }), tokens, tokensOf)
	for _, h := range out {
		tokens -= tokensOf(h)
	}
	for i, h := range hits[:len(out)] {
		whole := h.shown(maxSnippetShown)
		if tokens -= tokensOf(whole) - tokensOf(out[i]); tokens < 0 {
			break
		}
		out[i] = whole
	}
	return out
}

type searcher interface {
	Search(ctx context.Context, in loops.SearchInput) (loops.Found, error)
}

// searchAll asks all queries. The further ones are not asked if no channel answered the first one: they would fail as well.
func searchAll(ctx context.Context, svc searcher, ask loops.SearchInput, queries []string) (found []loops.Found, notAsked []string,
	err error) {
	found = make([]loops.Found, len(queries))
	call, total := ask.Operation, len(ask.Channels)*len(queries)
	ask.Done = func(o channels.Outcome) {
		progress.Step(ctx, total, fmt.Sprintf("%s: %s, %d hits", o.Name, o.Status, o.Count))
	}
	search := func(ctx context.Context, i int, operation string) (err error) {
		one := ask
		one.Operation, one.Query.Text = operation, queries[i]
		found[i], err = svc.Search(ctx, one)
		return err
	}
	if err := search(ctx, 0, call); err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(found[0].Outcomes, channels.Outcome.Searched) {
		return found[:1], queries[1:], nil
	}
	// A channel that answered from a part of its source has indexed more by now.
	again := slices.ContainsFunc(found[0].Outcomes, func(o channels.Outcome) bool { return o.Provisional })
	group, searching := errgroup.WithContext(ctx)
	for i, query := range queries {
		if i > 0 || len(queries) > 1 && again {
			group.Go(func() error { return search(searching, i, operationFor(call, query)) })
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
