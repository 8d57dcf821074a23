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
	Queries   []string `json:"queries"`
	SourceIDs []string `json:"source_ids"`
	Limit     int      `json:"limit"`
}

type findPassagesOut struct {
	Notice   string       `json:"notice"`
	Passages []passageOut `json:"passages"`
	Left     int          `json:"left_out,omitempty"`
	More     string       `json:"more,omitempty"`
}

// Bounds of the texts of an answer, in code points: without a limit, and of several queries with one.
const passagesChars, askedPassagesChars = 2_600, 4_000

func findPassages(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "find_passages", func(ctx context.Context, in findPassagesIn) (findPassagesOut, error) {
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
		out := findPassagesOut{Notice: untrusted, Left: found.Left}
		out.Passages = each(found.Passages, func(p loops.FoundPassage) passageOut {
			if len(queries) == 1 { // the host knows it
				p.Query = ""
			}
			return passageOut{SourceID: p.SourceID, Lines: p.Lines, Query: cutTo(p.Query, 60), Section: p.Section, Text: p.Text,
				Page: p.Page, Flags: p.Flags}
		})
		if len(found.Passages)+len(found.Unknown) == 0 {
			more = append(more, "no text was read in this loop yet: fetch pages first")
		}
		out.More = strings.Join(append(more, each(found.Unknown, unknownWords)...), ". ")
		return out, nil
	})
}

// unknownWords tells which words of a query no text has, at most eight.
func unknownWords(u passage.Unknown) string {
	words := each(u.Words[:min(len(u.Words), 8)], func(word string) string { return fmt.Sprintf("%q", cutTo(word, 40)) })
	none := "no text that was read has " + strings.Join(words, ", ")
	if !u.NoMatch {
		return none
	}
	if len(words) == 0 {
		none = ""
	}
	return strings.TrimSuffix(fmt.Sprintf("no match for %q: %s", cutTo(u.Query, 80), none), ": ") + "; use other words, or read more pages"
}
