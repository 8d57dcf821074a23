package install

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/tomledit"
)

// Reading is a setting of a client that lets its model read a folder without asking the user: an element of a list.
type Reading struct {
	File    string // the client's settings
	Element string // as the user sees it
	keys    []string
}

// Reading returns the setting for a folder, given by its absolute path. Some clients read any file without asking, others
// have no such setting: then it is false, and also for paths that the setting cannot express.
func (c Client) Reading(m Machine, scope Scope, folder string) (Reading, bool) {
	if folder == "" {
		return Reading{}, false
	}
	switch c.Name {
	case "claude-code":
		rule, ok := ReadRule(folder)
		file, known := c.claudeSettings(m, scope)
		return Reading{File: file, Element: "Read(" + rule + ")", keys: []string{"permissions", "allow"}}, ok && known
	case "gemini-cli":
		file, err := c.Path(m, scope)
		return Reading{File: file, Element: folder, keys: []string{"context", "includeDirectories"}}, err == nil
	}
	return Reading{}, false
}

// claudeSettings returns the file with the user's own permissions, for all projects or for this one.
func (c Client) claudeSettings(m Machine, scope Scope) (string, bool) {
	if scope == Project {
		return m.join(m.Dir, ".claude/settings.local.json"), true // the file that is not shared: the folder is this user's
	}
	if dir := m.Env(c.user.variable); m.absolute(dir) {
		return m.join(dir, "settings.json"), true
	}
	path, err := m.place(home + "/.claude/settings.json")
	return path, err == nil
}

// ReadRule returns the pattern of Claude Code's rules for everything in a folder: two slashes and the path as on Unix, so
// that C:\a is //c/a. It is false for a path with characters that have a meaning in patterns.
func ReadRule(folder string) (string, bool) {
	path := strings.ReplaceAll(folder, `\`, "/")
	if len(path) > 1 && path[1] == ':' {
		path = "/" + strings.ToLower(path[:1]) + path[2:]
	}
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "*?[]{}()!\r\n\x00,") {
		return "", false
	}
	return "/" + strings.TrimRight(path, "/") + "/**", true
}

// Add adds the element to the text of the client's settings, which is empty if there is no file, and reports whether it was
// not there yet. It has the errors of [Client.Add].
func (r Reading) Add(text []byte) (out []byte, added bool, err error) {
	f, err := openJSON(text)
	if err != nil {
		return nil, false, err
	}
	array, indent, place, err := f.array(r.keys, r.Element)
	switch {
	case err != nil:
		return nil, false, err
	case place >= 0:
		return text, false, nil
	case array == nil:
		err = f.Set([]string{r.Element}, r.keys...)
	default:
		element := literal(tomledit.Quote(r.Element))
		element.BeforeExtra, _, _, element.AfterExtra = f.room(array, indent)
		array.Elements = append(array.Elements, element)
	}
	if err != nil {
		return nil, false, err
	}
	return r.checked(f.Text(), true)
}

// Remove removes the element, and the list and its objects if nothing else is in them. It reports whether it was there.
func (r Reading) Remove(text []byte) (out []byte, removed bool, err error) {
	f, err := openJSON(text)
	if err != nil {
		return text, false, err
	}
	array, _, place, err := f.array(r.keys, r.Element)
	if err != nil || place < 0 {
		return text, false, err
	}
	l := listOf(array)
	l.leave(place)
	array.Elements = slices.Delete(array.Elements, place, place+1)
	for depth := len(r.keys); depth > 0; depth-- {
		if v, err := f.at(r.keys[:depth]); err != nil || !listOf(v.Value).bare() {
			break
		}
		if err := f.Remove(r.keys[:depth]...); err != nil {
			return text, false, err
		}
	}
	return r.checked(f.Text(), false)
}

// checked returns an edited text, if the element is in it or not, as it should be.
func (r Reading) checked(text []byte, want bool) ([]byte, bool, error) {
	f, err := openJSON(text)
	if err != nil {
		return nil, false, tomledit.ErrUncertain
	}
	if _, _, place, err := f.array(r.keys, r.Element); err != nil || (place >= 0) != want {
		return nil, false, tomledit.ErrUncertain
	}
	return text, true, nil
}

// PluginSettings returns the files in which a client may enable our plugin, which includes the server.
func (c Client) PluginSettings(m Machine) []string {
	if c.Name != "claude-code" {
		return nil
	}
	files := []string{m.join(m.Dir, ".claude/settings.json"), m.join(m.Dir, ".claude/settings.local.json")}
	if path, ok := c.claudeSettings(m, User); ok {
		files = append(files, path)
	}
	return files
}

// EnablesPlugin reports whether the text of such a file enables our plugin.
func EnablesPlugin(text []byte) bool {
	f, err := openJSON(text)
	if err != nil {
		return false
	}
	value, _ := f.Get("enabledPlugins")
	plugins, _ := value.(map[string]any)
	for name, on := range plugins {
		if name, _, _ := strings.Cut(name, "@"); name == Name && on == true {
			return true
		}
	}
	return false
}
