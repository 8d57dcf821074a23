package cli

import (
	"strings"
	"testing"
)

func TestLastLoop(t *testing.T) {
	const (
		first  = "0199c1d2-0000-7000-8000-000000000001"
		second = "0199c1d2-0000-7000-8000-000000000002"
		other  = "0199c1d2-0000-7000-8000-000000000003" // an id that is not a loop's
	)
	call := func(id string) string {
		return `{"type":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","name":"fetch","input":{"state_id":"` + id + `"}}]}}`
	}
	answer := func(ids ...string) string {
		return `{"type":"user","message":{"content":[{"type":"tool_result","content":"{\"loops\":[\"` + strings.Join(ids, `\",\"`) + `\"]}"}]}}`
	}
	known := map[string]bool{first: true, second: true}
	for _, row := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"nothing", nil, ""},
		{"an unknown loop", []string{call(other)}, ""},
		{"the last call counts", []string{call(first), call(second), call(other)}, second},
		{"a list of loops is not a call", []string{call(second), answer(second, first)}, second},
		{"started, not used yet", []string{answer(first)}, first},
		{"the user names it", []string{`{"type":"user","message":{"content":"go on with ` + second + `"}}`}, second},
		{"a truncated line", []string{call(first), call(second)[:60]}, first},
	} {
		if got := lastLoop([]byte(strings.Join(row.lines, "\n")), known); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}
