package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/passage"
)

type findPassagesIn struct {
	StateID   string   `json:"state_id"`
	Query     string   `json:"query"`
	Queries   []string `json:"queries,omitempty" jsonschema:"up to 7 more"`
	SourceIDs []string `json:"source_ids,omitempty" jsonschema:"only in these"`
	Limit     int      `json:"limit,omitempty"`
}

type findPassagesOut struct {
	Notice   string       `json:"notice"`
	Passages []passageOut `json:"passages" jsonschema:"best first"`
	Left     int          `json:"left_out,omitempty" jsonschema:"passages that did not fit"`
	More     string       `json:"more,omitempty"`
}

const (
	// passagesChars bounds the text of the passages in an answer, unless the call sets a limit.
	passagesChars = 2_600
	// askedPassagesChars bounds it if a call with several queries sets a limit.
	askedPassagesChars = 4_000
)

// maxShownQuery bounds the query that a passage answers, in code points: the host knows its queries by their beginning.
const maxShownQuery = 60

// maxUnknownWords bounds the listed words of a query that no text has.
const maxUnknownWords = 8

func findPassages(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "find_passages", title: "Search what was read",
		description: `Find the passages of the stored texts that best fit a question or a claim, with the lines to cite. Use it before ` +
			`writing, and for claims that failed.`,
		hints: hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in findPassagesIn) (findPassagesOut, error) {
		queries, err := severalQueries(in.Query, in.Queries)
		if err != nil {
			return findPassagesOut{}, err
		}
		var more []string
		in.Limit = clamp("limit", in.Limit, loops.MaxPassages, &more)
		find := loops.FindInput{Loop: in.StateID, Queries: queries, SourceIDs: withoutLines(in.SourceIDs), Limit: in.Limit}
		switch {
		case in.Limit == 0:
			find.Chars = passagesChars
		case len(queries) > 1:
			find.Chars = askedPassagesChars
		}
		found, err := svc.Find(ctx, find)
		if err != nil {
			return findPassagesOut{}, err
		}
		out := findPassagesOut{Notice: untrusted, Passages: []passageOut{}, Left: found.Left}
		for _, p := range found.Passages {
			if len(queries) == 1 { // the host knows it
				p.Query = ""
			}
			p.Query = cutTo(p.Query, maxShownQuery)
			out.Passages = append(out.Passages, passageOut{SourceID: p.SourceID, Lines: p.Lines, Query: p.Query, Section: p.Section,
				Text: p.Text, Page: p.Page, Flags: p.Flags})
		}
		for _, u := range found.Unknown {
			more = append(more, unknownWords(u))
		}
		out.More = strings.Join(more, ". ")
		return out, nil
	})
}

// unknownWords tells which words of a query no text has.
func unknownWords(u passage.Unknown) string {
	words := make([]string, min(len(u.Words), maxUnknownWords))
	for i := range words {
		words[i] = fmt.Sprintf("%q", cutTo(u.Words[i], 40))
	}
	none := "no text that was read has " + strings.Join(words, ", ")
	switch {
	case !u.NoMatch:
		return none
	case len(words) == 0:
		return fmt.Sprintf("no match for %q; use other words, or read more pages", cutTo(u.Query, 80))
	}
	return fmt.Sprintf("no match for %q: %s; use other words, or read more pages", cutTo(u.Query, 80), none)
}
