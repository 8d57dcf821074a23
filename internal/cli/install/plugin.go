package install

import (
	"strings"

	"github.com/tailscale/hujson"
)

// PluginSettings returns the files in which a client may enable our plugin, which includes the server.
func (c Client) PluginSettings(m Machine) []string {
	if c.Name != "claude-code" {
		return nil
	}
	files := []string{m.join(m.Dir, ".claude/settings.json"), m.join(m.Dir, ".claude/settings.local.json")}
	if dir := m.Env(c.user.variable); m.absolute(dir) {
		return append(files, m.join(dir, "settings.json"))
	}
	if path, err := m.place(home + "/.claude/settings.json"); err == nil {
		files = append(files, path)
	}
	return files
}

// EnablesPlugin reports whether the text of such a file enables our plugin.
func EnablesPlugin(text []byte) bool {
	root, err := parse(text)
	if err != nil || root == nil {
		return false
	}
	i, _ := root.find("enabledPlugins")
	if i < 0 {
		return false
	}
	for _, m := range root.members[i].value.members {
		name, _, _ := strings.Cut(m.name, "@")
		if name == Name && m.value.kind == hujson.Bool(true).Kind() {
			return true
		}
	}
	return false
}
