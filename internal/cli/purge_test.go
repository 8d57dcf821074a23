package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// Purging removes what citeloop wrote, and nothing else, even where the data folder is the home folder.
func TestPurge(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	loop := "how-much-01a20bc2-4eda691e"
	id := "01a20bc2-369b-76c6-8f9e-e67a4eda691e"
	hash := strings.Repeat("ab", 32)
	own := []string{"citeloop.db", "citeloop.db-wal", "projects", "hooks.json", "hooks/s1.json", "batches/0123456789abcdef.json", "citeloop-demo/bus-operator.md", "reports/" + id + "/report.html", "loops/" + loop + "/index.md", "loops/" + loop + "/S1.md",
		"corpus/0123456789abcdef/manifest", "corpus/0123456789abcdef/a-1.segment", "code/wazero-v1/" + hash, ".claude.json.2026-11-24.bak"}
	foreign := []string{"notes.md", "loops/song.wav", "loops/" + loop + "/mine.txt", "reports/2026/report.html", "corpus/paper.pdf", "hooks/pre-commit", "batches/2026.json", "demo/mine.md", "citeloop-demo/Mine.md", "pages/index.html", "code/main.go", "other.json.2026-11-24.bak", ".claude.json.2026-11-24.bak.mine", "citeloop.db.backup"}
	write := func(dir, name, text string) { put(t, filepath.Join(dir, filepath.FromSlash(name)), text) }
	for _, name := range append(append([]string{}, own...), foreign...) {
		text := "x"
		if name == "projects" {
			text = project + "\n"
		}
		write(home, name, text)
	}
	write(project, ".citeloop/loops/"+loop+"/S1.md", "x")
	write(project, ".citeloop/.gitignore", "*")
	write(project, "main.go", "x")
	there := func(dir, name string) bool {
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		return err == nil
	}
	run := func(answer string, args ...string) (int, string) {
		t.Helper()
		env := map[string]string{"HOME": home, "USERPROFILE": home, "CITELOOP_DATA": home, "CITELOOP_CACHE": home}
		code, out, said := ranWith(t.Context(), strings.NewReader(answer), env, append([]string{"uninstall"}, args...)...)
		return code, out + said
	}
	for _, tt := range []struct {
		answer string
		args   []string
		code   int
		says   string
	}{
		{"", nil, console.ExitOK, "stay in " + home + "; 'citeloop uninstall --purge' removes them"},
		{"", []string{"--purge", "--dry-run"}, console.ExitOK, home + ": loops, texts, reports, indexes, settings of hooks, 11 files"},
		{"n\n", []string{"--purge"}, console.ExitFailed, "nothing was removed"},
		{"", []string{"--purge"}, console.ExitFailed, "no answer; use --yes"},
	} {
		code, said := run(tt.answer, tt.args...)
		if code != tt.code || !strings.Contains(said, tt.says) {
			t.Errorf("%v: status %d, want %d and %q:\n%s", tt.args, code, tt.code, tt.says, said)
		}
		for _, name := range own {
			if !there(home, name) {
				t.Fatalf("%v removed %s", tt.args, name)
			}
		}
	}
	if code, said := run("", "--purge", "--yes"); code != console.ExitOK {
		t.Errorf("status %d: %s", code, said)
	}
	for _, name := range own {
		if there(home, name) {
			t.Errorf("%s is left", name)
		}
	}
	for _, name := range foreign {
		if !there(home, name) {
			t.Errorf("%s was removed", name)
		}
	}
	if there(project, ".citeloop") || !there(project, "main.go") || there(home, "corpus/0123456789abcdef") {
		t.Error("empty folders are left, or a file of the project is gone")
	}
}
