package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// hooksOf is how a client gets citeloop's hooks, and what its own tools are called.
type hooksOf struct {
	// install gives the client the plugin or extension in a folder, and returns arguments for each conversation.
	install func(a *agent, root string) ([]string, error)
	offline bool     // commands of the shell have no network
	parts   []string // folders and files of the plugin that have hooks, below the repository
	read    func(path string) call
	shell   func(command string) call
	write   func(path, text string) call // nil: the client has no tool for that here
}

func claudeHooks() *hooksOf {
	return &hooksOf{
		install: func(_ *agent, root string) ([]string, error) {
			return []string{"--plugin-dir", filepath.Join(root, "examples", "plugin"), "--allowedTools", "mcp__plugin_citeloop_citeloop,Read,Bash,Write"}, nil
		},
		parts: []string{"examples/plugin/hooks"},
		read:  func(path string) call { return call{Tool: "Read", Args: object{"file_path": path}, Client: true} },
		shell: func(command string) call {
			return call{Tool: "Bash", Args: object{"command": command, "description": "Look"}, Client: true}
		},
		write: func(path, text string) call {
			return call{Tool: "Write", Args: object{"file_path": path, "content": text}, Client: true}
		},
	}
}

func codexHooks() *hooksOf {
	shell := func(command string) call {
		return call{Tool: "exec_command", Args: object{"cmd": command}, Client: true}
	}
	return &hooksOf{
		install: func(a *agent, root string) ([]string, error) {
			for _, args := range [][]string{{"plugin", "marketplace", "add", root}, {"plugin", "add", "citeloop@citeloop"}} {
				if _, err := a.client(args); err != nil {
					return nil, err
				}
			}
			return []string{"--dangerously-bypass-hook-trust"}, nil // users trust the hooks once, with /hooks
		},
		offline: true,
		parts:   []string{"examples/plugin/hooks"},
		read:    func(path string) call { return shell("cat " + path) },
		shell:   shell,
	}
}

func geminiHooks() *hooksOf {
	return &hooksOf{
		install: func(a *agent, root string) ([]string, error) {
			a.typed = "y\n" // trust the folder
			_, err := a.client([]string{"extensions", "install", filepath.Join(root, "examples", "gemini"), "--consent"})
			a.typed = ""
			return nil, err
		},
		parts: []string{"examples/gemini/hooks"},
		read: func(path string) call {
			return call{Tool: "read_file", Args: object{"file_path": path}, Client: true}
		},
		shell: func(command string) call {
			return call{Tool: "run_shell_command", Args: object{"command": command, "description": "Look"}, Client: true}
		},
		write: func(path, text string) call {
			return call{Tool: "write_file", Args: object{"file_path": path, "content": text}, Client: true}
		},
	}
}

// copyPlugin copies the plugin and the extension of the repository, with or without their hooks.
func (a *agent) copyPlugin(root, to string, hooks bool) error {
	for _, part := range []string{".claude-plugin", "examples/plugin", "examples/gemini"} {
		if err := os.CopyFS(filepath.Join(to, part), os.DirFS(filepath.Join(root, part))); err != nil {
			return err
		}
	}
	if hooks {
		return nil
	}
	for _, part := range a.hooks.parts {
		if err := os.RemoveAll(filepath.Join(to, part)); err != nil {
			return err
		}
	}
	manifest := filepath.Join(to, "examples", "plugin", ".codex-plugin", "plugin.json")
	body, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	var fields object
	if err := json.Unmarshal(body, &fields); err != nil {
		return err
	}
	delete(fields, "hooks")
	if body, err = json.Marshal(fields); err != nil {
		return err
	}
	return os.WriteFile(manifest, body, 0o644)
}
