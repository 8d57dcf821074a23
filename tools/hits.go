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
	// maxTitleShown, maxSnippetShown (code points) and maxAuthorsShown bound what is shown of a hit.
	maxTitleShown, maxSnippetShown, maxAuthorsShown = 120, 200, 3
	// leastShare of the best hit's score is shown. Of 40 questions on Debian's documentation
	// (channels/local/testdata/questions.tsv), the worst best page among the first ten has .72 of it on one half, .64 on the
	// other.
	leastShare = 0.6
	// firstHits of a query are shown in any case: a few documents have few good scores (chosen).
	firstHits = 3
	// leastMerit of the hits of several queries is shown: the last of the firstHits of one query has it.
	leastMerit = 1.0 / firstHits
)

// hitsAsked holds the arguments of a call about what to show.
type hitsAsked struct {
	queries []string
	most    int // hits; 0: as many as hitsChars holds
}

// foundHit is a hit of one or several queries.
type foundHit struct {
	hitOut
	text  string  // of which the snippet is a part
	query string  // the first that found it
	merit float64 // the sum of 1/rank over the queries
	share float64
}

// weak reports whether a hit fits far worse than the best one.
func (asked hitsAsked) weak(h foundHit) bool {
	return h.share < leastShare || len(asked.queries) > 1 && h.merit < leastMerit
}

// merged returns each hit once, those that fit far worse than the best one behind the others. The first hit of a query comes
// before hits that only one query has further down.
func (asked hitsAsked) merged(found []loops.Found) []foundHit {
	var all []foundHit
	at := map[string]int{} // address -> index of its hit
	most := 0
	for _, f := range found {
		most = max(most, len(f.Hits))
	}
	for rank := range most {
		for q, f := range found {
			if rank >= len(f.Hits) {
				continue
			}
			h := f.Hits[rank]
			i, known := at[h.URL]
			if !known {
				i = len(all)
				at[h.URL] = i
				all = append(all, foundHit{hitOut: showHit(h, len(f.Outcomes) > 1),
					text:  withoutHeadings(h.Snippet, append([]string{h.Title}, strings.Split(h.Section, headingsBetween)...)),
					query: asked.queries[q]})
			}
			hit := &all[i]
			hit.merit += 1 / float64(rank+1)
			if hit.share = max(hit.share, cmp.Or(h.Share, 1)); rank < firstHits {
				hit.share = 1
			}
			hit.Seen = hit.Seen && h.Seen // the first of these searches to be logged had not seen it
			if len(asked.queries) > 1 {
				hit.Queries = append(hit.Queries, q+1)
			}
		}
	}
	for i := range all {
		slices.Sort(all[i].Queries)
	}
	slices.SortStableFunc(all, func(a, b foundHit) int { return cmp.Compare(b.merit, a.merit) })
	slices.SortStableFunc(all, func(a, b foundHit) int {
		return cmp.Compare(map[bool]int{true: 1}[asked.weak(a)], map[bool]int{true: 1}[asked.weak(b)])
	})
	return all
}

// showHit returns a hit without its snippet.
func showHit(h loops.Hit, ranked bool) hitOut {
	out := hitOut{Title: cutTo(h.Title, maxTitleShown), URL: h.URL, Source: h.Source, SourceType: h.SourceType, PublishedAt: h.PublishedAt,
		Authors: h.Authors[:min(maxAuthorsShown, len(h.Authors))], DOI: h.DOI, IDs: h.IDs, Related: h.Related, Seen: h.Seen,
		SourceID: h.SourceID}
	out.Lines, out.Section = h.Lines, cutTo(below(h.Title, h.Section), maxTitleShown)
	if ranked {
		out.Ranks = h.Ranks
	}
	return out
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

// shortSnippet is the length of the snippets of the last hits in an answer with more hits than fit into it, in code points
// (chosen).
const shortSnippet = 50

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

// below returns a path of headings without its first one if that is the title, which is shown beside it.
func below(title, section string) string {
	if rest, ok := strings.CutPrefix(section, title); ok && (rest == "" || strings.HasPrefix(rest, headingsBetween)) {
		return strings.TrimPrefix(rest, headingsBetween)
	}
	return section
}

// withoutHeadings returns a snippet of Markdown without the headings at its beginning, which are shown beside it.
func withoutHeadings(snippet string, headings []string) string {
	for _, heading := range headings {
		line, marked := strings.CutPrefix(strings.TrimLeft(snippet, "#"), " ")
		if rest, ok := strings.CutPrefix(line, heading+" "); ok && marked && strings.HasPrefix(snippet, "#") {
			snippet = rest
		}
	}
	return snippet
}

// headingsBetween separates the headings of a section's path.
const headingsBetween = " > "

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

type searcher interface {
	Search(ctx context.Context, in loops.SearchInput) (loops.Found, error)
}

// searches are the searches of a call, one for each query.
type searches struct {
	svc     searcher
	ask     loops.SearchInput // without query and limit
	queries []string
}

// run asks all queries for a number of hits of each channel. The further ones are not asked if no channel answered the first one:
// they would fail as well. again asks for hits that an earlier call had, see [loops.SearchInput].
func (s *searches) run(ctx context.Context, limit int, again bool) (found []loops.Found, notAsked []string, err error) {
	found = make([]loops.Found, len(s.queries))
	total := len(s.ask.Channels) * len(s.queries)
	search := func(ctx context.Context, i int, operation string) (err error) {
		ask := s.ask
		ask.Operation, ask.Again, ask.Query.Text, ask.Query.Limit = operation, again, s.queries[i], limit
		ask.Done = func(o channels.Outcome) {
			progress.Step(ctx, total, fmt.Sprintf("%s: %s, %d hits", o.Name, o.Status, o.Count))
		}
		found[i], err = s.svc.Search(ctx, ask)
		return err
	}
	if err := search(ctx, 0, s.ask.Operation); err != nil {
		return nil, nil, err
	}
	if !searched(found[0]) {
		return found[:1], s.queries[1:], nil
	}
	group, searching := errgroup.WithContext(ctx)
	for i, query := range s.queries {
		if i > 0 || len(s.queries) > 1 && provisional(found[0]) { // the index has grown
			group.Go(func() error { return search(searching, i, operationFor(s.ask.Operation, query)) })
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
