package install

import (
	"fmt"
	"strings"
)

// Machine has the properties that determine the paths of configuration files, so that they can be computed for any
// machine.
type Machine struct {
	OS     string // a value of runtime.GOOS
	Env    func(name string) string
	Dir    string                 // the project's folder, absolute
	Exists func(path string) bool // reports whether a file or folder exists
}

// Scope is the set of users and projects that get a server.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // all projects of this user
	Project Scope = "project" // one project, for all its users
)

// Path returns the path of the client's file.
func (c Client) Path(m Machine, scope Scope) (string, error) {
	switch scope {
	case User:
		return c.userPath(m)
	case Project:
		if c.project == "" {
			return "", fmt.Errorf("%s has no project configuration; use --scope %s", c.Title, User)
		}
		return m.join(m.Dir, c.project), nil
	}
	return "", fmt.Errorf("unknown scope %q: use %s or %s", scope, User, Project)
}

// HasProject reports whether the client reads servers from a project's folder.
func (c Client) HasProject() bool { return c.project != "" }

func (c Client) userPath(m Machine) (string, error) {
	if v := c.user.variable; v != "" {
		if dir := m.Env(v); m.absolute(dir) {
			return m.join(dir, c.user.below), nil
		}
	}
	if m.OS == "windows" && c.user.store != "" {
		if path, err := m.place(c.user.store); err == nil && m.Exists(m.parent(path)) {
			return path, nil
		}
	}
	return m.place(c.user.on(m.OS))
}

// Found reports whether the client seems to be installed: its file or the folder that it creates exists.
func (c Client) Found(m Machine) bool {
	path, err := c.userPath(m)
	if err != nil {
		return false
	}
	mark := m.parent(path)
	if c.user.mark != "" {
		if mark, err = m.place(c.user.mark); err != nil {
			return false
		}
	}
	return m.Exists(path) || m.Exists(mark)
}

func (p places) on(os string) string {
	switch os {
	case "windows":
		return p.windows
	case "darwin":
		return p.darwin
	}
	return p.linux // also for other Unix systems, which follow XDG too
}

// place converts a path of the table, whose first part is the name of a base, to a path of the machine.
func (m Machine) place(path string) (string, error) {
	base, below, _ := strings.Cut(path, "/")
	dir, err := m.base(base)
	if err != nil {
		return "", err
	}
	return m.join(dir, below), nil
}

// base returns a folder of the user. Variables with a relative path are ignored, as XDG requires.
func (m Machine) base(name string) (string, error) {
	homeVariable := "HOME"
	if m.OS == "windows" {
		homeVariable = "USERPROFILE"
	}
	var variable, below string
	switch name {
	case "config":
		variable, below = "XDG_CONFIG_HOME", ".config"
	case "appdata":
		variable, below = "APPDATA", "AppData/Roaming"
	case "localappdata":
		variable, below = "LOCALAPPDATA", "AppData/Local"
	case "support":
		below = "Library/Application Support"
	}
	if variable != "" {
		if dir := m.Env(variable); m.absolute(dir) {
			return dir, nil
		}
	}
	dir := m.Env(homeVariable)
	if !m.absolute(dir) {
		return "", fmt.Errorf("missing or relative %s: set it to your home folder", homeVariable)
	}
	if below == "" {
		return dir, nil
	}
	return m.join(dir, below), nil
}

func (m Machine) separator() string {
	if m.OS == "windows" {
		return `\`
	}
	return "/"
}

// join is filepath.Join for the machine's system, which may differ from that of this program.
func (m Machine) join(dir, below string) string {
	sep := m.separator()
	dir = strings.TrimRight(dir, sep)
	return dir + sep + strings.ReplaceAll(below, "/", sep)
}

func (m Machine) parent(path string) string {
	if i := strings.LastIndex(path, m.separator()); i > 0 {
		return path[:i]
	}
	return path
}

func (m Machine) absolute(path string) bool {
	if m.OS != "windows" {
		return strings.HasPrefix(path, "/")
	}
	return strings.HasPrefix(path, `\\`) || len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}
