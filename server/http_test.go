package server

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestListenLoopbackOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.org:80", "8080", ""} {
		if l, err := Listen(t.Context(), address, nil); err == nil {
			l.Close()
			t.Errorf("listens on %q", address)
		}
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0"} {
		l, err := Listen(t.Context(), address, nil)
		if err != nil {
			t.Errorf("does not listen on %q: %v", address, err)
			continue
		}
		l.Close()
	}
}

// maxInstructions leaves a reserve: Claude Code cuts instructions at 2,048 characters.
const maxInstructions = 1_800

func TestInstructionsFit(t *testing.T) {
	if n := utf8.RuneCountInString(instructions); n > maxInstructions {
		t.Errorf("instructions have %d characters, at most %d are allowed", n, maxInstructions)
	}
	if head := instructions[:250]; !strings.Contains(head, "loop_init(query)") || !strings.Contains(head, "citations checked") {
		t.Errorf("the first 250 characters, which are all that Codex shows, do not say what citeloop is for and which tool comes first: %q",
			head)
	}
	for _, tool := range []string{"loop_init", "run_channel", "list_channels", "fetch", "find_passages", "verify_citations", "loop_reflect",
		"loop_report", "loop_list", "loop_get_state", "loop_update"} {
		if !strings.Contains(instructions, tool) {
			t.Errorf("instructions do not name %s", tool)
		}
	}
}
