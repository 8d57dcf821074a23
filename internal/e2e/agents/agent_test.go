package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// agent is a client with its own home folder.
type agent struct {
	name     string // for citeloop install
	program  string // in node_modules/.bin
	protocol protocol
	settings string // initial content of its .gemini/settings.json
	listed   string // the line of the client's "mcp list" about citeloop
	whole    bool   // shows answers of any size if the tool's _meta requests it
	plugin   [][]string
	trust    []string // arguments of a conversation with the plugin
	ask      func(model string) (command, args, env []string)

	dir      string // contains home and project
	npm      string
	citeloop string // the binary, on the PATH
}

// agents returns the clients. root is the folder with the plugin's marketplace.
func agents(root string) []*agent {
	return []*agent{
		{name: "claude-code", program: "claude", protocol: messages{}, listed: "citeloop: .*Connected", whole: true,
			plugin: [][]string{
				{"plugin", "validate", "--strict", root},
				{"plugin", "validate", "--strict", filepath.Join(root, "examples", "plugin")},
				{"plugin", "marketplace", "add", root},
				{"plugin", "install", "citeloop@citeloop"},
			},
			ask: func(model string) (command, args, env []string) {
				// With another address than Anthropic's, tool search is off by default.
				return nil, []string{"-p", "Begin.", "--output-format", "json", "--allowedTools",
					"mcp__citeloop,mcp__plugin_citeloop_citeloop"}, anthropic(model)
			}},
		{name: "codex", program: "codex", protocol: responses{}, listed: "citeloop .*enabled",
			plugin: [][]string{{"plugin", "marketplace", "add", root}, {"plugin", "add", "citeloop@citeloop"}},
			trust:  []string{"--dangerously-bypass-hook-trust"}, // users trust the hooks once, with /hooks
			ask: func(model string) (command, args, env []string) {
				const settings = `model_providers.scripted={name="scripted",base_url=%q,wire_api="responses",env_key="SCRIPTED_KEY"}`
				provider := fmt.Sprintf(settings, model+"/v1")
				return []string{"exec"}, []string{"--skip-git-repo-check", "--sandbox", "read-only", "-c", `model_provider="scripted"`,
					"-m", "scripted", "-c", provider, "Begin."}, []string{"SCRIPTED_KEY=none"}
			}},
		{name: "gemini-cli", program: "gemini", protocol: generate{}, listed: "citeloop: ",
			settings: `{"security": {"auth": {"selectedType": "gemini-api-key"}}}`,
			ask: func(model string) (command, args, env []string) {
				return nil, []string{"-m", "gemini-2.5-pro", "--skip-trust", "--approval-mode", "yolo", "-p", "Begin."},
					[]string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + model}
			}},
	}
}

func anthropic(model string) []string {
	return []string{"ANTHROPIC_BASE_URL=" + model, "ANTHROPIC_API_KEY=none", "ENABLE_TOOL_SEARCH=true"}
}

func (a *agent) home() string    { return filepath.Join(a.dir, "home") }
func (a *agent) project() string { return filepath.Join(a.dir, "project") }

// prepare creates the client's folders and settings.
func (a *agent) prepare(t *testing.T) {
	t.Helper()
	settings := filepath.Join(a.home(), ".gemini")
	err := errors.Join(os.MkdirAll(settings, 0o755), os.MkdirAll(a.project(), 0o755))
	if a.settings != "" {
		err = errors.Join(err, os.WriteFile(filepath.Join(settings, "settings.json"), []byte(a.settings), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// run runs a program in the agent's project and returns what it prints. Its environment is small: none of the user's settings or
// keys reach the client. citeloop's data is below HOME: Codex passes no other setting.
func (a *agent) run(t *testing.T, program string, args []string, env ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	path := []string{filepath.Dir(a.citeloop), filepath.Join(a.npm, "node_modules", ".bin"), os.Getenv("PATH")}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = a.project()
	cmd.Env = append(env, "HOME="+a.home(), "PATH="+strings.Join(path, string(filepath.ListSeparator)), "TERM=dumb", "NO_COLOR=1",
		"LANG=C.UTF-8", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, tail(out.String()))
	}
	return out.String()
}

func (a *agent) client(t *testing.T, args []string, env ...string) string {
	t.Helper()
	return a.run(t, filepath.Join(a.npm, "node_modules", ".bin", a.program), args, env...)
}

func tail(text string) string { return text[max(0, len(text)-2000):] }

// converse runs the client with a scripted model until the script ends. The client may call every tool of citeloop without asking
// the user.
func (a *agent) converse(t *testing.T, steps script, more ...string) *model {
	t.Helper()
	m := startModel(a.protocol, steps)
	defer m.Close()
	command, args, env := a.ask(m.URL)
	out := a.client(t, append(append(command, more...), args...), env...)
	switch {
	case m.fault != nil:
		t.Fatal(m.fault)
	case m.next < len(steps):
		t.Fatalf("the client stopped after %d of %d steps:\n%s", m.next, len(steps), tail(out))
	}
	return m
}
