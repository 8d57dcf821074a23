package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/passage"
)

const (
	// hitsChars bounds the characters of the hits in an answer, unless the call asks for a number of hits.
	hitsChars = 2_900
	// askedHitsChars bounds them if a call with several queries asks for a number of hits.
	askedHitsChars = 6_000
	// hitsTokens bounds them in any case; the channels need the rest of the answer.
	hitsTokens = loops.AnswerTokens - 600
	// maxResults bounds max_results. No more fit into an answer.
	maxResults = 100
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
	merit float64 // the sum of 1/rank over the queries
	share float64
}

// show merges the hits of the queries into one list, best first, and cuts it.
func (asked hitsAsked) show(found []loops.Found) runChannelOut {
	all := asked.merged(found)
	var out runChannelOut
	weak := 0
	for _, h := range all {
		if h.share < leastShare || len(asked.queries) > 1 && h.merit < leastMerit {
			weak++
			continue
		}
		out.Evidence = append(out.Evidence, h.hitOut)
	}
	relevant := len(out.Evidence)
	more := "max_results shows more"
	switch {
	case asked.most == 0:
		out.Evidence = firstWithin(out.Evidence, hitsChars)
	case len(asked.queries) > 1:
		out.Evidence = firstWithin(out.Evidence[:min(asked.most, relevant)], askedHitsChars)
		if len(out.Evidence) < asked.most {
			more = "fewer queries a call show more"
		}
	default:
		out.Evidence = out.Evidence[:min(asked.most, relevant)]
	}
	out.Evidence, _ = firstThatFit(out.Evidence, hitsTokens)
	if out.Left = len(all) - len(out.Evidence); out.Left > 0 {
		var why []string
		if n := relevant - len(out.Evidence); n > 0 {
			why = append(why, fmt.Sprintf("%d rank lower: %s", n, more))
		}
		if weak > 0 {
			why = append(why, fmt.Sprintf("%d fit far worse", weak))
		}
		out.Cut = strings.Join(why, "; ")
	}
	for _, f := range found {
		out.Chosen = cmp.Or(out.Chosen, f.Chosen)
		if f.Sent != "" {
			out.Dated = strings.TrimPrefix(out.Dated+"; "+f.Sent, "; ")
		}
		out.Rejected = append(out.Rejected, f.Rejected...)
		for _, o := range f.Outcomes {
			out.addOutcome(channelOut{Name: o.Name, Status: string(o.Status), Count: o.Count, RetryAfter: o.RetryAfter.Seconds(), Message: o.Message})
		}
	}
	return out
}

// merged returns each hit once. The first hit of a query comes before hits that only one query has further down.
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
				all = append(all, foundHit{hitOut: showHit(h, asked.queries[q], len(f.Outcomes) > 1)})
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
	return all
}

func showHit(h loops.Hit, query string, ranked bool) hitOut {
	out := hitOut{Title: cutTo(h.Title, maxTitleShown), URL: h.URL, Source: h.Source, SourceType: h.SourceType, PublishedAt: h.PublishedAt,
		Authors: h.Authors[:min(maxAuthorsShown, len(h.Authors))], DOI: h.DOI, IDs: h.IDs, Related: h.Related, Seen: h.Seen, SourceID: h.SourceID}
	out.Lines, out.Section = h.Lines, cutTo(below(h.Title, h.Section), maxTitleShown)
	if ranked {
		out.Ranks = h.Ranks
	}
	snippet := withoutHeadings(h.Snippet, append([]string{h.Title}, strings.Split(h.Section, headingsBetween)...))
	part := passage.Excerpt(snippet, query, maxSnippetShown)
	out.Snippet = part.Text
	if part.Start > 0 {
		out.Snippet = "…" + out.Snippet
	}
	if part.End < utf8.RuneCountInString(snippet) {
		out.Snippet += "…"
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

// firstWithin returns the first items that fit into a number of characters of JSON, at least one.
func firstWithin[T any](items []T, chars int) []T {
	for i, item := range items {
		if body, err := MarshalAnswer(item); err == nil {
			chars -= utf8.RuneCount(body) + 1
		}
		if chars < 0 && i > 0 {
			return items[:i]
		}
	}
	return items
}
