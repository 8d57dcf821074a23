package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestManual(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1800000000")
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := write(dir); err != nil {
			t.Fatal(err)
		}
	}
	for file, word := range map[string]string{
		"man/citeloop.1":              "Research in rounds",
		"man/citeloop-serve.1":        "allow-host",
		"man/citeloop-ui.1":           "no-open",
		"man/citeloop-install.1":      "env",
		"man/citeloop-loops.1":        "owner",
		"man/citeloop-research.1":     "searchers",
		"man/citeloop-token-revoke.1": "citeloop token list",
		"man/citeloop-verify.1":       "3 undecided: not all was read",
		"man/citeloop-loops-export.1": "citeloop loops export",
		"completions/citeloop.bash":   "__start_citeloop",
		"completions/citeloop.zsh":    "#compdef citeloop",
		"completions/citeloop.fish":   "complete -c citeloop",
		"completions/citeloop.ps1":    "Register-ArgumentCompleter",
	} {
		text, err := os.ReadFile(filepath.Join(first, file))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(text), word) {
			t.Errorf("%s does not have %q", file, word)
		}
		if again, err := os.ReadFile(filepath.Join(second, file)); err != nil || string(again) != string(text) {
			t.Errorf("%s is written otherwise the second time, %v", file, err)
		}
	}
}
