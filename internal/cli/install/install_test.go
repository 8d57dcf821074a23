package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var served = Server{Command: "/opt/citeloop", Args: []string{"serve", "--data", "/a b"}}

// Only our entry changes, and removing it restores the file byte for byte.
func TestEntries(t *testing.T) {
	const entry = "    \"citeloop\": {\n      \"args\": [\n        \"serve\",\n        \"--data\",\n        \"/a b\"\n      ],\n" +
		"      \"command\": \"/opt/citeloop\"\n    }"
	for _, tt := range []struct{ name, client, before, added string }{
		{"comments and trailing commas", "windsurf",
			"// My servers.\n{\n  \"mcpServers\": {\n    \"tickets\": { // the one for tickets\n      \"url\": \"x\",\n    }" +
				" /* and no other */\n  },\n}\n",
			"// My servers.\n{\n  \"mcpServers\": {\n    \"tickets\": { // the one for tickets\n      \"url\": \"x\",\n    },\n" + entry +
				" /* and no other */\n  },\n}\n"},
		{"line breaks of Windows", "windsurf", "{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {}\r\n\t}\r\n}",
			"{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {},\n" + entry + "\r\n\t}\r\n}"},
		{"members of the client", "cursor", "{\"mcpServers\": {\"a\": {}}}", "{\"mcpServers\": {\"a\": {},\n" +
			strings.Replace(entry, "citeloop\"\n", "citeloop\",\n      \"type\": \"stdio\"\n", 1) + "}}"},
	} {
		c := named(tt.client)
		got, err := c.added([]byte(tt.before), served)
		if diff := cmp.Diff(tt.added, string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", tt.name, err, diff)
		}
		e, err := c.read(got, "/opt/citeloop")
		if err != nil || !e.ours || !slices.Equal(e.Args, served.Args) {
			t.Errorf("%s: read back as %+v, %v", tt.name, e, err)
		}
		if back, err := c.removed(got); err != nil || string(back) != tt.before {
			t.Errorf("%s: removed, %v:\n%s", tt.name, err, back)
		}
	}
}

// A new file, and a second run, which keeps what the user added to the entry.
func TestEntryAgain(t *testing.T) {
	c := named("zed")
	text, err := c.added(nil, served)
	want := "{\n  \"context_servers\": {\n    \"citeloop\": {\n      \"args\": [\n        \"serve\",\n        \"--data\",\n        " +
		"\"/a b\"\n      ],\n      \"command\": \"/opt/citeloop\"\n    }\n  }\n}\n"
	if diff := cmp.Diff(want, string(text)); err != nil || diff != "" {
		t.Fatalf("%v (-want +got)\n%s", err, diff)
	}
	mine := strings.Replace(string(text), `"command"`, `"env": {"KEY": "mine"}, "off": true,
      "command"`, 1)
	text, err = c.added([]byte(mine), Server{Command: "/new", Args: []string{"serve"}})
	for _, want := range []string{`"KEY": "mine"`, `"off": true`, `"command": "/new"`} {
		if got := string(text); err != nil || !strings.Contains(got, want) || strings.Contains(got, "--data") {
			t.Errorf("%v, %s is missing in\n%s", err, want, got)
		}
	}
}

func TestInvalidFiles(t *testing.T) {
	c := named("cursor")
	for text, want := range map[string]string{
		"{\"a\": ":            "line 1, column 7",
		"[]":                  "cannot unmarshal array",
		"{\"mcpServers\": 1}": "its \"mcpServers\" is not an object",
	} {
		_, addErr := c.added([]byte(text), served)
		_, readErr := c.read([]byte(text), "")
		if addErr == nil || !strings.Contains(addErr.Error(), want) || readErr == nil || !strings.Contains(readErr.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", text, addErr, readErr, want)
		}
	}
}

func TestOurs(t *testing.T) {
	cursor := named("cursor")
	codex := named("codex")
	for _, tt := range []struct {
		client      client
		text        string
		there, ours bool
	}{
		{cursor, "", false, false},
		{cursor, `{}`, false, false},
		{cursor, `{"mcpServers": {"citeloop": {"command": "/x/citeloop", "args": ["serve"]}}}`, true, true},
		{cursor, `{"mcpServers": {"citeloop": {"command": "C:\\x\\Citeloop.exe", "args": ["serve"]}}}`, true, true},
		{cursor, `{"mcpServers": {"citeloop": {"command": "/self", "args": ["serve"]}}}`, true, true},
		{cursor, `{"mcpServers": {"citeloop": {"command": "npx", "args": ["-y", "citeloop"]}}}`, true, false},
		{cursor, `{"mcpServers": {"citeloop": {"url": "https://example.org/mcp"}}}`, true, false},
		{codex, "[mcp_servers.citeloop]\ncommand = \"citeloop\"\nargs = [\"serve\", \"--corpus\", \"/p\"]\n", true, true},
		{codex, "model = \"x\"\n", false, false},
	} {
		e, err := tt.client.read([]byte(tt.text), "/self")
		if err != nil || (e.members != nil) != tt.there || e.ours != tt.ours {
			t.Errorf("%s: %+v, %v", tt.text, e, err)
		}
	}
}

func TestFiles(t *testing.T) {
	none := func(string) bool { return false }
	unix := map[string]string{"HOME": "/h"}
	windows := map[string]string{"USERPROFILE": `C:\Users\a`, "APPDATA": `D:\Roaming`}
	for _, tt := range []struct {
		client, system string
		env            map[string]string
		exists         func(string) bool
		want           string
	}{
		{"claude-code", "linux", unix, none, "/h/.claude.json"},
		{"claude-code", "linux", map[string]string{"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c"}, none, "/c/.claude.json"},
		{"codex", "darwin", map[string]string{"HOME": "/h", "CODEX_HOME": "/c"}, none, "/c/config.toml"},
		{"gemini-cli", "linux", map[string]string{"HOME": "/h", "GEMINI_CLI_HOME": "/g"}, none, "/g/.gemini/settings.json"},
		{"claude-desktop", "linux", unix, none, "/h/.config/Claude/claude_desktop_config.json"},
		{"claude-desktop", "darwin", unix, none, "/h/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", "windows", windows, none, "D:/Roaming/Claude/claude_desktop_config.json"},
		{"claude-desktop", "windows", windows, func(string) bool { return true },
			"C:/Users/a/AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json"},
		{"vscode", "linux", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/x"}, none, "/x/Code/User/mcp.json"},
		{"zed", "darwin", unix, none, "/h/.config/zed/settings.json"},
		{"windsurf", "windows", windows, none, "C:/Users/a/.codeium/windsurf/mcp_config.json"},
	} {
		c := named(tt.client)
		if got, err := c.file(tt.system, func(name string) string { return tt.env[name] }, tt.exists); err != nil || got != tt.want {
			t.Errorf("%s on %s: %q, %v, want %q", tt.client, tt.system, got, err, tt.want)
		}
	}
	c := named("cursor")
	if _, err := c.file("linux", func(string) string { return "" }, none); err == nil || !strings.Contains(err.Error(), "missing HOME") {
		t.Errorf("without a home: %v", err)
	}
}

// The commands of the clients, as they were run with Claude Code 2.1.197, Codex 0.169 and Gemini CLI 0.61.
func TestCommands(t *testing.T) {
	s := Server{Command: "/c", Args: []string{"serve", "--data", "/d"}}
	for name, want := range map[string]string{
		"claude-code": `mcp|add-json|--scope|user|citeloop|{"alwaysLoad":true,"args":["serve","--data","/d"],"command":"/c",` +
			`"type":"stdio"}`,
		"codex":      "mcp|add|citeloop|--|/c|serve|--data|/d",
		"gemini-cli": "mcp|add|--scope|user|citeloop|/c|--|serve|--data|/d",
		"vscode":     `--add-mcp|{"name":"citeloop","command":"/c","args":["serve","--data","/d"]}`,
	} {
		if got := strings.Join(named(name).adding(s), "|"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	s.Env = map[string]string{"A": "1", "B": "2"} // those of an entry that is there
	if got := strings.Join(named("codex").adding(s), "|"); got != "mcp|add|citeloop|--env|A=1|--env|B=2|--|/c|serve|--data|/d" {
		t.Errorf("codex with variables: %s", got)
	}
}

// A file keeps its permissions, links stay, the first change of a day is saved, and a change by the client is not overwritten.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path, now := filepath.Join(dir, "real.json"), time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(dir, "link.json")
	if err := os.Symlink(path, linked); err != nil {
		t.Skip(err)
	}
	for i, text := range []string{"first", "second"} {
		f, err := readFile(linked)
		if err != nil {
			t.Fatal(err)
		}
		backup, err := f.write([]byte(text), now)
		saved, _ := os.ReadFile(backup)
		got, _ := os.ReadFile(linked)
		info, _ := os.Stat(path)
		if err != nil || string(saved) != "old" || string(got) != text || info.Mode().Perm() != 0o640 {
			t.Errorf("write %d: %v, backup %q, file %q, %v", i, err, saved, got, info.Mode())
		}
	}
	f, err := readFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("the client's"), 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := f.write([]byte("lost"), now); err == nil || !strings.Contains(err.Error(), "changed by another program") {
		t.Errorf("a changed file: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 3 {
		t.Errorf("left behind: %v", entries)
	}
	if _, err := readFile(dir); err == nil {
		t.Error("a folder is read")
	}
}

func TestOwnPath(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "citeloop")
	if err := os.WriteFile(real, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, filepath.Join(bin, "citeloop")); err != nil {
		t.Skip(err)
	}
	exe := func() (string, error) { return real, nil }
	if got, err := ownPath(exe, bin); err != nil || got != filepath.Join(bin, "citeloop") {
		t.Errorf("on the PATH: %q, %v", got, err)
	}
	if got, err := ownPath(exe, ""); err != nil || filepath.Base(got) != "citeloop" {
		t.Errorf("elsewhere: %q, %v", got, err)
	}
	cache := filepath.Join(dir, "go-build1", "exe")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(cache, "citeloop")
	if err := os.WriteFile(built, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := ownPath(func() (string, error) { return built, nil }, ""); err == nil || !strings.Contains(err.Error(), "go install") {
		t.Errorf("go run: %v", err)
	}
}
