package tools

import (
	"context"
	"fmt"

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
	Passages []passageOut `json:"passages" jsonschema:"best first, query by query; text is the stored text from start to end"`
	Left     int          `json:"left_out,omitempty" jsonschema:"passages that did not fit; ask for less at once"`
}

// passagesEach is how many passages each of several queries gets.
const passagesEach = 3

type passageFinder interface {
	FindPassages(ctx context.Context, loop, query string, sourceIDs []string, limit int) ([]loops.FoundPassage, error)
}

func findPassages(d *definer, svc passageFinder) server.ServerTool {
	return define(d, manual{
		name: "find_passages", title: "Search what was read",
		description: `Find the passages of the stored texts that best answer a question. Use it before writing, and to support a claim that failed.`,
		hints:       hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in findPassagesIn) (findPassagesOut, error) {
		queries, err := severalQueries(in.Query, in.Queries)
		if err != nil {
			return findPassagesOut{}, err
		}
		limit := in.Limit
		if limit == 0 && len(queries) > 1 {
			limit = passagesEach
		}
		out := findPassagesOut{Notice: untrusted}
		seen := map[string]bool{}
		for _, query := range queries {
			found, err := svc.FindPassages(ctx, in.StateID, query, in.SourceIDs, limit)
			if err != nil {
				return findPassagesOut{}, err
			}
			for _, p := range found {
				if place := fmt.Sprint(p.SourceID, " ", p.Start); !seen[place] {
					seen[place] = true
					p.Score = rounded(p.Score)
					out.Passages = append(out.Passages, passageOut(p))
				}
			}
		}
		out.Passages, out.Left = firstThatFit(out.Passages, loops.AnswerTokens-aroundTokens)
		return out, nil
	})
}
