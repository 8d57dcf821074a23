package server

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/server/apps"
)

// appWire sends requests to a server over HTTP in one era, as a client with the given capabilities.
type appWire struct {
	t            *testing.T
	url, era     string
	capabilities string
	session      string
}

func (w appWire) ask(method, name, params string) (result json.RawMessage) {
	w.t.Helper()
	header := map[string]string{"MCP-Protocol-Version": w.era}
	if w.era == "2026-07-28" {
		params = strings.Replace(params, "{", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":`+w.capabilities+`},`, 1)
		params = strings.Replace(params, ",}", "}", 1)
		header["Mcp-Method"] = method
		if name != "" {
			header["Mcp-Name"] = name
		}
	} else if w.session != "" {
		header["Mcp-Session-Id"] = w.session
	}
	status, text := post(w.t, w.url, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`, header)
	for line := range strings.Lines(text) { // an event stream may carry notifications as well
		if data, ok := strings.CutPrefix(line, "data: "); ok && strings.Contains(data, `"id":1`) {
			text = data
		}
	}
	var m struct {
		Result json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil || status != http.StatusOK || m.Result == nil {
		w.t.Fatalf("%s: %d %s: %v", method, status, text, err)
	}
	return m.Result
}

// Only clients that declare the extension see apps, in both eras: in tools/list, resources/list and results of tools.
func TestAppsNeedTheExtension(t *testing.T) {
	shows := `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	tests := map[string]struct {
		capabilities string
		want         bool
	}{
		"declared":         {shows, true},
		"nothing":          {`{}`, false},
		"another type":     {`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}`, false},
		"no type":          {`{"extensions":{"io.modelcontextprotocol/ui":{}}}`, false},
		"odd settings":     {`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":7}}}`, false},
		"another's":        {`{"extensions":{"org.example/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`, false},
		"among other ones": {`{"elicitation":{},"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/plain","text/html;profile=mcp-app"],"more":1},"org.example/x":{}}}`, true},
	}
	for name, tt := range tests {
		for _, era := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(name+" "+era, func(t *testing.T) {
				h := newFixture(t)
				w := appWire{t: t, url: h.serve(t, nil).URL, era: era, capabilities: tt.capabilities}
				if era != "2026-07-28" {
					w.session = beginSession(t, w.url, tt.capabilities)
				}
				var tools struct {
					Tools []struct {
						Name string
						Meta struct {
							UI  struct{ ResourceURI string }
							Max int `json:"anthropic/maxResultSizeChars"`
						} `json:"_meta"`
					}
					CacheScope string
				}
				raw := w.ask("tools/list", "", `{}`)
				if len(raw) > 24_000 { // the limit of tools.TestToolsListBudget, which lists without apps
					t.Errorf("tools/list weighs %d bytes", len(raw))
				}
				decode(t, raw, &tools)
				var shown []string
				for _, tool := range tools.Tools {
					switch tool.Meta.UI.ResourceURI {
					case apps.ShellURI:
						shown = append(shown, tool.Name)
					case "":
					default:
						t.Errorf("%s has the app %q", tool.Name, tool.Meta.UI.ResourceURI)
					}
					if tool.Name == "loop_get_state" && tool.Meta.Max == 0 {
						t.Error("loop_get_state has lost other members of _meta")
					}
				}
				var want []string
				if tt.want {
					want = shownTools()
					slices.SortFunc(want, func(a, b string) int { return strings.Compare(a, b) })
				}
				slices.Sort(shown)
				if diff := cmp.Diff(want, shown); diff != "" {
					t.Errorf("tools with an app (-want +got):\n%s", diff)
				}
				if tools.CacheScope == "public" {
					t.Error("a list that differs by client may be shared")
				}

				var list struct{ Resources []struct{ URI string } }
				decode(t, w.ask("resources/list", "", `{}`), &list)
				if got := slices.ContainsFunc(list.Resources, func(r struct{ URI string }) bool { return r.URI == apps.ShellURI }); got != tt.want {
					t.Errorf("the shell is listed: %v", got)
				}

				var begun struct {
					StructuredContent struct {
						StateID string `json:"state_id"`
					}
					Content []struct{ Text string }
					Meta    struct{ UI struct{ ResourceURI string } } `json:"_meta"`
				}
				decode(t, w.ask("tools/call", "loop_init", `{"name":"loop_init","arguments":{"query":"q"}}`), &begun)
				loop := begun.StructuredContent.StateID
				named := map[bool]string{true: apps.URI(loop)}[tt.want]
				if begun.Meta.UI.ResourceURI != named || len(begun.Content) == 0 || !strings.Contains(begun.Content[0].Text, loop) {
					t.Errorf("loop_init names %q, want %q; %v", begun.Meta.UI.ResourceURI, named, begun.Content)
				}
				for name, want := range map[string]string{"loop_get_state": named, "loop_add_gap": ""} {
					got := begun
					got.Meta.UI.ResourceURI = ""
					decode(t, w.ask("tools/call", name, `{"name":"`+name+`","arguments":{"state_id":"`+loop+`"`+map[string]string{"loop_add_gap": `,"gap":"what?"`}[name]+`}}`), &got)
					if got.Meta.UI.ResourceURI != want {
						t.Errorf("%s names %q, want %q", name, got.Meta.UI.ResourceURI, want)
					}
				}
				got := begun
				got.Meta.UI.ResourceURI = ""
				decode(t, w.ask("tools/call", "loop_get_state", `{"name":"loop_get_state","arguments":{"state_id":"ui://x/<y>"}}`), &got)
				if got.Meta.UI.ResourceURI != "" {
					t.Errorf("an error names the app %q", got.Meta.UI.ResourceURI)
				}

				// Every client can read a document by its address: it contains no more than the other resources.
				for _, uri := range []string{apps.ShellURI, apps.URI(loop)} {
					var read struct {
						Contents []struct {
							URI, MIMEType, Text string
							Meta                map[string]any `json:"_meta"`
						}
					}
					decode(t, w.ask("resources/read", uri, `{"uri":"`+uri+`"}`), &read)
					if len(read.Contents) != 1 || read.Contents[0].URI != uri || read.Contents[0].MIMEType != apps.MediaType || !strings.HasPrefix(read.Contents[0].Text, "<!doctype html>") {
						t.Fatalf("%s: %+v", uri, read)
					}
					ui := map[string]any{"csp": map[string]any{"connectDomains": []any{}, "resourceDomains": []any{}, "frameDomains": []any{}, "baseUriDomains": []any{}}, "prefersBorder": true}
					if diff := cmp.Diff(ui, read.Contents[0].Meta["ui"]); diff != "" {
						t.Errorf("%s asks of the host (-want +got):\n%s", uri, diff)
					}
				}
			})
		}
	}
}

func decode(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
}

// beginSession starts a session of the older era with these capabilities, and ends it with the test.
func beginSession(t *testing.T, url, capabilities string) string {
	t.Helper()
	got := request(t, http.MethodPost, url, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"t","version":"1"}}}`, nil)
	session := got.Header.Get(mcpserver.HeaderKeySessionID)
	if got.Status != http.StatusOK || session == "" {
		t.Fatalf("initialize: %+v", got)
	}
	t.Cleanup(func() { // otherwise its goroutines would remain and other tests would count them
		req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodDelete, url+Endpoint, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(mcpserver.HeaderKeySessionID, session)
		resp, err := http.DefaultClient.Do(req)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp, err)
		}
		resp.Body.Close()
	})
	return session
}
