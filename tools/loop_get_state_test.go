package tools

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type viewed loops.View

func (v viewed) State(context.Context, loops.ViewInput) (loops.View, error) {
	return loops.View(v), nil
}

func TestRoundsViewExplainsGuardrails(t *testing.T) {
	t.Parallel()
	tool := loopGetState(&definer{logger: slog.New(slog.DiscardHandler)}, viewed{StateID: "x", Rounds: []loopstate.Round{{Round: 1, Guardrails: []string{"short_synthesis"}, Confidence: "low",
		Unseen: &loopstate.Unseen{Found: 9, Once: 4, Twice: 2, Unseen: 2, Low: 1, High: 5}, Decision: loopstate.Decision{NextAction: loopstate.SearchMore}}}})
	var request mcp.CallToolRequest
	request.Params.Arguments = map[string]any{"state_id": "x", "view": "rounds"}
	result, err := tool.Handler(t.Context(), request)
	if err != nil || result.IsError {
		t.Fatal(err, result)
	}
	text := result.Content[0].(mcp.TextContent).Text
	for _, want := range []string{`"short_synthesis: a coverage above 0.7 needs a synthesis of at least 500 characters in loop_reflect; without it the confidence of the round is low, which stops nothing"`, `"unseen":"9 relevant hits were found, 4 of them by one angle only;`, `"next_action":"search_more"`, `"confidence":"low"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
}
