package server

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/server/resources"
)

// Answers link to the texts that they do not show.
func TestAnswersLinkToResources(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		links := func(tool string, arguments map[string]any) (uris []string, structured string) {
			t.Helper()
			var req mcp.CallToolRequest
			req.Params.Name, req.Params.Arguments = tool, arguments
			result, err := v.CallTool(v.ctx, req)
			if err != nil || result.IsError {
				t.Fatalf("%s: %+v, %v", tool, result, err)
			}
			for _, c := range result.Content {
				if l, ok := c.(mcp.ResourceLink); ok {
					uris = append(uris, l.URI)
					v.mustRead(t, l.URI)
				}
			}
			body, err := json.Marshal(result.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			return uris, string(body)
		}
		uris, body := links("loop_init", map[string]any{"query": "q"})
		var started struct {
			StateID string `json:"state_id"`
		}
		if err := json.Unmarshal([]byte(body), &started); err != nil {
			t.Fatal(err)
		}
		root := resources.Root + "/" + started.StateID
		if diff := cmp.Diff([]string{root + "/brief"}, uris); diff != "" {
			t.Errorf("loop_init (-want +got):\n%s", diff)
		}
		pasted := map[string]any{"state_id": started.StateID, "title": "T", "text": longEnough, "url": "https://example.org/a"}
		if uris, _ := links("fetch", pasted); len(uris) != 0 {
			t.Errorf("fetch of a text that is shown whole links to %v", uris)
		}
		if uris, _ := links("fetch", map[string]any{"state_id": started.StateID, "url": "https://example.org/a", "max_chars": 50}); !slices.Equal(uris, []string{root + "/sources/S1"}) {
			t.Errorf("fetch links to %v", uris)
		}
		v.h.find(t, v.ctx, started.StateID, 1)
		claim := map[string]any{"claim": "The lighthouse at Cape Arden was built in 1874.", "source_ids": []any{"S1"}}
		links("loop_update", map[string]any{"state_id": started.StateID, "claims": []any{claim}})
		if uris, _ := links("loop_report", map[string]any{"state_id": started.StateID}); !slices.Equal(uris, []string{root + "/convergence", root + "/report.html"}) {
			t.Errorf("loop_report links to %v", uris)
		}
		if uris, _ := links("loop_report", map[string]any{"state_id": started.StateID, "draft": "Cape Arden was built in 1874 [S1].", "allow_unverified": true}); !slices.Equal(uris, []string{root + "/convergence"}) {
			t.Errorf("loop_report of a draft links to %v", uris)
		}
	})
}

// Clients of a revision without links get none: they would reject the answer.
func TestOldClientsGetNoLinks(t *testing.T) {
	h := newFixture(t)
	for version, want := range map[string]bool{"2024-11-05": false, "2025-03-26": false, "2025-06-18": true} {
		for _, way := range []string{"stdio", "http"} {
			t.Run(way+" "+version, func(t *testing.T) {
				tr, stop := transports[way](t, h)
				defer stop()
				c := connect(t, tr, version)
				var req mcp.CallToolRequest
				req.Params.Name, req.Params.Arguments = "loop_init", map[string]any{"query": "q"}
				result, err := c.CallTool(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				if got := len(result.Content) > 1; got != want {
					t.Errorf("links: %v, want %v", got, want)
				}
				c.Close()
			})
		}
	}
}
