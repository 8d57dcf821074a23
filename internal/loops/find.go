package loops

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// FindInput is a search of the texts that a loop has read.
type FindInput struct {
	Loop      string
	Queries   []string
	SourceIDs []string // only in these; empty: all
	Limit     int      // passages for each query; 0: 8, or 3 for each of several queries
	Chars     int      // bounds the text of the passages, except the first one; 0: no bound
}

// FoundPassage is a passage of a stored text that matches a query. Start and End count code points.
type FoundPassage struct {
	SourceID string
	Start    int
	End      int
	Text     string
	Lines    string // "120-128"
	Query    string // the query that it answers
	Section  string // the heading and the introduction of the list above it
	Score    float64
	Page     int      // PDF page on which it begins, from 1; else 0
	Flags    []string // warn of words that address a model, in the passage or elsewhere in its source
}

const (
	// MaxPassages bounds the passages for a query.
	MaxPassages = 50
	// foundTokens is reserved for the rest of an answer with passages.
	foundTokens = 500
)

// FoundPassages is the answer to a search of the texts that a loop has read.
type FoundPassages struct {
	Passages []FoundPassage
	Left     int // passages that did not fit
	Unknown  []passage.Unknown
}

// Find returns the passages of the loop's texts that match queries, each once: the best one for each query, then the second
// ones. It returns as many as fit into an answer. Several subjects of a query are queries.
func (s *Service) Find(ctx context.Context, in FindInput) (out FoundPassages, err error) {
	for _, query := range in.Queries {
		if _, err := loopstate.CheckText("search", query, loopstate.MaxTextChars); err != nil {
			return FoundPassages{}, err
		}
	}
	if err := loopstate.CheckRange("limit", float64(in.Limit), 0, MaxPassages); err != nil {
		return FoundPassages{}, err
	}
	in.Queries = subjectsOf(in.Queries)
	switch {
	case in.Limit > 0:
	case len(in.Queries) > 1:
		in.Limit = 3
	default:
		in.Limit = 8
	}
	sources, err := s.Sources(ctx, in.Loop)
	if err != nil {
		return FoundPassages{}, err
	}
	wanted := map[string]bool{}
	for _, src := range sources {
		wanted[src.ID] = len(in.SourceIDs) == 0 || slices.Contains(in.SourceIDs, src.ID)
	}
	for i, id := range in.SourceIDs {
		if !wanted[id] {
			return FoundPassages{}, unreadSource(fmt.Sprintf("sources[%d]", i), id)
		}
	}
	if len(sources) == 0 {
		return FoundPassages{}, nil
	}
	index, err := s.index(ctx, in.Loop, sources, wanted)
	if err != nil {
		return FoundPassages{}, err
	}
	chars, tokens := in.Chars, AnswerTokens-foundTokens
	ranked, unknown := index.SearchAll(in.Queries, in.Limit, func(id string) bool { return wanted[id] })
	out.Unknown = unknown
	for _, r := range ranked {
		at := r.Passage
		src := sources[slices.IndexFunc(sources, func(src loopstate.Source) bool { return src.ID == r.Doc })]
		p := FoundPassage{SourceID: src.ID, Start: at.Start, End: at.End, Text: at.Text, Section: at.Section, Score: r.Score,
			Page: src.Pages.At(at.Start), Query: r.Query}
		text, err := s.text(ctx, src)
		if err != nil {
			return FoundPassages{}, err
		}
		p.Lines = lines.Ranges{text.Lines().Lines(p.Start, p.End)}.String()
		if p.Flags, err = s.suspicions(ctx, src, p.Start, p.End); err != nil {
			return FoundPassages{}, err
		}
		size, cost := utf8.RuneCountInString(p.Text), tokensOf(p)
		if len(out.Passages) > 0 && (out.Left > 0 || cost > tokens || in.Chars > 0 && size > chars) {
			out.Left++
			continue
		}
		chars, tokens = chars-size, tokens-cost
		out.Passages = append(out.Passages, p)
	}
	return out, nil
}

// Subjects cuts a query at semicolons, line breaks and question marks into the subjects that it asks for.
func Subjects(query string) []string {
	var out []string
	for s := range strings.FieldsFuncSeq(query, func(r rune) bool { return strings.ContainsRune(";；\n?？", r) }) {
		if s = strings.TrimSpace(s); len(words.Terms(s)) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// subjectsOf returns the subjects of queries, each once.
func subjectsOf(queries []string) (out []string) {
	for _, query := range queries {
		subjects := Subjects(query)
		if len(subjects) < 2 {
			subjects = []string{query}
		}
		for _, subject := range subjects {
			if !slices.Contains(out, subject) {
				out = append(out, subject)
			}
		}
	}
	return out
}
