package install

import "slices"

// Client is a program that starts MCP servers from a configuration file.
type Client struct {
	Name  string // on the command line
	Title string // for people
	Then  string // how the client reads the change, for the user

	format  format
	key     string // the table of the servers
	typed   bool   // entries have "type": "stdio"
	eager   bool   // entries have "alwaysLoad": true, so that tools are listed without a search
	user    places
	project string // file in the project's folder; empty if the client does not have one
}

type format int

const (
	jsonFormat format = iota
	tomlFormat
)

// places are the paths of a client's file by operating system: a base (see Machine.base) and the path below it.
type places struct {
	linux, darwin, windows string
	variable, below        string // a variable that names another folder, and the file in it
	store                  string // on Windows, for the packaged application: used if its folder exists
	mark                   string // a folder that only this client creates; by default that of the file
}

const home = "~"

func everywhere(path string) places { return places{linux: path, darwin: path, windows: path} }

// Clients returns all known clients, sorted by name.
func Clients() []Client {
	claudeCode := everywhere(home + "/.claude.json")
	claudeCode.variable, claudeCode.below, claudeCode.mark = "CLAUDE_CONFIG_DIR", ".claude.json", home+"/.claude"
	codex := everywhere(home + "/.codex/config.toml")
	codex.variable, codex.below = "CODEX_HOME", "config.toml"
	gemini := everywhere(home + "/.gemini/settings.json")
	gemini.variable, gemini.below = "GEMINI_CLI_HOME", ".gemini/settings.json"
	return []Client{
		{
			Name: "claude-code", Title: "Claude Code", Then: "New sessions see it; /mcp shows it.",
			key: "mcpServers", typed: true, eager: true, // since 2.1.121; earlier ones ignore it
			user: claudeCode, project: ".mcp.json",
		},
		{
			Name: "claude-desktop", Title: "Claude Desktop", Then: "Quit and restart Claude Desktop.",
			key: "mcpServers",
			user: places{
				linux:   "config/Claude/claude_desktop_config.json",
				darwin:  "support/Claude/claude_desktop_config.json",
				windows: "appdata/Claude/claude_desktop_config.json",
				store:   "localappdata/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
			},
		},
		{
			Name: "codex", Title: "Codex", Then: "New sessions see it; /mcp shows it.",
			format: tomlFormat, key: "mcp_servers", user: codex, project: ".codex/config.toml",
		},
		{
			Name: "cursor", Title: "Cursor", Then: "Restart Cursor and enable citeloop in its list of MCP servers.",
			key: "mcpServers", typed: true, user: everywhere(home + "/.cursor/mcp.json"), project: ".cursor/mcp.json",
		},
		{
			Name: "gemini-cli", Title: "Gemini CLI", Then: "New sessions see it; /mcp shows it.",
			key: "mcpServers", user: gemini, project: ".gemini/settings.json",
		},
		{
			Name: "vscode", Title: "VS Code", Then: "Run \"MCP: List Servers\" in VS Code to start it.",
			key: "servers", typed: true, project: ".vscode/mcp.json",
			user: places{
				linux:   "config/Code/User/mcp.json",
				darwin:  "support/Code/User/mcp.json",
				windows: "appdata/Code/User/mcp.json",
			},
		},
		{
			Name: "windsurf", Title: "Windsurf", Then: "Refresh the MCP servers in Windsurf, or restart it.",
			key: "mcpServers", user: everywhere(home + "/.codeium/windsurf/mcp_config.json"),
		},
		{
			Name: "zed", Title: "Zed", Then: "Zed sees it at once; the agent panel's settings show it.",
			key: "context_servers", project: ".zed/settings.json",
			user: places{
				linux:   "config/zed/settings.json",
				darwin:  home + "/.config/zed/settings.json",
				windows: "appdata/Zed/settings.json",
			},
		},
	}
}

// Named returns the client with a name.
func Named(name string) (Client, bool) {
	all := Clients()
	i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name })
	if i < 0 {
		return Client{}, false
	}
	return all[i], true
}

// Names returns the names of all clients, sorted.
func Names() []string {
	var names []string
	for _, c := range Clients() {
		names = append(names, c.Name)
	}
	return names
}
