package install_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/cli/install"
)

func TestEditTOML(t *testing.T) {
	ours := "[mcp_servers.citeloop]\ncommand = \"/opt/bin/citeloop\"\nargs = [\"serve\", \"--corpus\", \"/papers\"]\n"
	rows := []struct {
		name, before, after string
		outcome             install.Outcome
		force               bool
	}{
		{"no file yet", "", ours, install.Added, false},
		{"after what is there", "model = \"x\"\n", "model = \"x\"\n\n" + ours, install.Added, false},
		{"no line break at the end", "a = 1 # one", "a = 1 # one\n\n" + ours, install.Added, false},
		{"an empty line at the end", "a = 1\n\n", "a = 1\n\n" + ours, install.Added, false},
		{"line breaks of Windows", "a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(ours, "\n", "\r\n"), install.Added, false},
		{
			"every kind of value", "a = [ # list\n  1, 'two',\n]\nb.\"c d\" = {e = 0x1f, f = [1.5e3]}\ng = \"\"\"\n[mcp_servers.citeloop]\n\"\"\"\nh = '''x''''\ni = 1979-05-27 07:32:00.5Z\n[[j]]\nk = -inf\n",
			"a = [ # list\n  1, 'two',\n]\nb.\"c d\" = {e = 0x1f, f = [1.5e3]}\ng = \"\"\"\n[mcp_servers.citeloop]\n\"\"\"\nh = '''x''''\ni = 1979-05-27 07:32:00.5Z\n[[j]]\nk = -inf\n\n" + ours,
			install.Added, false,
		},
		{
			"an entry of ours keeps what was added to it",
			"[ mcp_servers . \"citeloop\" ] # research\nargs = [\n  'serve', # as always\n]\nstartup_timeout_sec = 20\ncommand = \"citeloop\"\n[mcp_servers.citeloop.env]\nA = \"b\"\n",
			"[ mcp_servers . \"citeloop\" ] # research\nargs = [\"serve\", \"--corpus\", \"/papers\"]\nstartup_timeout_sec = 20\ncommand = \"/opt/bin/citeloop\"\n[mcp_servers.citeloop.env]\nA = \"b\"\n",
			install.Updated, false,
		},
		{"a table over lines, of TOML 1.1", "a = {\n  b = 1, # one\n  c = 'x',\n}\n", "a = {\n  b = 1, # one\n  c = 'x',\n}\n\n" + ours, install.Added, false},
		{"there already", ours + "# end", ours + "# end", install.Unchanged, false},
		{
			"another program of our name, with force",
			"[mcp_servers.citeloop]\ncommand = \"npx\"\n\n# tickets\n[mcp_servers.t]\nurl = \"x\"\n\n[mcp_servers.citeloop.env]\nA = \"b\"\n",
			"\n# tickets\n[mcp_servers.t]\nurl = \"x\"\n\n" + ours, install.Replaced, true,
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := client(t, "codex").Add([]byte(row.before), server, row.force)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.after, string(got.Text)); diff != "" || got.Outcome != row.outcome {
				t.Errorf("Add: outcome %d, want %d (-want +got)\n%s", got.Outcome, row.outcome, diff)
			}
		})
	}
}

func TestRemoveTOML(t *testing.T) {
	ours := "[mcp_servers.citeloop]\ncommand = \"citeloop\"\nargs = [\"serve\"]\n"
	rows := []struct{ name, before, after string }{
		{"the only one", ours, ""},
		{"at the end", "a = 1\n\n" + ours, "a = 1\n"},
		{"in the middle, with its tables", "a = 1\n\n" + ours + "[mcp_servers.citeloop.env]\nA = 'b'\n\n# b\n[b]\n", "a = 1\n\n# b\n[b]\n"},
		{"comments behind it stay", ours + "# mine\n", "# mine\n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := client(t, "codex").Remove([]byte(row.before), "", false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.after, string(got.Text)); diff != "" || got.Outcome != install.Removed {
				t.Errorf("Remove: outcome %d (-want +got)\n%s", got.Outcome, diff)
			}
		})
	}
}

func TestRefusesTOML(t *testing.T) {
	rows := []struct{ name, before, want string }{
		{"JSON", "{\"mcpServers\": {}}", "line 1, column 1: invalid character at start of key"},
		{"no value", "a = \nb = 1", "line 1, column 5: unexpected character U+000A at start of value"},
		{"a text without quotes", "a = yes\n", "line 1, column 5: unexpected character U+0079 'y' at start of value"},
		{"two on a line", "a = 'x' b = 2\n", "line 1, column 9: expected newline"},
		{"an open string", "a = \"x\nb = 1", "line 1, column 7: basic strings cannot have new lines"},
		{"an open list", "a = [1, 2", "line 1, column 9: array is incomplete"},
		{"an open header", "[a\n", "line 1, column 3: expected ']' to close table name"},
		{"an unknown escape", `a = "\q"`, "line 1, column 6: invalid escape character"},
		{"a name over lines", "\"\"\"a\"\"\" = 1", "line 1, column 3: expected '=' after key"},
		{"too deep", "a = " + strings.Repeat("[", 20_000), "nested more than the maximum"},
		{"dotted", "mcp_servers.citeloop.command = \"x\"\n", "write it as a table with a header, [mcp_servers.citeloop]"},
		{"inline", "[mcp_servers]\nciteloop = {command = \"x\"}\n", "write it as a table with a header, [mcp_servers.citeloop]"},
		{"all inline", "mcp_servers = {a = {command = \"x\"}}\n", `it has "mcp_servers" in a form`},
		{"a list of tables", "[[mcp_servers]]\n", `its "mcp_servers" is a list of tables, not a table`},
		{"twice", "[mcp_servers.citeloop]\n[mcp_servers.citeloop]\n", "line 2, column 2: table citeloop already exists"},
		{"another program of our name", "[mcp_servers.citeloop]\nurl = \"https://example.org\"\n", "it is reached at https://example.org"},
		{"arguments that are none", "[mcp_servers.citeloop]\ncommand = \"citeloop\"\nargs = [\"serve\", 1]\n", "was not written by this command"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if got, err := client(t, "codex").Add([]byte(row.before), server, false); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Add: %q, %v, want an error with %q", got.Text, err, row.want)
			}
		})
	}
}
