package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// The table in docs/commands.md has all exit codes with the words of the help.
func TestExitCodesManual(t *testing.T) {
	var want, got []string
	for _, c := range console.ExitCodes {
		want = append(want, fmt.Sprintf("| %d | %s |", c.Code, c.Meaning))
	}
	_, table, _ := strings.Cut(string(readFile(t, "../../docs/commands.md")), "| code | meaning |\n| --- | --- |\n")
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		got = append(got, strings.TrimSpace(line))
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/commands.md has the table\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
