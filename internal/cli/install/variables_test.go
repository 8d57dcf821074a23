package install_test

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/install"
)

func TestVariables(t *testing.T) {
	const (
		jsonOurs = "{\n  \"mcpServers\": {\n    \"citeloop\": {\n      \"command\": \"/opt/bin/citeloop\",\n      \"args\": [\"serve\"]ENV\n    }\n  }\n}\n"
		tomlOurs = "[mcp_servers.citeloop]\ncommand = \"/opt/bin/citeloop\"\nargs = [\"serve\"]\n"
		jsonEnv  = ",\n      \"env\": {\n        \"CITELOOP_BROWSER\": \"chrome \\\"1\\\"\",\n        \"CITELOOP_CONTACT\": \"you@example.org\"\n      }"
		tomlEnv  = "\n[mcp_servers.citeloop.env]\nCITELOOP_BROWSER = \"chrome \\\"1\\\"\"\nCITELOOP_CONTACT = \"you@example.org\"\n"
	)
	with := func(env string) string { return strings.Replace(jsonOurs, "ENV", env, 1) }
	server := install.Server{Command: "/opt/bin/citeloop", Args: []string{"serve"}, Env: []install.Variable{{Name: "CITELOOP_BROWSER", Value: `chrome "1"`}, {Name: "CITELOOP_CONTACT", Value: "you@example.org"}}}
	checkAdd(t, server, []edit{
		{"JSON, a new file", "windsurf", "", with(jsonEnv), install.Added},
		{"JSON, an entry without", "windsurf", with(""), with(jsonEnv), install.Updated},
		{"JSON, there already", "windsurf", with(jsonEnv), with(jsonEnv), install.Unchanged},
		{"JSON, among others and comments", "windsurf",
			with(",\n      \"env\": {\n        \"A\": \"b\", // mine\n        \"CITELOOP_BROWSER\": \"off\" // not now\n      }"),
			with(",\n      \"env\": {\n        \"A\": \"b\", // mine\n        \"CITELOOP_BROWSER\": \"chrome \\\"1\\\"\", // not now\n        \"CITELOOP_CONTACT\": \"you@example.org\"\n      }"), install.Updated},
		{"JSON, one that is no text", "windsurf", with(`, "env": {"CITELOOP_BROWSER": 1, "CITELOOP_CONTACT": "you@example.org"}`), with(`, "env": {"CITELOOP_BROWSER": "chrome \"1\"", "CITELOOP_CONTACT": "you@example.org"}`), install.Updated},
		{"TOML, a new file", "codex", "", tomlOurs + tomlEnv, install.Added},
		{"TOML, an entry without, before another table", "codex", tomlOurs + "\n[b]\nc = 1\n", tomlOurs + tomlEnv + "\n[b]\nc = 1\n", install.Updated},
		{"TOML, there already", "codex", tomlOurs + tomlEnv, tomlOurs + tomlEnv, install.Unchanged},
		{"TOML, among others", "codex", tomlOurs + "[mcp_servers.citeloop.env]\nA = 'b'\nCITELOOP_BROWSER = 'off' # not now", tomlOurs + "[mcp_servers.citeloop.env]\nA = 'b'\nCITELOOP_BROWSER = \"chrome \\\"1\\\"\" # not now\nCITELOOP_CONTACT = \"you@example.org\"\n", install.Updated},
		{"TOML, line breaks of Windows", "codex", strings.ReplaceAll(tomlOurs, "\n", "\r\n"), strings.ReplaceAll(tomlOurs+tomlEnv, "\n", "\r\n"), install.Updated},
	})
	checkRefusals(t, server, "windsurf", []refusal{
		{"no object", with(`, "env": ["A=b"]`), `its "mcpServers.citeloop.env" is not an object`},
		{"twice", with(`, "env": {}, "env": {}`), `has "mcpServers.citeloop.env" 2 times`},
		{"a name twice", with(`, "env": {"CITELOOP_BROWSER": "", "CITELOOP_BROWSER": ""}`), `has "mcpServers.citeloop.env.CITELOOP_BROWSER" 2 times`},
	})
	checkRefusals(t, server, "codex", []refusal{
		{"an inline one", tomlOurs + "env = {A = 'b'}\n", "in a form that this command does not edit"},
		{"dotted names", tomlOurs + "env.A = 'b'\n", "in a form that this command does not edit"},
		{"a value of no letter", "\xff", "UTF-8"},
	})
}
