package agents

import (
	"fmt"
	"regexp"
	"strings"
)

// checkPlugin installs the plugin from the repository with Claude Code's commands, works on a loop, compacts the
// conversation, and checks that the model gets the loop's brief again.
func (a *agent) checkPlugin(root string) error {
	if _, err := a.run(a.citeloop, []string{"uninstall", a.name}); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"plugin", "validate", "--strict", root},
		{"plugin", "validate", "--strict", root + "/examples/plugin"},
		{"plugin", "marketplace", "add", root},
		{"plugin", "install", "citeloop@citeloop"},
	} {
		if _, err := a.client(args); err != nil {
			return err
		}
	}
	listed, err := a.client([]string{"mcp", "list"})
	if err != nil {
		return err
	}
	if !regexp.MustCompile("plugin:citeloop:citeloop: .*Connected").MatchString(listed) {
		return fmt.Errorf("mcp list does not have the plugin's server:\n%s", listed)
	}

	var loop string
	steps := script{
		func(*model) call {
			return call{Tool: "loop_init", Args: object{"query": "Who keeps the lighthouse of Skerrow?"}}
		},
		func(m *model) call {
			loop = m.answered("loop_init", "state_id")
			return call{Tool: "loop_add_gap", Args: object{"state_id": loop, "gap": "Was it automated?", "query": "lighthouse automation",
				"material": true}}
		},
		func(*model) call { return call{} },
	}
	m, err := a.converse(steps)
	if err != nil {
		return err
	}
	if loop == "" {
		return fmt.Errorf("loop_init is answered: %.300s", m.results[0])
	}
	compacted := startModel(a.protocol, nil)
	defer compacted.Close()
	_, env := a.ask(compacted.URL)
	for _, prompt := range []string{"/compact", "Go on."} {
		if _, err := a.client([]string{"-p", prompt, "--continue", "--output-format", "json"}, env...); err != nil {
			return err
		}
	}
	for _, r := range compacted.requests {
		if len(r.Results) > 0 || !strings.Contains(r.Text, "Go on.") { // the whole conversation, to be compacted
			continue
		}
		for _, want := range []string{"worked on citeloop's loop " + loop, "Was it automated?",
			"Who keeps the lighthouse of Skerrow?"} {
			if !strings.Contains(r.Text, want) {
				return fmt.Errorf("after the compaction the model does not see %q:\n%s", want, tail(r.Text))
			}
		}
		fmt.Fprintln(&a.out, "  plugin: valid, installed, connected; after a compaction the model gets the loop's brief")
		return nil
	}
	return fmt.Errorf("of %d requests none is the one after the compaction", len(compacted.requests))
}
