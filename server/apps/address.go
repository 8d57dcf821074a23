package apps

import "github.com/citeloop/citeloop/internal/lazyregexp"

const (
	// Extension is the name under which clients and servers declare that they know MCP Apps.
	Extension = "io.modelcontextprotocol/ui"
	// MediaType is that of an app's document.
	MediaType = "text/html;profile=mcp-app"
	// ShellURI is the address of the shell, the same for all loops: what a tool names in tools/list.
	ShellURI = "ui://citeloop/loop"
)

// URI is the address of a loop's page.
func URI(loop string) string { return ShellURI + "/" + loop }

var loopID = lazyregexp.New(`^[A-Za-z0-9-]{1,64}$`)

// LoopOf returns the loop whose page has this address. It accepts only the spelling of [URI].
func LoopOf(uri string) (loop string, ok bool) {
	const before = ShellURI + "/"
	if len(uri) <= len(before) || uri[:len(before)] != before || !loopID.MatchString(uri[len(before):]) {
		return "", false
	}
	return uri[len(before):], true
}

// Meta declares what the documents need from a host: a border, and no network. Empty lists are explicit.
func Meta() map[string]any {
	none := []string{}
	return map[string]any{"ui": map[string]any{
		"csp":           map[string]any{"connectDomains": none, "resourceDomains": none, "frameDomains": none, "baseUriDomains": none},
		"prefersBorder": true,
	}}
}

// ToolMeta links a tool, or its answer, to the app that shows it.
func ToolMeta(uri string) map[string]any { return map[string]any{"resourceUri": uri} }

// Declared reports whether the declared extensions of a client include documents of our type.
func Declared(extensions map[string]any) bool {
	settings, ok := extensions[Extension].(map[string]any)
	if !ok {
		return false
	}
	types, ok := settings["mimeTypes"].([]any)
	if !ok {
		return false
	}
	for _, t := range types {
		if t == MediaType {
			return true
		}
	}
	return false
}
