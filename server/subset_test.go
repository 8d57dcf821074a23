package server

import (
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/tools"
)

// A server with a part of the tools names none of the others in its instructions and prompts.
func TestServedTools(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options []Option
		want    []string
		prompts []string
	}{
		{"all", nil, tools.Names(), []string{"research", "searcher", "synthesize", "critic", "reviewer", "coverage", "continue_report"}},
		{"read only", []Option{WithReadOnly()}, []string{"loop_get_gaps", "loop_get_state", "loop_list", "find_passages", "list_channels",
			"loop_report"}, nil},
		{"a subset", []Option{WithTools([]string{"review_claims", "fetch"})}, []string{"fetch", "review_claims"}, []string{"reviewer"}},
		{"both", []Option{WithTools([]string{"loop_list"}), WithReadOnly()}, []string{"loop_list"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := client.NewInProcessClient(newFixture(t).with(t, tt.options...).mcp)
			if err != nil {
				t.Fatal(err)
			}
			var hello mcp.InitializeRequest
			hello.Params.ProtocolVersion = "2025-06-18"
			begun, err := c.Initialize(t.Context(), hello)
			if err != nil {
				t.Fatal(err)
			}
			listed, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
			if err != nil {
				t.Fatal(err)
			}
			offered, err := c.ListPrompts(t.Context(), mcp.ListPromptsRequest{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, tool := range listed.Tools {
				got = append(got, tool.Name)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("tools %v, want %v", got, tt.want)
			}
			texts := begun.Instructions
			got = nil
			for _, p := range offered.Prompts {
				got = append(got, p.Name)
				texts += p.Description
				for _, a := range p.Arguments {
					texts += a.Description
				}
			}
			if !slices.Equal(got, tt.prompts) {
				t.Errorf("prompts %v, want %v", got, tt.prompts)
			}
			for _, name := range tools.Names() {
				if !slices.Contains(tt.want, name) && strings.Contains(texts, name) {
					t.Errorf("%s is not served, and named: %s", name, texts)
				}
			}
		})
	}
}
