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

func TestAddJSON(t *testing.T) {
	rows := []struct {
		name, client, before, after string
		outcome                     install.Outcome
		force                       bool
	}{
		{
			name: "no file yet", client: "claude-code",
			after: `{
  "mcpServers": {
    "citeloop": {
      "type": "stdio",
      "command": "/opt/bin/citeloop",
      "args": ["serve", "--corpus", "/papers"],
      "alwaysLoad": true
    }
  }
}
`, outcome: install.Added,
		},
		{
			name: "an empty object", client: "claude-desktop", before: "{}\n",
			after: `{
  "mcpServers": {
    "citeloop": {
      "command": "/opt/bin/citeloop",
      "args": ["serve", "--corpus", "/papers"]
    }
  }
}
`, outcome: install.Added,
		},
		{
			name: "only comments", client: "zed", before: "// Zed settings\n// see the docs",
			after: `// Zed settings
// see the docs
{
  "context_servers": {
    "citeloop": {
      "command": "/opt/bin/citeloop",
      "args": ["serve", "--corpus", "/papers"]
    }
  }
}
`, outcome: install.Added,
		},
		{
			name: "comments, four spaces, a trailing comma", client: "vscode",
			before: `{
    // mine
    "inputs": [], /* none yet */
    "servers": {
        "other": {"command": "npx", "args": ["-y", "x",],}, // the other
        // "old": {}
    },
}
`,
			after: `{
    // mine
    "inputs": [], /* none yet */
    "servers": {
        "other": {"command": "npx", "args": ["-y", "x",],}, // the other
        // "old": {}
        "citeloop": {
            "type": "stdio",
            "command": "/opt/bin/citeloop",
            "args": ["serve", "--corpus", "/papers"]
        },
    },
}
`, outcome: install.Added,
		},
		{
			name: "tabs and line breaks of Windows, and no servers yet", client: "gemini-cli",
			before: "\xef\xbb\xbf{\r\n\t\"theme\": \"dark\" // like the night\r\n}\r\n",
			after: "\xef\xbb\xbf{\r\n\t\"theme\": \"dark\", // like the night\r\n\t\"mcpServers\": {\r\n\t\t\"citeloop\": {\r\n\t\t\t\"command\": \"/opt/bin/citeloop\",\r\n" +
				"\t\t\t\"args\": [\"serve\", \"--corpus\", \"/papers\"]\r\n\t\t}\r\n\t}\r\n}\r\n",
			outcome: install.Added,
		},
		{
			name: "all on one line", client: "cursor", before: `{"mcpServers": {"other": {"url": "https://example.org/mcp"}}}`,
			after:   `{"mcpServers": {"other": {"url": "https://example.org/mcp"}, "citeloop": {"type": "stdio", "command": "/opt/bin/citeloop", "args": ["serve", "--corpus", "/papers"]}}}`,
			outcome: install.Added,
		},
		{
			name: "a name with escapes is the same name", client: "windsurf", before: "{\"mcp\\u0053ervers\": {}}",
			after: `{"mcp\u0053ervers": {
  "citeloop": {
    "command": "/opt/bin/citeloop",
    "args": ["serve", "--corpus", "/papers"]
  }
}}`, outcome: install.Added,
		},
		{
			name: "what the user wrote by hand is ours; env, comments and flags that are not given stay", client: "claude-desktop",
			before: `{
  "mcpServers": {
    "citeloop": {
      "command": "citeloop", // on the PATH
      "args": ["serve",
        "--data", "/old"],
      "env": {"CITELOOP_CONTACT": "you@example.org"}
    }
  }
}`,
			after: `{
  "mcpServers": {
    "citeloop": {
      "command": "/opt/bin/citeloop", // on the PATH
      "args": ["serve", "--corpus", "/papers", "--data", "/old"],
      "env": {"CITELOOP_CONTACT": "you@example.org"}
    }
  }
}`, outcome: install.Updated,
		},
		{
			name: "an earlier version did not set alwaysLoad", client: "claude-code",
			before:  `{"mcpServers": {"citeloop": {"command": "citeloop", "args": ["serve"]}}}`,
			after:   `{"mcpServers": {"citeloop": {"command": "/opt/bin/citeloop", "args": ["serve", "--corpus", "/papers"], "alwaysLoad": true}}}`,
			outcome: install.Updated,
		},
		{
			name: "the user set alwaysLoad", client: "claude-code",
			before:  `{"mcpServers": {"citeloop": {"alwaysLoad": false, "command": "/opt/bin/citeloop", "args": ["serve", "--corpus", "/papers"]}}}`,
			after:   `{"mcpServers": {"citeloop": {"alwaysLoad": false, "command": "/opt/bin/citeloop", "args": ["serve", "--corpus", "/papers"]}}}`,
			outcome: install.Unchanged,
		},
		{
			name: "there already", client: "cursor",
			before:  `{"mcpServers": {"citeloop": {"args": ["serve", "--corpus", "/papers",], "command": "/opt/bin/citeloop", "disabled": true}}} // off`,
			after:   `{"mcpServers": {"citeloop": {"args": ["serve", "--corpus", "/papers",], "command": "/opt/bin/citeloop", "disabled": true}}} // off`,
			outcome: install.Unchanged,
		},
		{
			name: "another program of our name, with force", client: "windsurf", force: true,
			before:  `{"mcpServers": {"citeloop": {"command": "npx", "args": ["citeloop"]}, "b": 1}}`,
			after:   `{"mcpServers": {"b": 1, "citeloop": {"command": "/opt/bin/citeloop", "args": ["serve", "--corpus", "/papers"]}}}`,
			outcome: install.Replaced,
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			c := client(t, row.client)
			got, err := c.Add([]byte(row.before), server, row.force)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.after, string(got.Text)); diff != "" || got.Outcome != row.outcome {
				t.Errorf("Add: outcome %d, want %d (-want +got)\n%s", got.Outcome, row.outcome, diff)
			}
			again, err := c.Add(got.Text, server, row.force)
			if err != nil || again.Outcome != install.Unchanged || string(again.Text) != string(got.Text) {
				t.Errorf("a second Add: outcome %d, %v, and the text changed: %t", again.Outcome, err, string(again.Text) != string(got.Text))
			}
		})
	}
}

func TestAddRefusesJSON(t *testing.T) {
	rows := []struct{ name, before, want string }{
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
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			c := client(t, "claude-desktop")
			got, err := c.Add([]byte(row.before), server, false)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Add: %q, %v, want an error with %q", got.Text, err, row.want)
			}
		})
	}
}

func TestRemoveJSON(t *testing.T) {
	rows := []struct {
		name, before, after string
		outcome             install.Outcome
		force               bool
	}{
		{name: "no file", outcome: install.Unchanged},
		{name: "not there", before: "{\"mcpServers\": {}} // none", after: "{\"mcpServers\": {}} // none", outcome: install.Unchanged},
		{
			name: "the only one", outcome: install.Removed,
			before: "{\n  \"mcpServers\": {\n    \"citeloop\": {\"command\": \"citeloop\", \"args\": [\"serve\"]}\n  }\n}\n",
			after:  "{\n  \"mcpServers\": {}\n}\n",
		},
		{
			name: "first of two, with a comment of its own", outcome: install.Removed,
			before: "{\"mcpServers\": {\n  // research\n  \"citeloop\": {\"command\": \"citeloop\", \"args\": [\"serve\"]}, // ours\n  \"b\": 1\n}}",
			after:  "{\"mcpServers\": {\n  // research\n  // ours\n  \"b\": 1\n}}",
		},
		{
			name: "last of two", outcome: install.Removed,
			before: "{\"mcpServers\": {\n  \"b\": 1, // b\n  \"citeloop\": {\"command\": \"citeloop\", \"args\": [\"serve\"]}\n}}",
			after:  "{\"mcpServers\": {\n  \"b\": 1 // b\n}}",
		},
		{
			name: "last of two, with a trailing comma", outcome: install.Removed,
			before: "{\"mcpServers\": {\n  \"b\": 1,\n  \"citeloop\": {\"command\": \"citeloop\", \"args\": [\"serve\"]},\n}}",
			after:  "{\"mcpServers\": {\n  \"b\": 1,\n}}",
		},
		{
			name: "after a comment of the line and before another member", outcome: install.Removed,
			before: "{\"mcpServers\": { // ours\n\"citeloop\": {\"command\": \"citeloop\", \"args\": [\"serve\"]}, \"b\": 1}}",
			after:  "{\"mcpServers\": { // ours\n\"b\": 1}}",
		},
		{
			name: "after a comment of the line and before the brace", outcome: install.Removed,
			before: "{\"mcpServers\": {\"b\": 1, // b\n  \"citeloop\": {\"command\": \"citeloop\", \"args\": [\"serve\"]}}}",
			after:  "{\"mcpServers\": {\"b\": 1 // b\n  }}",
		},
		{
			name: "a comment before the comma", outcome: install.Removed,
			before: `{"mcpServers": {"citeloop": {"command": "citeloop", "args": ["serve"]} /* x */ , "b": 1}}`,
			after:  `{"mcpServers": {/* x */ "b": 1}}`,
		},
		{
			name: "on one line", outcome: install.Removed,
			before: `{"mcpServers": {"b": 1, "citeloop": {"command": "citeloop.exe", "args": ["serve"]}}}`,
			after:  `{"mcpServers": {"b": 1}}`,
		},
		{
			name: "another program of our name, with force", outcome: install.Removed, force: true,
			before: `{"mcpServers": {"citeloop": {"command": "npx"}, "b": 1}}`,
			after:  `{"mcpServers": {"b": 1}}`,
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := client(t, "claude-desktop").Remove([]byte(row.before), server.Command, row.force)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.after, string(got.Text)); diff != "" || got.Outcome != row.outcome {
				t.Errorf("Remove: outcome %d, want %d (-want +got)\n%s", got.Outcome, row.outcome, diff)
			}
		})
	}
	t.Run("another program of our name", func(t *testing.T) {
		_, err := client(t, "claude-desktop").Remove([]byte(`{"mcpServers": {"citeloop": {"command": "npx"}}}`), server.Command, false)
		var foreign *install.ForeignError
		if !errors.As(err, &foreign) {
			t.Errorf("Remove: %v, want a *ForeignError", err)
		}
	})
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
		first, err := c.Add(nil, install.Server{Command: "/opt/bin/citeloop", Args: []string{"serve", "--corpus", "/a", "--corpus", "/b", "--read-only", "--log", "info"}}, false)
		if err != nil {
			t.Fatal(err)
		}
		bare := install.Server{Command: "/opt/bin/citeloop", Args: []string{"serve"}}
		if again, err := c.Add(first.Text, bare, false); err != nil || again.Outcome != install.Unchanged {
			t.Errorf("%s, without flags: %d, %v\n%s", name, again.Outcome, err, again.Text)
		}
		bare.Command = "/usr/bin/citeloop"
		moved, err := c.Add(first.Text, bare, false)
		want := []string{"--corpus", "/a", "--corpus", "/b", "--read-only", "--log", "info"}
		if err != nil || moved.Outcome != install.Updated || !slices.Equal(moved.Kept, want) || !strings.Contains(string(moved.Text), `["serve", "--corpus", "/a", "--corpus", "/b", "--read-only", "--log", "info"]`) {
			t.Errorf("%s, moved: %d, kept %q, %v\n%s", name, moved.Outcome, moved.Kept, err, moved.Text)
		}
		bare.Args = append(bare.Args, "--corpus", "/c")
		if other, err := c.Add(first.Text, bare, false); err != nil || !strings.Contains(string(other.Text), `["serve", "--corpus", "/c", "--read-only", "--log", "info"]`) {
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
