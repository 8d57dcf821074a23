package install_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/cli/install"
)

// machine returns a machine with the given environment and files.
func machine(os string, env map[string]string, files ...string) install.Machine {
	dir := "/src/project"
	if os == "windows" {
		dir = `C:\src\project`
	}
	return install.Machine{
		OS: os, Dir: dir,
		Env:    func(name string) string { return env[name] },
		Exists: func(path string) bool { return slices.Contains(files, path) },
	}
}

var homes = map[string]map[string]string{
	"linux":   {"HOME": "/home/anna"},
	"freebsd": {"HOME": "/home/anna"},
	"darwin":  {"HOME": "/Users/anna"},
	"windows": {"USERPROFILE": `C:\Users\anna`, "HOME": "/not/this"},
}

func TestPathFollowsTheEnvironment(t *testing.T) {
	store := `C:\Users\anna\AppData\Local\Packages\Claude_pzs8sxrjxfjjc\LocalCache\Roaming\Claude`
	rows := []struct {
		name, client, os string
		env              map[string]string
		files            []string
		want             string
	}{
		{name: "Linux", client: "vscode", os: "linux", want: "/home/anna/.config/Code/User/mcp.json"},
		{name: "another Unix", client: "vscode", os: "freebsd", want: "/home/anna/.config/Code/User/mcp.json"},
		{name: "macOS", client: "vscode", os: "darwin", want: "/Users/anna/Library/Application Support/Code/User/mcp.json"},
		{name: "Windows", client: "vscode", os: "windows", want: `C:\Users\anna\AppData\Roaming\Code\User\mcp.json`},
		{name: "a home on Windows", client: "codex", os: "windows", want: `C:\Users\anna\.codex\config.toml`},
		{name: "XDG", client: "vscode", os: "linux", env: map[string]string{"XDG_CONFIG_HOME": "/etc/anna/"}, want: "/etc/anna/Code/User/mcp.json"},
		{name: "a relative XDG counts for nothing", client: "zed", os: "linux", env: map[string]string{"XDG_CONFIG_HOME": "conf"}, want: "/home/anna/.config/zed/settings.json"},
		{name: "macOS does not follow XDG", client: "zed", os: "darwin", env: map[string]string{"XDG_CONFIG_HOME": "/etc/anna"}, want: "/Users/anna/.config/zed/settings.json"},
		{name: "a folder of Claude Code's own", client: "claude-code", os: "linux", env: map[string]string{"CLAUDE_CONFIG_DIR": "/srv/claude"}, want: "/srv/claude/.claude.json"},
		{name: "a folder of Codex's own", client: "codex", os: "windows", env: map[string]string{"CODEX_HOME": `D:\codex`}, want: `D:\codex\config.toml`},
		{name: "another home of Gemini's", client: "gemini-cli", os: "darwin", env: map[string]string{"GEMINI_CLI_HOME": "/g"}, want: "/g/.gemini/settings.json"},
		{name: "another folder for applications", client: "claude-desktop", os: "windows", env: map[string]string{"APPDATA": `\\server\anna`}, want: `\\server\anna\Claude\claude_desktop_config.json`},
		{name: "the packaged Claude Desktop", client: "claude-desktop", os: "windows", files: []string{store}, want: store + `\claude_desktop_config.json`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			env := map[string]string{}
			for k, v := range homes[row.os] {
				env[k] = v
			}
			for k, v := range row.env {
				env[k] = v
			}
			got, err := client(t, row.client).Path(machine(row.os, env, row.files...), install.User)
			if err != nil || got != row.want {
				t.Errorf("Path = %q, %v, want %q", got, err, row.want)
			}
		})
	}
}

func TestPathRefuses(t *testing.T) {
	rows := []struct {
		name, client string
		m            install.Machine
		scope        install.Scope
		want         string
	}{
		{"no home", "cursor", machine("linux", nil), install.User, "missing or relative HOME"},
		{"no home on Windows", "cursor", machine("windows", map[string]string{"HOME": "/c/anna"}), install.User, "missing or relative USERPROFILE"},
		{"no file in a project", "windsurf", machine("linux", homes["linux"]), install.Project, "Windsurf has no project configuration; use --scope user"},
		{"another scope", "cursor", machine("linux", homes["linux"]), "local", `unknown scope "local": use user or project`},
	}
	for _, row := range rows {
		if got, err := client(t, row.client).Path(row.m, row.scope); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: Path = %q, %v, want an error with %q", row.name, got, err, row.want)
		}
	}
}

func TestFound(t *testing.T) {
	rows := []struct {
		name, client string
		files        []string
		want         bool
	}{
		{"nothing", "cursor", nil, false},
		{"its folder", "cursor", []string{"/home/anna/.cursor"}, true},
		{"its file in a folder of everybody", "claude-code", []string{"/home/anna/.claude.json"}, true},
		{"the folder of everybody is no sign", "claude-code", []string{"/home/anna"}, false},
		{"its other folder", "claude-code", []string{"/home/anna/.claude"}, true},
	}
	for _, row := range rows {
		if got := client(t, row.client).Found(machine("linux", homes["linux"], row.files...)); got != row.want {
			t.Errorf("%s: Found = %t, want %t", row.name, got, row.want)
		}
	}
}

// The entries for each client, in their documented form.
func TestSnippet(t *testing.T) {
	typed := `{
  "KEY": {
    "citeloop": {
      "type": "stdio",
      "command": "C:\\bin\\citeloop.exe",
      "args": ["serve", "--corpus", "C:\\R&D \"x\""]
    }
  }
}
`
	plain := strings.Replace(typed, "      \"type\": \"stdio\",\n", "", 1)
	want := map[string]string{
		"claude-code":    strings.NewReplacer("KEY", "mcpServers", "\"\"]\n", "\"\"],\n      \"alwaysLoad\": true\n").Replace(typed),
		"claude-desktop": strings.Replace(plain, "KEY", "mcpServers", 1),
		"codex":          "[mcp_servers.citeloop]\ncommand = \"C:\\\\bin\\\\citeloop.exe\"\nargs = [\"serve\", \"--corpus\", \"C:\\\\R&D \\\"x\\\"\"]\n",
		"cursor":         strings.Replace(typed, "KEY", "mcpServers", 1),
		"gemini-cli":     strings.Replace(plain, "KEY", "mcpServers", 1),
		"vscode":         strings.Replace(typed, "KEY", "servers", 1),
		"windsurf":       strings.Replace(plain, "KEY", "mcpServers", 1),
		"zed":            strings.Replace(plain, "KEY", "context_servers", 1),
	}
	got := map[string]string{}
	for _, c := range install.Clients() {
		text, err := c.Snippet(install.Server{Command: `C:\bin\citeloop.exe`, Args: []string{"serve", "--corpus", `C:\R&D "x"`}})
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		got[c.Name] = text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("snippets (-want +got)\n%s", diff)
	}
	if text, err := client(t, "cursor").Snippet(install.Server{Command: "/a\xff/citeloop", Args: []string{"serve"}}); err == nil || !strings.Contains(err.Error(), "not in UTF-8") {
		t.Errorf("a path of other bytes: %q, %v, want an error", text, err)
	}
}
