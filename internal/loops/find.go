package loops

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/loopstate"
)

// FindInput is a search of the texts that a loop has read.
type FindInput struct {
	Loop      string
	Queries   []string
	SourceIDs []string // only in these; empty: all
	Limit     int      // passages for each query; 0: 8, or 3 for each of several queries
	Chars     int      // bounds the text of the passages, except the first one; 0: no bound
	// Unseen shortens a passage that an answer of the loop has shown in full to its part with most words of the query.
	Unseen bool
}

// FoundPassage is a passage of a stored text that matches a query. Start and End count code points.
type FoundPassage struct {
	SourceID string
	Start    int
	End      int
	Text     string
	Score    float64
	Page     int      // PDF page on which it begins, from 1; else 0
	Flags    []string // warn of words that address a model, in the passage or elsewhere in its source
	Shown    bool     // an earlier answer has shown the whole passage; this is a part of it
}

const (
	// maxPassages bounds the passages for a query.
	maxPassages = 50
	// foundTokens is reserved for the rest of an answer with passages.
	foundTokens = 500
	// shownPartChars is the length of a passage that was shown before.
	shownPartChars = 240
)

// FindPassages is Find for one query.
func (s *Service) FindPassages(ctx context.Context, loop, query string, sourceIDs []string, limit int) ([]FoundPassage, error) {
	found, _, err := s.Find(ctx, FindInput{Loop: loop, Queries: []string{query}, SourceIDs: sourceIDs, Limit: limit})
	return found, err
}

// Find returns the passages of the loop's texts that match queries, each once: the best one for each query, then the second
// ones. It returns as many as fit into an answer, which count as shown to the host, and the number of the others.
func (s *Service) Find(ctx context.Context, in FindInput) (found []FoundPassage, left int, err error) {
	for _, query := range in.Queries {
		if err := checkQuery(query); err != nil {
			return nil, 0, err
		}
	}
	if err := loopstate.CheckRange("limit", float64(in.Limit), 0, maxPassages); err != nil {
		return nil, 0, err
	}
	switch {
	case in.Limit > 0:
	case len(in.Queries) > 1:
		in.Limit = 3
	default:
		in.Limit = 8
	}
	var sources []loopstate.Source
	wanted := map[string]bool{}
	shown := map[string]loopstate.Spans{}
	err = s.view(ctx, in.Loop, func(st *loopstate.State) error {
		for i, id := range in.SourceIDs {
			if _, ok := st.SourceByID(id); !ok {
				return unreadSource(fmt.Sprintf("sources[%d]", i), id)
			}
			wanted[id] = true
		}
		sources = append(sources, st.Sources...)
		for _, src := range sources {
			shown[src.ID] = st.ShownOf(src.ID)
		}
		return nil
	})
	if err != nil || len(sources) == 0 {
		return nil, 0, err
	}
	if len(wanted) == 0 {
		for _, src := range sources {
			wanted[src.ID] = true
		}
	}
	kept, _, err := s.checker(ctx, in.Loop, sources, wanted)
	if err != nil {
		return nil, 0, err
	}
	pages := pagesOf(sources)
	flagsAt := s.suspicions(ctx, sources)
	var records []loopstate.ShownText
	chars, tokens := in.Chars, AnswerTokens-foundTokens
	for _, r := range in.ranked(kept.checker) {
		p := FoundPassage{SourceID: r.SourceID, Start: r.Start, End: r.End, Text: r.Text, Score: r.Score, Page: pages[r.SourceID].At(r.Start)}
		if in.Unseen && shown[p.SourceID].Of(loopstate.Span{p.Start, p.End}) == p.End-p.Start {
			part := passages.Excerpt(p.Text, r.query, shownPartChars)
			p.Start, p.End, p.Text, p.Shown = p.Start+part.Start, p.Start+part.End, part.Text, true
		}
		if p.Flags, err = flagsAt(r.Evidence); err != nil {
			return nil, 0, err
		}
		size, cost := utf8.RuneCountInString(p.Text), tokensOf(p)
		if len(found) > 0 && (left > 0 || cost > tokens || in.Chars > 0 && size > chars) {
			left++
			continue
		}
		chars, tokens = chars-size, tokens-cost
		found = append(found, p)
		records = append(records, loopstate.ShownText{SourceID: p.SourceID, Spans: loopstate.Spans{{p.Start, p.End}}})
	}
	return found, left, s.recordShown(ctx, in.Loop, records)
}

// rankedPassage is a passage for one of several queries.
type rankedPassage struct {
	grounding.Ranked
	query string
}

// ranked returns each passage once: the best ones of all queries first.
func (in FindInput) ranked(checker *grounding.Checker) []rankedPassage {
	lists, longest := make([][]grounding.Ranked, len(in.Queries)), 0
	for i, query := range in.Queries {
		lists[i] = checker.Find(query, in.SourceIDs, in.Limit)
		longest = max(longest, len(lists[i]))
	}
	type place struct {
		source string
		start  int
	}
	seen := map[place]bool{}
	var out []rankedPassage
	for rank := range longest {
		for i, list := range lists {
			if rank >= len(list) || seen[place{list[rank].SourceID, list[rank].Start}] {
				continue
			}
			seen[place{list[rank].SourceID, list[rank].Start}] = true
			out = append(out, rankedPassage{list[rank], in.Queries[i]})
		}
	}
	return out
}
