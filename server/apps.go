package server

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/server/apps"
)

// Loops as MCP Apps. A tool links to the shell, one document for all loops; a result links to the page of its loop. Only
// clients that declare the extension get the links, so that no other client pays for their tokens. The library makes
// each list for one caller, and marks it as private.

// shownTools returns the tools whose result shows the state of a loop. The others are called often within a round, and
// would add a page after each step of the conversation.
func shownTools() []string {
	return []string{"loop_init", "loop_update", "loop_get_gaps", "loop_reflect", "loop_get_state"}
}

// showsApps reports whether the client of a call declares support for apps, in either era.
func showsApps(ctx context.Context) bool {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		return info.ClientCapabilities != nil && apps.Declared(info.ClientCapabilities.Extensions)
	}
	session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	return ok && apps.Declared(session.GetClientCapabilities().Extensions)
}

// withApps links the tools that have an app to the shell.
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

// addMeta returns a copy of a _meta with a link to an app.
func addMeta(m *mcp.Meta, uri string) *mcp.Meta {
	added := mcp.Meta{AdditionalFields: map[string]any{}}
	if m != nil {
		added.ProgressToken = m.ProgressToken
		maps.Copy(added.AdditionalFields, m.AdditionalFields)
	}
	added.AdditionalFields["ui"] = apps.ToolMeta(uri)
	return &added
}

// namesApp is the middleware that links a result to the page of its loop. A question to the user is not a result.
func namesApp(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := next(ctx, req)
		if err != nil || result == nil || result.IsError || result.StructuredContent == nil || !slices.Contains(shownTools(), req.Params.Name) || !showsApps(ctx) {
			return result, err
		}
		loop := loopOf(req, result)
		if uri := apps.URI(loop); loop != "" {
			if _, ok := apps.LoopOf(uri); ok {
				result.Meta = addMeta(result.Meta, uri)
			}
		}
		return result, nil
	}
}

// loopOf returns the loop that a call names, or that it has started, or "".
func loopOf(req mcp.CallToolRequest, result *mcp.CallToolResult) string {
	var begun struct {
		StateID string `json:"state_id"`
	}
	if body, ok := result.StructuredContent.(json.RawMessage); !ok || json.Unmarshal(body, &begun) != nil {
		begun.StateID = ""
	}
	return cmp.Or(req.GetString("state_id", ""), begun.StateID)
}

func shellResource() mcp.Resource {
	r := mcp.NewResource(apps.ShellURI, "app", mcp.WithResourceTitle("A research loop, as an app"),
		mcp.WithResourceDescription("The state of the loop in a tool's result, for hosts that support MCP Apps."), mcp.WithMIMEType(apps.MediaType))
	r.Meta = mcp.NewMetaFromMap(apps.Meta())
	return r
}

// withoutApps removes the shell from the list for a client that cannot show it.
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
