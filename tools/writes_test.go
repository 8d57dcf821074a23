package tools

import "testing"

// Every tool that records something requires the write scope, even if its hint says read-only.
func TestWritesLog(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]bool{
		"loop_init": true, "loop_update": true, "loop_add_gap": true, "run_channel": true, "fetch": true, "verify_citations": true,
		"loop_reflect": true, "review_claims": true, "unknown": true,
		"loop_get_gaps": false, "loop_get_state": false, "loop_list": false, "find_passages": false, "list_channels": false, "loop_report": false,
	} {
		if got := WritesLog(tool); got != want {
			t.Errorf("WritesLog(%q) = %v", tool, got)
		}
	}
	for _, tool := range allTools(t) {
		if !*tool.Tool.Annotations.ReadOnlyHint && !WritesLog(tool.Tool.Name) {
			t.Errorf("%s changes something and asks for no right to", tool.Tool.Name)
		}
	}
}
