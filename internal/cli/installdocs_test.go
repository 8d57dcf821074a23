package cli

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/install"
)

// The table in the manual has each client with its files.
func TestInstallManual(t *testing.T) {
	rows := map[string]string{}
	for line := range strings.Lines(string(readFile(t, "../../docs/install.md"))) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "`")
			rows[name] = line
		}
	}
	for _, c := range install.Clients() {
		row, ok := rows[c.Name]
		if !ok {
			t.Errorf("docs/install.md has no row for %s", c.Name)
			continue
		}
		delete(rows, c.Name)
		m := install.Machine{OS: "linux", Dir: "/project", Exists: func(string) bool { return false }, Env: func(name string) string {
			return map[string]string{"HOME": "/home"}[name]
		}}
		user, err := c.Path(m, install.User)
		if err != nil {
			t.Fatal(err)
		}
		if path := "`" + strings.Replace(user, "/home", "~", 1) + "`"; !strings.Contains(row, path) {
			t.Errorf("the row for %s does not name %s", c.Name, path)
		}
		project, err := c.Path(m, install.Project)
		if path := "`" + strings.TrimPrefix(project, "/project/") + "`"; c.HasProject() && (err != nil || !strings.Contains(row, path)) {
			t.Errorf("the row for %s does not name %s, %v", c.Name, path, err)
		}
	}
	if len(rows) > 0 {
		t.Errorf("docs/install.md has rows for unknown clients %v", rows)
	}
}
