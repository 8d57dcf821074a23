package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// answered is a response without its date.
type answered struct {
	Status int
	Header http.Header
	Body   string
}

func newRequest(ctx context.Context, t *testing.T, method, url, body string, header map[string]string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		req.Header.Set(k, v)
	}
	req.Host = header["Host"]
	return req
}

// request sends a request to the endpoint.
func request(t *testing.T, method, url, body string, header map[string]string) answered {
	t.Helper()
	resp, err := http.DefaultClient.Do(newRequest(t.Context(), t, method, url+Endpoint, body, header))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Header.Del("Date")
	return answered{resp.StatusCode, resp.Header, string(text)}
}

func post(t *testing.T, url, body string, header map[string]string) (int, string) {
	t.Helper()
	got := request(t, http.MethodPost, url, body, header)
	return got.Status, got.Body
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
	`"clientInfo":{"name":"t","version":"1"}}}`

func with(token string, header map[string]string) map[string]string {
	all := map[string]string{"Authorization": "Bearer " + token}
	maps.Copy(all, header)
	return all
}

// modernMeta is the member of a request of 2026-07-28 whose client has no capabilities.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`

func withMeta(params string) string {
	return strings.Replace(strings.TrimSuffix(params, "}")+","+modernMeta+"}", "{,", "{", 1)
}

func modernHeader(method, name string) map[string]string {
	header := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
	if name != "" {
		header["Mcp-Name"] = name
	}
	return header
}

// modernPost posts a request of 2026-07-28. A name is that of a tool, prompt or resource. A token of "" is none.
func modernPost(t *testing.T, url, token, method, name string, params map[string]any) (int, string) {
	t.Helper()
	meta := map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{}}}
	if params["_meta"] == nil {
		params["_meta"] = meta
	}
	body := mustJSON(t, map[string]any{"jsonrpc": "2.0", "id": 5, "method": method, "params": params})
	header := modernHeader(method, name)
	if token != "" {
		header = with(token, header)
	}
	return post(t, url, string(body), header)
}

// modernTool posts a call of a tool.
func modernTool(t *testing.T, url, token, tool string, arguments map[string]any) (status int, text string) {
	t.Helper()
	if arguments == nil {
		arguments = map[string]any{}
	}
	return modernPost(t, url, token, "tools/call", tool, map[string]any{"name": tool, "arguments": arguments})
}

// ask posts a request of 2026-07-28, and returns its result or the message of its error.
func ask(t *testing.T, url, token, method, name string, params map[string]any) (result json.RawMessage, fault string) {
	t.Helper()
	_, text := modernPost(t, url, token, method, name, params)
	if i := strings.Index(text, "{"); i > 0 { // an event stream
		text = text[i:]
	}
	var m struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&m); err != nil {
		t.Fatalf("%s: %v: %s", method, err, text)
	}
	if m.Error != nil {
		return nil, m.Error.Message
	}
	return m.Result, ""
}

// begin starts a loop by calling loop_init.
func begin(t *testing.T, url, token, query string) string {
	t.Helper()
	result, fault := ask(t, url, token, "tools/call", "loop_init", map[string]any{"name": "loop_init",
		"arguments": map[string]any{"query": query}})
	id := gjson.GetBytes(result, "structuredContent.state_id").Str
	if id == "" {
		t.Fatalf("loop_init: %s %s", fault, result)
	}
	return id
}

func requestOf(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
