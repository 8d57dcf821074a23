package install_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/cli/install"
)

var server = install.Server{Command: "/opt/bin/citeloop", Args: []string{"serve", "--corpus", "/papers"}}

func client(t testing.TB, name string) install.Client {
	t.Helper()
	c, ok := install.Named(name)
	if !ok {
		t.Fatalf("there is no client %q", name)
	}
	return c
}

// edit is an installation into a client's file, and what the file is after it.
type edit struct {
	name, client, before, after string
	outcome                     install.Outcome // Replaced: with force
}

// checkAdd makes edits. A second installation without variables changes nothing, and Remove takes the entry out.
func checkAdd(t *testing.T, s install.Server, rows []edit) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			c := client(t, row.client)
			got, err := c.Add([]byte(row.before), s, row.outcome == install.Replaced)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.after, string(got.Text)); diff != "" || got.Outcome != row.outcome {
				t.Errorf("Add: outcome %d, want %d (-want +got)\n%s", got.Outcome, row.outcome, diff)
			}
			again, err := c.Add(got.Text, install.Server{Command: s.Command, Args: s.Args}, false)
			if err != nil || again.Outcome != install.Unchanged || string(again.Text) != string(got.Text) {
				t.Errorf("a second Add: outcome %d, %v\n%s", again.Outcome, err, again.Text)
			}
			if out, err := c.Remove(got.Text, s.Command, false); err != nil || strings.Contains(string(out.Text), "CITELOOP") {
				t.Errorf("Remove: %v\n%s", err, out.Text)
			}
		})
	}
}

// refusal is a client's file that is not edited, and a part of the error.
type refusal struct{ name, before, want string }

func checkRefusals(t *testing.T, s install.Server, of string, rows []refusal) {
	t.Helper()
	for _, row := range rows {
		if got, err := client(t, of).Add([]byte(row.before), s, false); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %q, %v, want an error with %q", row.name, got.Text, err, row.want)
		}
	}
}

// removal is a client's file with our entry, and without it.
type removal struct{ name, before, after string }

func checkRemove(t *testing.T, of string, rows []removal) {
	t.Helper()
	for _, row := range rows {
		got, err := client(t, of).Remove([]byte(row.before), server.Command, false)
		want := map[bool]install.Outcome{true: install.Unchanged, false: install.Removed}[row.before == row.after]
		if diff := cmp.Diff(row.after, string(got.Text)); err != nil || diff != "" || got.Outcome != want {
			t.Errorf("%s: %v, outcome %d, want %d (-want +got)\n%s", row.name, err, got.Outcome, want, diff)
		}
	}
}

func TestAddJSON(t *testing.T) {
	// entry is what is added at an indentation, in steps of a unit.
	entry := func(indent, unit, newline string) string {
		return strings.ReplaceAll("\"citeloop\": {\n"+indent+unit+"\"command\": \"/opt/bin/citeloop\",\n"+indent+unit+"\"args\": [\"serve\", \"--corpus\", \"/papers\"]\n"+indent+"}", "\n", newline)
	}
	const flat = `"command": "/opt/bin/citeloop", "args": ["serve", "--corpus", "/papers"]`
	checkAdd(t, server, []edit{
		{"an empty object", "claude-desktop", "{}\n", "{\n  \"mcpServers\": {\n    " + entry("    ", "  ", "\n") + "\n  }\n}\n", install.Added},
		{"only comments", "zed", "// Zed settings\n// see the docs", "// Zed settings\n// see the docs\n{\n  \"context_servers\": {\n    " + entry("    ", "  ", "\n") + "\n  }\n}\n", install.Added},
		{"comments, four spaces, a trailing comma", "windsurf",
			"{\n    // mine\n    \"mcpServers\": {\n        \"other\": {\"command\": \"npx\", \"args\": [\"x\",],}, // the other\n        // \"old\": {}\n    },\n}\n",
			"{\n    // mine\n    \"mcpServers\": {\n        \"other\": {\"command\": \"npx\", \"args\": [\"x\",],}, // the other\n        // \"old\": {}\n        " + entry("        ", "    ", "\n") + ",\n    },\n}\n", install.Added},
		{"tabs and line breaks of Windows, and no servers yet", "gemini-cli", "\xef\xbb\xbf{\r\n\t\"theme\": \"dark\" // like the night\r\n}\r\n",
			"\xef\xbb\xbf{\r\n\t\"theme\": \"dark\", // like the night\r\n\t\"mcpServers\": {\r\n\t\t" + entry("\t\t", "\t", "\r\n") + "\r\n\t}\r\n}\r\n", install.Added},
		{"all on one line", "cursor", `{"mcpServers": {"other": {"url": "https://example.org/mcp"}}}`,
			`{"mcpServers": {"other": {"url": "https://example.org/mcp"}, "citeloop": {"type": "stdio", ` + flat + `}}}`, install.Added},
		{"a name with escapes is the same name", "windsurf", `{"mcp\u0053ervers": {}}`, `{"mcp\u0053ervers": {` + "\n  " + entry("  ", "  ", "\n") + "\n}}", install.Added},
		{"what the user wrote by hand is ours; env, comments and flags that are not given stay", "claude-desktop",
			`{"mcpServers": {"citeloop": {"command": "citeloop", // on the PATH` + "\n" + `"args": ["serve", "--data", "/old"], "env": {"CITELOOP_CONTACT": "you@example.org"}}}}`,
			`{"mcpServers": {"citeloop": {"command": "/opt/bin/citeloop", // on the PATH` + "\n" + `"args": ["serve", "--corpus", "/papers", "--data", "/old"], "env": {"CITELOOP_CONTACT": "you@example.org"}}}}`, install.Updated},
		{"alwaysLoad is added", "claude-code", `{"mcpServers": {"citeloop": {"command": "citeloop", "args": ["serve"]}}}`, `{"mcpServers": {"citeloop": {` + flat + `, "alwaysLoad": true}}}`, install.Updated},
		{"the user set alwaysLoad", "claude-code", `{"mcpServers": {"citeloop": {"alwaysLoad": false, ` + flat + `}}}`, `{"mcpServers": {"citeloop": {"alwaysLoad": false, ` + flat + `}}}`, install.Unchanged},
		{"another program of our name, with force", "windsurf", `{"mcpServers": {"citeloop": {"command": "npx", "args": ["citeloop"]}, "b": 1}}`, `{"mcpServers": {"b": 1, "citeloop": {` + flat + `}}}`, install.Replaced},
	})
}

func TestAddRefusesJSON(t *testing.T) {
	checkRefusals(t, server, "claude-desktop", []refusal{
		{"a missing comma", "{\n  \"a\": 1\n  \"b\": 2\n}", `line 3, column 3: invalid character '"' after object value`},
		{"cut off", `{"mcpServers": {`, `line 1, column 17: parsing value: unexpected EOF`},
		{"two values", "{}\n{}", `line 2, column 1: invalid character '{' after top-level value`},
		{"too deep", strings.Repeat("[", 10_600), "more than 10000 nested values"},
		{"a list", "[]", "it does not hold an object"},
		{"servers as a list", `{"mcpServers": []}`, `its "mcpServers" is not an object`},
		{"servers as null", `{"mcpServers": null}`, `its "mcpServers" is not an object`},
		{"servers twice", `{"mcpServers": {}, "mcpServers": {}}`, `it has "mcpServers" 2 times`},
		{"citeloop twice", `{"mcpServers": {"citeloop": {}, "citeloop": {}}}`, `it has "mcpServers.citeloop" 2 times`},
		{"bytes of another encoding", "{\"a\": \"\xff\"}", "it is not text in UTF-8"},
		{"another program of our name", `{"mcpServers": {"citeloop": {"command": "npx", "args": ["-y", "my server"]}}}`, `the entry "citeloop" was not written by this command: it runs npx -y "my server"`},
		{"another command of citeloop", `{"mcpServers": {"citeloop": {"command": "citeloop", "args": ["demo"]}}}`, "it runs citeloop demo"},
		{"a server that is reached", `{"mcpServers": {"citeloop": {"type": "http", "url": "http://127.0.0.1:8080/mcp"}}}`, "it is reached at http://127.0.0.1:8080/mcp"},
		{"arguments that are none", `{"mcpServers": {"citeloop": {"command": "citeloop", "args": ["serve", 1]}}}`, "was not written by this command"},
		{"no entry at all", `{"mcpServers": {"citeloop": true}}`, "it runs nothing that is known here"},
	})
}

func TestRemoveJSON(t *testing.T) {
	const ours = `"citeloop": {"command": "citeloop", "args": ["serve"]}`
	checkRemove(t, "claude-desktop", []removal{
		{"the only one", "{\n  \"mcpServers\": {\n    " + ours + "\n  }\n}\n", "{\n  \"mcpServers\": {}\n}\n"},
		{"first of two, with a comment of its own", "{\"mcpServers\": {\n  // research\n  " + ours + ", // ours\n  \"b\": 1\n}}", "{\"mcpServers\": {\n  // research\n  // ours\n  \"b\": 1\n}}"},
		{"last of two", "{\"mcpServers\": {\n  \"b\": 1, // b\n  " + ours + "\n}}", "{\"mcpServers\": {\n  \"b\": 1 // b\n}}"},
		{"last of two, with a trailing comma", "{\"mcpServers\": {\n  \"b\": 1,\n  " + ours + ",\n}}", "{\"mcpServers\": {\n  \"b\": 1,\n}}"},
		{"after a comment of the line and before another member", "{\"mcpServers\": { // ours\n" + ours + ", \"b\": 1}}", "{\"mcpServers\": { // ours\n\"b\": 1}}"},
		{"after a comment of the line and before the brace", "{\"mcpServers\": {\"b\": 1, // b\n  " + ours + "}}", "{\"mcpServers\": {\"b\": 1 // b\n  }}"},
		{"a comment before the comma", `{"mcpServers": {` + ours + ` /* x */ , "b": 1}}`, `{"mcpServers": {/* x */ "b": 1}}`},
		{"on one line", `{"mcpServers": {"b": 1, "citeloop": {"command": "citeloop.exe", "args": ["serve"]}}}`, `{"mcpServers": {"b": 1}}`},
		{"not there", "{\"mcpServers\": {}} // none", "{\"mcpServers\": {}} // none"},
		{"no file", "", ""},
	})
	foreign := []byte(`{"mcpServers": {"citeloop": {"command": "npx"}, "b": 1}}`)
	if _, err := client(t, "claude-desktop").Remove(foreign, server.Command, false); !errors.As(err, new(*install.ForeignError)) {
		t.Errorf("another program of our name: %v, want a *ForeignError", err)
	}
	if got, err := client(t, "claude-desktop").Remove(foreign, server.Command, true); err != nil || string(got.Text) != `{"mcpServers": {"b": 1}}` {
		t.Errorf("with force: %s, %v", got.Text, err)
	}
}

// A program with another name is ours if it has our path.
func TestRenamedProgramIsOurs(t *testing.T) {
	renamed := install.Server{Command: `C:\tools\citeloop-1.exe`, Args: []string{"serve"}}
	c := client(t, "claude-desktop")
	added, err := c.Add(nil, renamed, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, got, err := c.Find(added.Text, renamed.Command); got != install.Present || err != nil {
		t.Errorf("Find with its path: %q, %v", got, err)
	}
	if _, got, err := c.Find(added.Text, ""); got != install.Foreign || err != nil {
		t.Errorf("Find without: %q, %v", got, err)
	}
}

// A second installation without flags keeps the flags of the entry.
func TestFlagsAreKept(t *testing.T) {
	for _, name := range []string{"zed", "codex"} {
		c := client(t, name)
		first, err := c.Add(nil, install.Server{Command: "/opt/bin/citeloop", Args: []string{"serve", "--corpus", "/a", "--corpus", "/b", "--log", "info"}}, false)
		if err != nil {
			t.Fatal(err)
		}
		bare := install.Server{Command: "/opt/bin/citeloop", Args: []string{"serve"}}
		if again, err := c.Add(first.Text, bare, false); err != nil || again.Outcome != install.Unchanged {
			t.Errorf("%s, without flags: %d, %v\n%s", name, again.Outcome, err, again.Text)
		}
		bare.Command = "/usr/bin/citeloop"
		moved, err := c.Add(first.Text, bare, false)
		want := []string{"--corpus", "/a", "--corpus", "/b", "--log", "info"}
		if err != nil || moved.Outcome != install.Updated || !slices.Equal(moved.Kept, want) || !strings.Contains(string(moved.Text), `["serve", "--corpus", "/a", "--corpus", "/b", "--log", "info"]`) {
			t.Errorf("%s, moved: %d, kept %q, %v\n%s", name, moved.Outcome, moved.Kept, err, moved.Text)
		}
		bare.Args = append(bare.Args, "--corpus", "/c")
		if other, err := c.Add(first.Text, bare, false); err != nil || !strings.Contains(string(other.Text), `["serve", "--corpus", "/c", "--log", "info"]`) {
			t.Errorf("%s, another folder: %v\n%s", name, err, other.Text)
		}
	}
}

func TestEnablesPlugin(t *testing.T) {
	for text, want := range map[string]bool{
		`{"enabledPlugins": {"citeloop@citeloop": true}} // mine`: true,
		`{"enabledPlugins": {"citeloop@citeloop": false}}`:        false,
		`{"enabledPlugins": {"citeloops@x": true}}`:               false,
		`{"plugins": {"citeloop@citeloop": true}}`:                false,
		`{"enabledPlugins": ["citeloop"]}`:                        false,
		``:                                                        false,
		`{`:                                                       false,
	} {
		if got := install.EnablesPlugin([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
