package hosts

import (
	"fmt"
	"os"
	"strings"
)

// measure prints how much of the probe's answers, instructions and descriptions the client shows to the model.
func (a *agent) measure() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	add := map[string][]string{
		"claude-code": {"mcp", "add", "--scope", "user", "citeloop", "--", self, "-serve-probe"},
		"codex":       {"mcp", "add", "citeloop", "--", self, "-serve-probe"},
		"gemini-cli":  {"mcp", "add", "--scope", "user", "citeloop", self, "-serve-probe"},
	}
	if _, err := a.client(add[a.name]); err != nil {
		return err
	}
	m, err := a.converse(probing(), true, "ENABLE_TOOL_SEARCH=false") // tool search would hide the tools of a server without alwaysLoad
	if err != nil {
		return err
	}
	for _, r := range m.requests {
		t, ok := r.find("loop_init")
		if !ok {
			continue
		}
		fmt.Fprintf(&a.out, "%s\n  instructions: %d of %d characters\n  description of a tool: numbered to %d of 5,000\n  deferred: %v\n", a.title, lastNumber(r.Text), len(probeInstructions), lastNumber(t.Description), t.Deferred)
		break
	}
	if err := a.measurePermission(); err != nil {
		return err
	}
	for i, c := range m.calls {
		result := m.results[i]
		var seen []string
		for _, word := range []string{"TEXT", "STRUCTURED", "LINK"} {
			if strings.Contains(result, word) {
				seen = append(seen, strings.ToLower(word))
			}
		}
		begin := result
		if n := strings.Index(result, "w0"); n >= 0 {
			begin = result[:n]
		}
		fmt.Fprintf(&a.out, "  %-12s %7d characters, numbered to %d %s | %.160q\n", c.Tool, len(result), lastNumber(result), strings.Join(seen, "+"), begin)
	}
	return nil
}

// measurePermission prints which tools run without a user to ask.
func (a *agent) measurePermission() error {
	m, err := a.converse([]func(*model) call{
		func(*model) call { return call{Tool: "loop_init", Args: object{"query": "What is at Cape Arden?"}} },
		func(*model) call { return call{Tool: "writes", Args: object{}} },
		func(*model) call { return call{} },
	}, false, "ENABLE_TOOL_SEARCH=false")
	if m == nil || len(m.results) < 2 {
		fmt.Fprintf(&a.out, "  without permission, the tools are not offered: %.200s\n", err)
		return nil
	}
	for i, hint := range []string{"true", "false"} {
		fmt.Fprintf(&a.out, "  without permission, readOnlyHint %-5s: %.160q\n", hint, m.results[i])
	}
	return nil
}
