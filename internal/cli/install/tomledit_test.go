package install_test

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/install"
)

func TestEditTOML(t *testing.T) {
	ours := "[mcp_servers.citeloop]\ncommand = \"/opt/bin/citeloop\"\nargs = [\"serve\", \"--corpus\", \"/papers\"]\n"
	checkAdd(t, server, []edit{
		{"no file yet", "codex", "", ours, install.Added},
		{"after what is there", "codex", "model = \"x\"\n", "model = \"x\"\n\n" + ours, install.Added},
		{"no line break at the end", "codex", "a = 1 # one", "a = 1 # one\n\n" + ours, install.Added},
		{"an empty line at the end", "codex", "a = 1\n\n", "a = 1\n\n" + ours, install.Added},
		{"line breaks of Windows", "codex", "a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(ours, "\n", "\r\n"), install.Added},
		{
			"every kind of value", "codex", "a = [ # list\n  1, 'two',\n]\nb.\"c d\" = {e = 0x1f, f = [1.5e3]}\ng = \"\"\"\n[mcp_servers.citeloop]\n\"\"\"\nh = '''x''''\ni = 1979-05-27 07:32:00.5Z\n[[j]]\nk = -inf\n",
			"a = [ # list\n  1, 'two',\n]\nb.\"c d\" = {e = 0x1f, f = [1.5e3]}\ng = \"\"\"\n[mcp_servers.citeloop]\n\"\"\"\nh = '''x''''\ni = 1979-05-27 07:32:00.5Z\n[[j]]\nk = -inf\n\n" + ours,
			install.Added,
		},
		{
			"an entry of ours keeps what was added to it", "codex",
			"[ mcp_servers . \"citeloop\" ] # research\nargs = [\n  'serve', # as always\n]\nstartup_timeout_sec = 20\ncommand = \"citeloop\"\n[mcp_servers.citeloop.env]\nA = \"b\"\n",
			"[ mcp_servers . \"citeloop\" ] # research\nargs = [\"serve\", \"--corpus\", \"/papers\"]\nstartup_timeout_sec = 20\ncommand = \"/opt/bin/citeloop\"\n[mcp_servers.citeloop.env]\nA = \"b\"\n",
			install.Updated,
		},
		{"a table over lines, of TOML 1.1", "codex", "a = {\n  b = 1, # one\n  c = 'x',\n}\n", "a = {\n  b = 1, # one\n  c = 'x',\n}\n\n" + ours, install.Added},
		{"there already", "codex", ours + "# end", ours + "# end", install.Unchanged},
		{
			"another program of our name, with force", "codex",
			"[mcp_servers.citeloop]\ncommand = \"npx\"\n\n# tickets\n[mcp_servers.t]\nurl = \"x\"\n\n[mcp_servers.citeloop.env]\nA = \"b\"\n",
			"\n# tickets\n[mcp_servers.t]\nurl = \"x\"\n\n" + ours, install.Replaced,
		},
	})
}

func TestRemoveTOML(t *testing.T) {
	ours := "[mcp_servers.citeloop]\ncommand = \"citeloop\"\nargs = [\"serve\"]\n"
	checkRemove(t, "codex", []removal{
		{"the only one", ours, ""},
		{"at the end", "a = 1\n\n" + ours, "a = 1\n"},
		{"in the middle, with its tables", "a = 1\n\n" + ours + "[mcp_servers.citeloop.env]\nA = 'b'\n\n# b\n[b]\n", "a = 1\n\n# b\n[b]\n"},
		{"comments behind it stay", ours + "# mine\n", "# mine\n"},
	})
}

func TestRefusesTOML(t *testing.T) {
	checkRefusals(t, server, "codex", []refusal{
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
	})
}
