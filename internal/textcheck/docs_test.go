package textcheck

import (
	"os"
	"strings"
	"testing"
)

// SARIF links each rule to a heading.
func TestKindsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range AllKinds() {
		if !strings.Contains(string(page), "\n### "+string(kind)+"\n") {
			t.Errorf("docs/verdicts.md lacks a heading %q", kind)
		}
	}
}
