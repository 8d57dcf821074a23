package install_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/tomledit"
)

// plain returns the value of JSON with comments.
func plain(text []byte) (v any, err error) {
	text = append(bytes.Clone(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))), '\n') // which ends a comment
	if hujson.Extra(text).IsValid() {
		return map[string]any{}, nil
	}
	standard, err := hujson.Standardize(text)
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(standard))
		dec.UseNumber()
		err = dec.Decode(&v)
	}
	return v, err
}

// others returns a file without our entry, and without an object of servers if that is then empty.
func others(t *testing.T, text []byte, key string) map[string]any {
	t.Helper()
	v, err := plain(text)
	if err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	object, _ := v.(map[string]any)
	object = maps.Clone(object)
	if servers, ok := object[key].(map[string]any); ok {
		servers = maps.Clone(servers)
		delete(servers, install.Name)
		object[key] = servers
		if len(servers) == 0 {
			delete(object, key)
		}
	}
	return object
}

func FuzzEditJSON(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "// only a comment", "{\"mcpServers\":{}}", "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}",
		"{\n  \"a\": 1, // one\n  \"mcpServers\": {\n    \"b\": [1, 2,],\n    // \"c\"\n  },\n}\n", "{\r\n\t\"a\": null\r\n}",
		`{"mcpServers": {"citeloop": {"command": "citeloop", "args": ["serve"], "env": {"A": "b"}}, "b": 1}}`,
		"{\"mcpServers\": {// x\n\"citeloop\": {\"command\": \"citeloop\", \"args\": [\"serve\"]} /* y */, /* z */ \"b\": 1 // w\n}}",
		`{"mcpServers": {"b": 1 /* , */, "citeloop": {"command": "npx"}}}`, "{\"mcpServers\": {\"citeloop\": {}\n}}", `{"a": "//", "b": "/*"}`,
		"{\"mcpServers\":{/**/}}", "{\"mcpServers\":{//\n}}", "\xef\xbb\xbf{}", `{"a":1}//`, `{"mcpServers":{"citeloop":{"command":"citeloop","args":["serve"]},}}`,
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, force bool) {
		for _, name := range []string{"claude-desktop", "claude-code"} {
			c, _ := install.Named(name)
			added, err := c.Add(text, server, force)
			if errors.Is(err, tomledit.ErrUncertain) {
				t.Fatalf("Add: %v", err)
			}
			if err != nil {
				continue
			}
			want := others(t, text, "mcpServers")
			if diff := cmp.Diff(want, others(t, added.Text, "mcpServers")); diff != "" {
				t.Fatalf("Add changed something else (-want +got)\n%s\nbefore %q\nafter  %q", diff, text, added.Text)
			}
			again, err := c.Add(added.Text, server, false)
			if err != nil || again.Outcome != install.Unchanged {
				t.Fatalf("a second Add: outcome %d, %v\n%q", again.Outcome, err, added.Text)
			}
			removed, err := c.Remove(added.Text, server.Command, false)
			if err != nil || removed.Outcome != install.Removed {
				t.Fatalf("Remove: outcome %d, %v\n%q", removed.Outcome, err, added.Text)
			}
			if diff := cmp.Diff(want, others(t, removed.Text, "mcpServers")); diff != "" {
				t.Fatalf("Remove changed something else (-want +got)\n%s\nbefore %q\nafter  %q", diff, added.Text, removed.Text)
			}
			before, _ := plain(text)
			servers, _ := before.(map[string]any)["mcpServers"].(map[string]any)
			if _, had := servers[install.Name]; !had && len(servers) > 0 && !bytes.Equal(text, removed.Text) {
				t.Fatalf("added and removed, and not as before\nbefore %q\nafter  %q", text, removed.Text)
			}
		}
	})
}

func FuzzEditTOML(f *testing.F) {
	for _, seed := range []string{
		"", "# nothing", "model = \"x\"", "[mcp_servers.a]\ncommand = 'x'\n", "[mcp_servers.citeloop]\ncommand = \"citeloop\"\nargs = [\"serve\"]\n\n[other]\n",
		"a = [1, # one\n 2,\n]\nb = {c = 1979-05-27 07:32:00Z, d = \"\"\"\nx\"\"\"\"}\r\n", "[[x]]\n'a'.\"b\" = 0x1f\n[mcp_servers.citeloop.env]\nA = 'b'",
		"[mcp_servers]\nciteloop = {}", "mcp_servers.citeloop.command = \"x\"", "[mcp_servers.\"cite\\u006coop\"]\ncommand = \"citeloop\"\nargs = ['serve']",
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, force bool) {
		c, _ := install.Named("codex")
		added, err := c.Add(text, server, force)
		if errors.Is(err, tomledit.ErrUncertain) {
			t.Fatalf("Add: %v", err)
		}
		if err != nil {
			return
		}
		if again, err := c.Add(added.Text, server, false); err != nil || again.Outcome != install.Unchanged {
			t.Fatalf("a second Add: outcome %d, %v\n%q", again.Outcome, err, added.Text)
		}
		removed, err := c.Remove(added.Text, server.Command, false)
		if err != nil {
			t.Fatalf("Remove: %v\n%q", err, added.Text)
		}
		if added.Outcome == install.Added && !bytes.Equal(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))), bytes.TrimSpace(bytes.TrimPrefix(removed.Text, []byte("\xef\xbb\xbf")))) {
			t.Fatalf("added and removed, and not as before\nbefore %q\nafter  %q", text, removed.Text)
		}
	})
}
