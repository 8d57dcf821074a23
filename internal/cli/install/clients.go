// Package install adds citeloop to the configuration of MCP clients and removes it. Clients that have a command for it are asked to
// do it themselves. Of the others, it edits the JSON file, in which comments and all other members stay.
package install

import (
	"cmp"
	"encoding/json"
	"fmt"
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

	program string // the client's command that changes its configuration; empty: it has none
	key     string // table of the servers in the client's file
	toml    bool   // the file is TOML, which only the client's own command edits
	members map[string]any

	home     string // path of the file below the home folder, or
	config   string // below the folder of the system for configuration
	variable string // environment variable that names another folder than that of home
}

// clients are all known clients, sorted by name.
func clients() []client {
	typed := map[string]any{"type": "stdio"}
	return []client{
		// alwaysLoad lists the tools without a search, since 2.1.121; earlier versions ignore it.
		{name: "claude-code", title: "Claude Code", then: "New sessions see it; /mcp shows it.", program: "claude", key: "mcpServers",
			members: map[string]any{"type": "stdio", "alwaysLoad": true}, home: ".claude.json", variable: "CLAUDE_CONFIG_DIR"},
		{name: "claude-desktop", title: "Claude Desktop", then: "Quit and restart Claude Desktop.", key: "mcpServers",
			config: "Claude/claude_desktop_config.json"},
		{name: "codex", title: "Codex", then: "New sessions see it; /mcp shows it.", program: "codex", key: "mcp_servers", toml: true,
			home: ".codex/config.toml", variable: "CODEX_HOME"},
		{name: "cursor", title: "Cursor", then: "Restart Cursor and enable citeloop in its list of MCP servers.", key: "mcpServers",
			members: typed, home: ".cursor/mcp.json"},
		{name: "gemini-cli", title: "Gemini CLI", then: "New sessions see it; /mcp shows it.", program: "gemini", key: "mcpServers",
			home: ".gemini/settings.json", variable: "GEMINI_CLI_HOME"},
		{name: "vscode", title: "VS Code", then: "Run \"MCP: List Servers\" in VS Code to start it.", program: "code", key: "servers",
			members: typed, config: "Code/User/mcp.json"},
		{name: "windsurf", title: "Windsurf", then: "Refresh the MCP servers in Windsurf, or restart it.", key: "mcpServers",
			home: ".codeium/windsurf/mcp_config.json"},
		{name: "zed", title: "Zed", then: "Zed sees it at once.", key: "context_servers", config: "zed/settings.json"},
	}
}

// Names returns the names of all clients, sorted.
func Names() []string {
	var names []string
	for _, c := range clients() {
		names = append(names, c.name)
	}
	return names
}

// named returns the client with a name.
func named(name string) (client, bool) {
	for _, c := range clients() {
		if c.name == name {
			return c, true
		}
	}
	return client{}, false
}

// file returns the path of the client's file on a system, which is a value of runtime.GOOS.
func (c client) file(system string, env func(string) string, exists func(string) bool) (string, error) {
	variable := "HOME"
	if system == "windows" {
		variable = "USERPROFILE"
	}
	slashed := func(name string) string { return strings.ReplaceAll(env(name), `\`, "/") }
	home := slashed(variable)
	dir := slashed(c.variable)
	switch {
	case home == "":
		return "", fmt.Errorf("missing %s: set it to your home folder", variable)
	case c.config == "" && dir == "":
		return path.Join(home, c.home), nil
	case c.config == "" && c.name == "gemini-cli": // the folder that has .gemini
		return path.Join(dir, c.home), nil
	case c.config == "":
		return path.Join(dir, path.Base(c.home)), nil
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

// adding returns the arguments of the client's own command that add the server.
func (c client) adding(s Server) []string {
	switch c.name {
	case "claude-code":
		return []string{"mcp", "add-json", "--scope", "user", name, c.entry(s)}
	case "vscode":
		body, _ := json.Marshal(struct {
			Name string `json:"name"`
			Server
		}{name, s}) // strings alone
		return []string{"--add-mcp", string(body)}
	}
	args, flag := []string{"mcp", "add"}, "--env"
	if c.name == "gemini-cli" {
		args, flag = append(args, "--scope", "user"), "-e"
	} else {
		args = append(args, name)
	}
	for _, variable := range slices.Sorted(maps.Keys(s.Env)) {
		args = append(args, flag, variable+"="+s.Env[variable])
	}
	if c.name == "gemini-cli" {
		return append(append(args, name, s.Command, "--"), s.Args...)
	}
	return append(append(args, "--", s.Command), s.Args...)
}

// removing returns the arguments of the client's own command that remove the server; nil if it has none.
func (c client) removing() []string {
	switch c.name {
	case "claude-code", "gemini-cli":
		return []string{"mcp", "remove", "--scope", "user", name}
	case "codex":
		return []string{"mcp", "remove", name}
	}
	return nil
}

// entry returns the value of our entry in the client's file, as JSON.
func (c client) entry(s Server) string {
	body, _ := json.Marshal(c.merged(nil, s)) // strings, lists and truth values
	return string(body)
}

// snippet returns what adds our entry by hand: the text of a file, or a command.
func (c client) snippet(s Server) (string, error) {
	if c.toml {
		return shell(c.program, c.adding(s)) + "\n", nil
	}
	text, err := addEntry(nil, c, s)
	return string(text), err
}
