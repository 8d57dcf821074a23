package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

type findPassagesIn struct {
	StateID   string   `json:"state_id"`
	Query     string   `json:"query" jsonschema:"a question or a claim"`
	Queries   []string `json:"queries,omitempty" jsonschema:"up to 7 more"`
	SourceIDs []string `json:"source_ids,omitempty" jsonschema:"only in these; all if left out"`
	Limit     int      `json:"limit,omitempty"`
}

type findPassagesOut struct {
	Notice   string       `json:"notice"`
	Passages []passageOut `json:"passages" jsonschema:"best first; text is the stored text from start to end"`
	Left     int          `json:"left_out,omitempty" jsonschema:"passages that did not fit"`
	More     string       `json:"more,omitempty"`
}

// passagesChars bounds the text of the passages in an answer, unless the call sets a limit.
const passagesChars = 2_600

type passageFinder interface {
	Find(ctx context.Context, in loops.FindInput) (found []loops.FoundPassage, left int, err error)
}

func findPassages(d *definer, svc passageFinder) server.ServerTool {
	return define(d, manual{
		name: "find_passages", title: "Search what was read",
		description: `Find the passages of the stored texts that best answer a question. Use it before writing, and for a claim that failed.`,
		hints:       hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in findPassagesIn) (findPassagesOut, error) {
		queries, err := severalQueries(in.Query, in.Queries)
		if err != nil {
			return findPassagesOut{}, err
		}
		find := loops.FindInput{Loop: in.StateID, Queries: queries, SourceIDs: in.SourceIDs, Limit: in.Limit, Unseen: len(in.SourceIDs) == 0}
		if in.Limit == 0 {
			find.Chars = passagesChars
		}
		found, left, err := svc.Find(ctx, find)
		if err != nil {
			return findPassagesOut{}, err
		}
		out := findPassagesOut{Notice: untrusted, Left: left}
		for _, p := range found {
			out.Passages = append(out.Passages, passageOut{SourceID: p.SourceID, Start: p.Start, End: p.End, Text: p.Text, Score: rounded(p.Score), Page: p.Page, Flags: p.Flags, Shown: p.Shown})
			if p.Shown {
				out.More = "shown_before: an earlier answer gave the whole passage, this is its best part; source_ids gives it whole"
			}
		}
		return out, nil
	})
}
