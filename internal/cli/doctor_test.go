package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// The doctor names a client's file that cannot be read, the folders that a client names, and fails while a problem is left.
func TestDoctorProblems(t *testing.T) {
	home, papers := t.TempDir(), t.TempDir()
	gone := filepath.Join(home, "gone")
	doctor := func(args ...string) (int, string) {
		t.Helper()
		env := map[string]string{"HOME": home, "USERPROFILE": home, "PATH": os.Getenv("PATH"), "CITELOOP_DATA": filepath.Join(home, "data"),
			"CITELOOP_CACHE": home}
		code, out, said := ran(t.Context(), env, append([]string{"doctor"}, args...)...)
		return code, out + said
	}
	if code, said := doctor(); code != console.ExitOK || !strings.Contains(said, "problems  none") {
		t.Errorf("without problems: %d\n%s", code, said)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Symlink(self, filepath.Join(home, "citeloop"))
	put(t, filepath.Join(home, ".cursor", "mcp.json"),
		`{"mcpServers": {"citeloop": {"command": "`+filepath.ToSlash(filepath.Join(home,
			"citeloop"))+`", "args": ["serve", "--corpus", "`+filepath.ToSlash(papers)+`"]}}}`)
	if code, said := doctor(); code != console.ExitOK || !strings.Contains(said, "clients   Cursor: "+filepath.ToSlash(papers)) {
		t.Errorf("a client with folders: %d\n%s", code, said)
	}
	put(t, filepath.Join(home, ".claude.json"), `{"a": `)
	put(t, filepath.Join(home, ".codex", "config.toml"), "x = [")
	code, said := doctor("--corpus", gone)
	for _, want := range []string{"problem   Claude Code cannot use ", "problem   Codex cannot use ",
		"the folder " + gone + " is missing"} {
		if code != console.ExitFailed || !strings.Contains(said, want) {
			t.Errorf("status %d, want a line %q:\n%s", code, want, said)
		}
	}
}
