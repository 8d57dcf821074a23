package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

type findPassagesIn struct {
	StateID   string   `json:"state_id"`
	Query     string   `json:"query" jsonschema:"a question or a claim"`
	SourceIDs []string `json:"source_ids,omitempty" jsonschema:"only in these; all if left out"`
	Limit     int      `json:"limit,omitempty"`
}

type findPassagesOut struct {
	Notice   string       `json:"notice"`
	Passages []passageOut `json:"passages" jsonschema:"best first; text is the stored text from start to end"`
}

type passageFinder interface {
	FindPassages(ctx context.Context, loop, query string, sourceIDs []string, limit int) ([]loops.FoundPassage, error)
}

func findPassages(d *definer, svc passageFinder) server.ServerTool {
	return define(d, manual{
		name: "find_passages", title: "Search what was read",
		description: `Find the passages of the stored texts that best answer a question. Use it before writing a claim and to support one that failed. run_channel searches for new pages.`,
		hints:       hints{readOnly: true, idempotent: true},
	}, func(ctx context.Context, in findPassagesIn) (findPassagesOut, error) {
		found, err := svc.FindPassages(ctx, in.StateID, in.Query, in.SourceIDs, in.Limit)
		if err != nil {
			return findPassagesOut{}, err
		}
		out := findPassagesOut{Notice: untrusted}
		for _, p := range found {
			out.Passages = append(out.Passages, passageOut(p))
		}
		return out, nil
	})
}
