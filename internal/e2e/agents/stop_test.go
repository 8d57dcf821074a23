package agents

import (
	"fmt"
	"path/filepath"
	"strings"
)

// withPlugin returns the arguments of a conversation in which the client has citeloop's plugin; nil if it has no plugins.
func (a *agent) withPlugin(root string) ([]string, error) {
	switch a.name {
	case "claude-code":
		return []string{"--plugin-dir", filepath.Join(root, "examples", "plugin")}, nil
	case "codex":
		for _, args := range [][]string{{"plugin", "marketplace", "add", root}, {"plugin", "add", "citeloop@citeloop"}} {
			if _, err := a.client(args); err != nil {
				return nil, err
			}
		}
		return []string{"--dangerously-bypass-hook-trust"}, nil // users trust the hooks once, with /hooks
	}
	return nil, nil
}

// checkStop ends a turn with a wrong citation: the model is told its errors once, and gives the message again.
func (a *agent) checkStop(root string) error {
	if _, err := a.run(a.citeloop, []string{"uninstall", a.name}); err != nil {
		return err
	}
	args, err := a.withPlugin(root)
	if err != nil || args == nil {
		return err
	}
	const text = "The light of Skerrow was lit in 1874. Its keeper was Maria Holt, who wrote a line into her book in every night of " +
		"the year. The northern board paid her 214 crowns, and the parish gave her coal. In the year after, the board of trade sent a " +
		"second keeper."
	m, err := a.converse(script{
		func(*model) call {
			return call{Tool: "loop_init", Args: object{"query": "Who keeps the lighthouse of Skerrow?"}}
		},
		func(m *model) call {
			return call{Tool: "fetch", Args: object{"state_id": m.answered("loop_init", "state_id"), "text": text, "title": "Skerrow"}}
		},
		func(*model) call { return call{Say: "The light was lit in 1880 [S9]. The board pays for it."} },
		func(*model) call { return call{Say: "The light was lit in 1874 [S1:1]."} },
	}, args...)
	if err != nil {
		return fmt.Errorf("the hook of the last message: %w", err)
	}
	seen := m.requests[len(m.requests)-1].Text
	for _, want := range []string{"no source of the loop has the id S9", "cites nothing"} {
		if n := strings.Count(seen, want); n != 1 {
			return fmt.Errorf("the hook of the last message: the model sees %d times %q in\n%s", n, want, tail(seen))
		}
	}
	fmt.Fprintln(&a.out, "  plugin: the errors of the last message reach the model once")
	return nil
}
