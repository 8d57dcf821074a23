package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/server/apps"
)

// appOf returns the app that a tool or a result names in its _meta.
func appOf(m *mcp.Meta) string {
	if m == nil || m.AdditionalFields["ui"] == nil {
		return ""
	}
	ui, _ := m.AdditionalFields["ui"].(map[string]any)
	return fmt.Sprint(ui["resourceUri"])
}

// Only clients that declare the extension see apps: in tools/list, resources/list and results of tools. Every client can read
// the documents by their addresses.
func TestAppsNeedTheExtension(t *testing.T) {
	extension := map[string]any{apps.Extension: map[string]any{"mimeTypes": []string{apps.MediaType}}}
	meta := map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{"extensions": extension}}
	list, fault := ask(t, newFixture(t).serve(t, nil).URL, "tools/list", "", map[string]any{"_meta": meta})
	if len(list) > 24_000 || !strings.Contains(string(list), apps.ShellURI) { // the limit of tools.TestToolsListBudget, which lists without apps
		t.Errorf("tools/list weighs %d bytes; %s", len(list), fault)
	}
	for _, declared := range []bool{true, false} {
		capabilities := mcp.ClientCapabilities{}
		if declared {
			capabilities.Extensions = extension
		}
		t.Run(fmt.Sprint("declared ", declared), func(t *testing.T) {
			everyWay(t, func(t *testing.T, v visit) {
				tools, err := v.ListTools(v.ctx, mcp.ListToolsRequest{})
				if err != nil {
					t.Fatal(err)
				}
				var shown, want []string
				for _, tool := range tools.Tools {
					if uri := appOf(tool.Meta); uri == apps.ShellURI {
						shown = append(shown, tool.Name)
					} else if uri != "" {
						t.Errorf("%s has the app %q", tool.Name, uri)
					}
					if tool.Name == "loop_get_state" && tool.Meta.AdditionalFields["anthropic/maxResultSizeChars"] == nil {
						t.Error("loop_get_state has lost other members of _meta")
					}
				}
				if declared {
					want = shownTools()
				}
				slices.Sort(want)
				slices.Sort(shown)
				if diff := cmp.Diff(want, shown); diff != "" || tools.CacheScope == mcp.CacheScopePublic {
					t.Errorf("tools with an app, in a list for %q (-want +got):\n%s", tools.CacheScope, diff)
				}
				list, err := v.ListResources(v.ctx, mcp.ListResourcesRequest{})
				if err != nil {
					t.Fatal(err)
				}
				if got := slices.ContainsFunc(list.Resources, func(r mcp.Resource) bool { return r.URI == apps.ShellURI }); got != declared {
					t.Errorf("the shell is listed: %v", got)
				}

				started, err := v.CallTool(v.ctx, call("loop_init", map[string]any{"query": "q"}))
				loop := answerOf[begun](t, started, err).StateID
				named := map[bool]string{true: apps.URI(loop)}[declared]
				if appOf(started.Meta) != named {
					t.Errorf("loop_init names %q, want %q", appOf(started.Meta), named)
				}
				for _, tt := range []struct{ tool, loop, want string }{{"loop_get_state", loop, named}, {"loop_list", loop, ""}, {"loop_get_state", "ui://x/<y>", ""}} {
					r, err := v.CallTool(v.ctx, call(tt.tool, map[string]any{"state_id": tt.loop}))
					if err != nil || appOf(r.Meta) != tt.want {
						t.Errorf("%s of %s names %q, want %q; %v", tt.tool, tt.loop, appOf(r.Meta), tt.want, err)
					}
				}
				for _, uri := range []string{apps.ShellURI, apps.URI(loop)} {
					page := v.mustRead(t, uri)
					ui, err := json.Marshal(page.Meta["ui"])
					want := `{"csp":{"baseUriDomains":[],"connectDomains":[],"frameDomains":[],"resourceDomains":[]},"prefersBorder":true}`
					if err != nil || page.MIMEType != apps.MediaType || !strings.HasPrefix(page.Text, "<!doctype html>") || string(ui) != want {
						t.Errorf("%s: %s, which asks %s of the host", uri, page.MIMEType, ui)
					}
				}
			}, client.WithClientCapabilities(capabilities))
		})
	}
}
