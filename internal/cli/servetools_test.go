package cli

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
)

func TestServeToolsUsage(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		env  map[string]string
		says string
	}{
		{"a misspelled tool", []string{"serve", "--tools", "fetch,loop_inti"}, nil,
			`unknown tool "loop_inti" in --tools; did you mean "loop_init"?; valid tools: loop_init, `},
		{"a preset and a tool", []string{"serve", "--tools", "check,loop_init"}, nil, "--tools check,loop_init: a preset stands alone"},
		{"at install", []string{"install", "cursor", "--print", "--tools", "x"}, nil, `unknown tool "x" in --tools`},
	} {
		code, _, stderr := ran(t.Context(), tt.env, tt.args...)
		if code != console.ExitUsage || !strings.Contains(stderr, tt.says) {
			t.Errorf("%s: status %d: %s", tt.name, code, stderr)
		}
	}
}

// A folder that is gone, such as one of an unmounted disk, keeps no server from starting, and stays an error elsewhere.
func TestServeWithoutACorpusFolder(t *testing.T) {
	gone := t.TempDir() + "/gone"
	for command, code := range map[string]int{"serve": console.ExitOK, "search": console.ExitUsage} {
		args := []string{command, "--corpus", gone, "--data", t.TempDir()}
		if command == "search" {
			args = append(args, "x")
		}
		got, _, stderr := ran(t.Context(), nil, args...)
		if got != code || !strings.Contains(stderr, "gone") {
			t.Errorf("%s: status %d, want %d: %s", command, got, code, stderr)
		}
	}
}
