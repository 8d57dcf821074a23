// Package install adds citeloop to the configuration of MCP clients and removes it. Clients that have a command for it are asked to
// do it themselves. Of the others, and where the entry is there already, it edits the JSON file, in which comments and all other members
// stay.
package install

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
)

// name is the name of our entry in every client.
const name = "citeloop"

// Server is how a client starts citeloop.
type Server struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// client is a program that starts MCP servers.
type client struct {
	name  string // on the command line
	title string
	then  string // what the user does to see the change

	program     string // the client's command that changes its configuration; empty: it has none
	add, remove string // its arguments: see [client.adding]
	key         string // table of the servers in the client's file
	members     map[string]any

	home     string // path of the file below the home folder, or
	config   string // below the folder of the system for configuration
	variable string // environment variable that names another folder than the home folder; of Codex, than .codex
}

// clients are all known clients, sorted by name.
func clients() []client {
	typed := map[string]any{"type": "stdio"}
	return []client{
		// alwaysLoad lists the tools without a search, since 2.1.121; earlier versions ignore it.
		{name: "claude-code", title: "Claude Code", then: "New sessions see it; /mcp shows it.", program: "claude",
			add: "mcp add-json --scope user citeloop ENTRY", remove: "mcp remove --scope user citeloop", key: "mcpServers",
			members: map[string]any{"type": "stdio", "alwaysLoad": true}, home: ".claude.json", variable: "CLAUDE_CONFIG_DIR"},
		{name: "claude-desktop", title: "Claude Desktop", then: "Quit and restart Claude Desktop.", key: "mcpServers",
			config: "Claude/claude_desktop_config.json"},
		{name: "codex", title: "Codex", then: "New sessions see it; /mcp shows it.", program: "codex",
			add: "mcp add citeloop --env=VARIABLES -- COMMAND", remove: "mcp remove citeloop", key: "mcp_servers",
			home: ".codex/config.toml", variable: "CODEX_HOME"},
		{name: "cursor", title: "Cursor", then: "Restart Cursor and enable citeloop in its list of MCP servers.", key: "mcpServers",
			members: typed, home: ".cursor/mcp.json"},
		{name: "gemini-cli", title: "Gemini CLI", then: "New sessions see it; /mcp shows it.", program: "gemini",
			add: "mcp add --scope user citeloop PROGRAM -- ARGUMENTS", remove: "mcp remove --scope user citeloop",
			key: "mcpServers", home: ".gemini/settings.json", variable: "GEMINI_CLI_HOME"},
		{name: "vscode", title: "VS Code", then: "Run \"MCP: List Servers\" in VS Code to start it.", program: "code",
			add: "--add-mcp NAMED", key: "servers", members: typed, config: "Code/User/mcp.json"},
		{name: "windsurf", title: "Windsurf", then: "Refresh the MCP servers in Windsurf, or restart it.", key: "mcpServers",
			home: ".codeium/windsurf/mcp_config.json"},
		{name: "zed", title: "Zed", then: "Zed sees it at once.", key: "context_servers", config: "zed/settings.json"},
	}
}

// toml reports whether the client's file is TOML, which only its own command edits.
func (c client) toml() bool { return path.Ext(c.home) == ".toml" }

// names returns the names of all clients, sorted.
func names() (out []string) {
	for _, c := range clients() {
		out = append(out, c.name)
	}
	return out
}

// named returns the client with one of the names.
func named(name string) client { return clients()[slices.Index(names(), name)] }

// file returns the path of the client's file on a system, which is a value of runtime.GOOS.
func (c client) file(system string, env func(string) string, exists func(string) bool) (string, error) {
	slashed := func(name string) string { return strings.ReplaceAll(env(name), `\`, "/") }
	home, dir := cmp.Or(slashed("USERPROFILE"), slashed("HOME")), slashed(c.variable)
	switch {
	case home == "":
		return "", errors.New("missing HOME: set it to your home folder")
	case c.toml() && dir != "":
		return path.Join(dir, path.Base(c.home)), nil
	case c.config == "":
		return path.Join(cmp.Or(dir, home), c.home), nil
	case system == "windows":
		// The packaged Claude Desktop has a folder of its own.
		own := cmp.Or(slashed("LOCALAPPDATA"), home+"/AppData/Local") + "/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude"
		if c.name == "claude-desktop" && exists(own) {
			return own + "/claude_desktop_config.json", nil
		}
		return path.Join(cmp.Or(slashed("APPDATA"), home+"/AppData/Roaming"), c.config), nil
	case system == "darwin" && c.name != "zed":
		return path.Join(home, "Library/Application Support", c.config), nil
	}
	return path.Join(cmp.Or(env("XDG_CONFIG_HOME"), home+"/.config"), c.config), nil
}

// adding returns the arguments of the client's own command that add the server: those of add, with the server in place of words in
// capitals.
func (c client) adding(s Server) (args []string) {
	for _, word := range strings.Fields(c.add) {
		flag, variables := strings.CutSuffix(word, "=VARIABLES")
		switch {
		case variables:
			for _, name := range slices.Sorted(maps.Keys(s.Env)) {
				args = append(args, flag, name+"="+s.Env[name])
			}
		case word == "ENTRY":
			args = append(args, marshal(c.merged(nil, s)))
		case word == "NAMED":
			args = append(args, marshal(struct {
				Name string `json:"name"`
				Server
			}{name, s}))
		case word == "COMMAND":
			args = append(append(args, s.Command), s.Args...)
		case word == "PROGRAM":
			args = append(args, s.Command)
		case word == "ARGUMENTS":
			args = append(args, s.Args...)
		default:
			args = append(args, word)
		}
	}
	return args
}

func marshal(v any) string {
	body, _ := json.Marshal(v) // strings, lists and truth values
	return string(body)
}
