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

func TestPath(t *testing.T) {
	type row struct{ linux, darwin, windows, project string }
	want := map[string]row{
		"claude-code":    {"/home/anna/.claude.json", "/Users/anna/.claude.json", `C:\Users\anna\.claude.json`, ".mcp.json"},
		"claude-desktop": {"/home/anna/.config/Claude/claude_desktop_config.json", "/Users/anna/Library/Application Support/Claude/claude_desktop_config.json", `C:\Users\anna\AppData\Roaming\Claude\claude_desktop_config.json`, ""},
		"codex":          {"/home/anna/.codex/config.toml", "/Users/anna/.codex/config.toml", `C:\Users\anna\.codex\config.toml`, ".codex/config.toml"},
		"cursor":         {"/home/anna/.cursor/mcp.json", "/Users/anna/.cursor/mcp.json", `C:\Users\anna\.cursor\mcp.json`, ".cursor/mcp.json"},
		"gemini-cli":     {"/home/anna/.gemini/settings.json", "/Users/anna/.gemini/settings.json", `C:\Users\anna\.gemini\settings.json`, ".gemini/settings.json"},
		"vscode":         {"/home/anna/.config/Code/User/mcp.json", "/Users/anna/Library/Application Support/Code/User/mcp.json", `C:\Users\anna\AppData\Roaming\Code\User\mcp.json`, ".vscode/mcp.json"},
		"windsurf":       {"/home/anna/.codeium/windsurf/mcp_config.json", "/Users/anna/.codeium/windsurf/mcp_config.json", `C:\Users\anna\.codeium\windsurf\mcp_config.json`, ""},
		"zed":            {"/home/anna/.config/zed/settings.json", "/Users/anna/.config/zed/settings.json", `C:\Users\anna\AppData\Roaming\Zed\settings.json`, ".zed/settings.json"},
	}
	got := map[string]row{}
	for _, c := range install.Clients() {
		var r row
		for os, into := range map[string]*string{"linux": &r.linux, "darwin": &r.darwin, "windows": &r.windows} {
			path, err := c.Path(machine(os, homes[os]), install.User)
			if err != nil {
				t.Errorf("%s on %s: %v", c.Name, os, err)
			}
			*into = path
		}
		if other, err := c.Path(machine("freebsd", homes["freebsd"]), install.User); err != nil || other != r.linux {
			t.Errorf("%s on freebsd: %q, %v, want as on linux", c.Name, other, err)
		}
		if c.HasProject() {
			path, err := c.Path(machine("linux", nil), install.Project)
			if err != nil {
				t.Errorf("%s in a project: %v", c.Name, err)
			}
			r.project = strings.TrimPrefix(path, "/src/project/")
		}
		got[c.Name] = r
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("paths (-want +got)\n%s", diff)
	}
	if names := install.Names(); !slices.IsSorted(names) || len(names) != len(want) {
		t.Errorf("Names() = %v, want all, sorted", names)
	}
}

func TestPathFollowsTheEnvironment(t *testing.T) {
	store := `C:\Users\anna\AppData\Local\Packages\Claude_pzs8sxrjxfjjc\LocalCache\Roaming\Claude`
	rows := []struct {
		name, client, os string
		env              map[string]string
		files            []string
		want             string
	}{
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
		t.Run(row.name, func(t *testing.T) {
			if got, err := client(t, row.client).Path(row.m, row.scope); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Path = %q, %v, want an error with %q", got, err, row.want)
			}
		})
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
		t.Run(row.name, func(t *testing.T) {
			if got := client(t, row.client).Found(machine("linux", homes["linux"], row.files...)); got != row.want {
				t.Errorf("Found = %t, want %t", got, row.want)
			}
		})
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
