package install

import "slices"

// Client is a program that starts MCP servers from a configuration file.
type Client struct {
	Name  string // as the command line takes it
	Title string // as people call it
	Then  string // what makes it see a change

	format  format
	key     string // the table that holds the servers
	typed   bool   // an entry says "type": "stdio"
	eager   bool   // an entry says "alwaysLoad": true, so that its tools are not found by a search first
	user    places
	project string // in the project's folder; empty where the client has no such file
}

type format int

const (
	jsonFormat format = iota
	tomlFormat
)

// places are where a client's file lies, by operating system: a base (see Machine.base) and what is below it.
type places struct {
	linux, darwin, windows string
	variable, below        string // a variable that names another folder, and the file in it
	store                  string // on Windows, for the packaged application: used where its folder is there
	mark                   string // a folder that only this client makes; the file's own folder if empty
}

const home = "~"

func everywhere(path string) places { return places{linux: path, darwin: path, windows: path} }

// Clients are all that are known, sorted by name.
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

// Named is the client of a name.
func Named(name string) (Client, bool) {
	all := Clients()
	i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name })
	if i < 0 {
		return Client{}, false
	}
	return all[i], true
}

// Names of all clients, sorted.
func Names() []string {
	var names []string
	for _, c := range Clients() {
		names = append(names, c.Name)
	}
	return names
}
