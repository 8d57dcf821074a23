package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// agent is a client with its own home folder.
type agent struct {
	name     string // for citeloop install
	title    string
	program  string // in node_modules/.bin
	protocol protocol
	settings string // initial content of its .gemini/settings.json
	listed   string // the line of the client's "mcp list" about citeloop
	plugin   bool   // supports citeloop's plugin
	whole    bool   // shows answers of any size if the tool's _meta requests it
	ask      func(model string) (args, env []string)
	dir      string // contains home and project
	npm      string
	citeloop string // the binary, on the PATH
	out      bytes.Buffer
	logged   int // conversations written to HOSTS_LOG
}

func agents() []*agent {
	return []*agent{
		{name: "claude-code", title: "Claude Code", program: "claude", protocol: messages{}, listed: "citeloop: .*Connected", plugin: true,
			whole: true, ask: func(model string) (args, env []string) {
				// With another address than Anthropic's, tool search is off by default.
				return []string{"-p", "Begin.", "--output-format", "json", "--allowedTools", "mcp__citeloop,mcp__plugin_citeloop_citeloop"},
					[]string{"ANTHROPIC_BASE_URL=" + model, "ANTHROPIC_API_KEY=none", "ENABLE_TOOL_SEARCH=true"}
			}},
		{name: "codex", title: "Codex", program: "codex", protocol: responses{}, listed: "citeloop .*enabled",
			ask: func(model string) (args, env []string) {
				return []string{"exec", "--skip-git-repo-check", "--sandbox", "read-only", "-c", `model_provider="scripted"`, "-m",
					"scripted",
					"-c", fmt.Sprintf(`model_providers.scripted={name="scripted",base_url=%q,wire_api="responses",env_key="SCRIPTED_KEY"}`,
						model+"/v1"), "Begin."}, []string{"SCRIPTED_KEY=none"}
			}},
		{name: "gemini-cli", title: "Gemini CLI", program: "gemini", protocol: generate{},
			settings: `{"security": {"auth": {"selectedType": "gemini-api-key"}}}`, listed: "citeloop: ",
			ask: func(model string) (args, env []string) {
				return []string{"-m", "gemini-2.5-pro", "--skip-trust", "--approval-mode", "yolo", "-p", "Begin."},
					[]string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + model}
			}},
	}
}

func (a *agent) home() string    { return filepath.Join(a.dir, "home") }
func (a *agent) project() string { return filepath.Join(a.dir, "project") }

// env is a small environment: none of the user's settings or keys reach the client.
func (a *agent) env(more ...string) []string {
	env := []string{"HOME=" + a.home(), "PATH=" + filepath.Dir(a.citeloop) + string(filepath.ListSeparator) +
		filepath.Join(a.npm, "node_modules", ".bin") + string(filepath.ListSeparator) + os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1",
		"LANG=C.UTF-8",
		// citeloop's data is below HOME: Codex passes no other setting
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"}
	return append(env, more...)
}

// run runs a program in the agent's project and returns what it prints.
func (a *agent) run(program string, args []string, env ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = a.project(), a.env(env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, tail(out.String()))
	}
	return out.String(), nil
}

// prepare creates the client's folders and settings.
func (a *agent) prepare() error {
	err := errors.Join(os.MkdirAll(a.home(), 0o755), os.MkdirAll(a.project(), 0o755))
	if err != nil || a.settings == "" {
		return err
	}
	folder := filepath.Join(a.home(), ".gemini")
	return errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "settings.json"), []byte(a.settings), 0o644))
}

func (a *agent) client(args []string, env ...string) (string, error) {
	return a.run(filepath.Join(a.npm, "node_modules", ".bin", a.program), args, env...)
}

func tail(text string) string {
	const shown = 2000
	if len(text) > shown {
		return "…" + text[len(text)-shown:]
	}
	return text
}

// converse runs the client with a scripted model until the script ends. The client may call every tool of citeloop without asking the
// user. more are arguments that are put before its others.
func (a *agent) converse(steps script, more ...string) (*model, error) {
	m := startModel(a.protocol, steps)
	defer m.Close()
	args, env := a.ask(m.URL)
	out, err := a.client(a.with(args, more), env...)
	if log := os.Getenv("HOSTS_LOG"); log != "" { // for people who want to see the model's input
		a.logged++
		name := filepath.Join(log, fmt.Sprintf("%s-%d", filepath.Base(a.dir), a.logged)) // one pair of files a conversation
		if err := errors.Join(os.WriteFile(name+".jsonl", []byte(strings.Join(m.bodies, "\n")), 0o644),
			os.WriteFile(name+".out", []byte(out), 0o644)); err != nil {
			return nil, err
		}
	}
	switch {
	case err != nil:
		return m, err
	case m.fault != nil:
		return m, m.fault
	case m.next < len(steps):
		return m, fmt.Errorf("the client stopped after %d of %d steps:\n%s", m.next, len(steps), tail(out))
	}
	return m, nil
}

// with puts arguments behind the command of the client, or first.
func (a *agent) with(args, more []string) []string {
	at := 0
	if args[0] == "exec" {
		at = 1
	}
	return slices.Concat(args[:at], more, args[at:])
}
