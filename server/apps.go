package server

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/server/apps"
)

// Loops as MCP Apps. A tool names the shell, which is one document for all loops; an answer names the page of the
// very loop. Both are said only to clients that declare the extension, so that nobody else pays for the words: the
// library hands a list out anew for each caller, and marks it as not to be shared.

// shownTools are those whose answer says where a loop stands. The others are called often within a round, and would
// put a page after each step of the conversation.
func shownTools() []string {
	return []string{"loop_init", "loop_update", "loop_get_gaps", "loop_reflect", "loop_get_state"}
}

// showsApps reports whether the client of a call declares that it shows apps, in the way of its era.
func showsApps(ctx context.Context) bool {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		return info.ClientCapabilities != nil && apps.Declared(info.ClientCapabilities.Extensions)
	}
	session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	return ok && apps.Declared(session.GetClientCapabilities().Extensions)
}

// withApps names the shell at the tools that have it.
func withApps(ctx context.Context, list []mcp.Tool) []mcp.Tool {
	if !showsApps(ctx) {
		return list
	}
	for i, t := range list { // a copy: inOrder made it
		if slices.Contains(shownTools(), t.Name) {
			list[i].Meta = addMeta(t.Meta, apps.ShellURI)
		}
	}
	return list
}

// addMeta is what stands in a _meta, and an app.
func addMeta(m *mcp.Meta, uri string) *mcp.Meta {
	added := mcp.Meta{AdditionalFields: map[string]any{}}
	if m != nil {
		added.ProgressToken = m.ProgressToken
		maps.Copy(added.AdditionalFields, m.AdditionalFields)
	}
	added.AdditionalFields["ui"] = apps.ToolMeta(uri)
	return &added
}

// namesApp is the middleware that has an answer name the page of its loop. A question to the user is no answer yet.
func namesApp(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := next(ctx, req)
		if err != nil || result == nil || result.IsError || result.StructuredContent == nil || !slices.Contains(shownTools(), req.Params.Name) || !showsApps(ctx) {
			return result, err
		}
		loop := req.GetString("state_id", "")
		if loop == "" { // it was begun by this call
			var begun struct {
				StateID string `json:"state_id"`
			}
			if body, ok := result.StructuredContent.(json.RawMessage); ok && json.Unmarshal(body, &begun) == nil {
				loop = begun.StateID
			}
		}
		if uri := apps.URI(loop); loop != "" {
			if _, ok := apps.LoopOf(uri); ok {
				result.Meta = addMeta(result.Meta, uri)
			}
		}
		return result, nil
	}
}

func shellResource() mcp.Resource {
	r := mcp.NewResource(apps.ShellURI, "app", mcp.WithResourceTitle("A research loop, as an app"),
		mcp.WithResourceDescription("Where the loop of a tool's answer stands, for hosts that show MCP Apps."), mcp.WithMIMEType(apps.MediaType))
	r.Meta = mcp.NewMetaFromMap(apps.Meta())
	return r
}

// withoutApps takes the shell from the list of a client that cannot show it.
func withoutApps(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	if !showsApps(ctx) {
		result.Resources = slices.DeleteFunc(slices.Clone(result.Resources), func(r mcp.Resource) bool { return r.URI == apps.ShellURI })
	}
}

// readShell is the handler of the shell.
func readShell(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	page, err := apps.Shell()
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: apps.ShellURI, MIMEType: apps.MediaType, Text: page, Meta: apps.Meta()}}, err
}
