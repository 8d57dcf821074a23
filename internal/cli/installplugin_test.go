package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
)

const pluginDir = "../../examples/plugin"

var (
	snakeWords = regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)
	calls      = regexp.MustCompile("`([a-z_]+)\\(([^)]*)\\)`")
	scoped     = regexp.MustCompile(`mcp__[A-Za-z_]+?__([a-z_]+)`)
)

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestPluginManifests(t *testing.T) {
	var plugin struct{ Name, Version, Description, License string }
	var market struct {
		Name    string
		Plugins []struct{ Name, Source, Description string }
	}
	var servers struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	for path, into := range map[string]any{".claude-plugin/plugin.json": &plugin, "../../.claude-plugin/marketplace.json": &market,
		".mcp.json": &servers} {
		if err := json.Unmarshal(readFile(t, filepath.Join(pluginDir, path)), into); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if plugin.Name != "citeloop" || plugin.Version != console.Version {
		t.Errorf("the plugin is %s %s, want citeloop %s", plugin.Name, plugin.Version, console.Version)
	}
	if len(market.Plugins) != 1 || market.Plugins[0].Name != plugin.Name || market.Plugins[0].Source != "./examples/plugin" ||
		market.Plugins[0].Description != plugin.Description {
		t.Errorf("the marketplace has %+v, want the plugin in examples", market.Plugins)
	}
	if s := servers.MCPServers["citeloop"]; s.Command != "citeloop" || !slices.Equal(s.Args, []string{"serve"}) {
		t.Errorf("the plugin's server is %+v, want citeloop serve", s)
	}
}

// The server has every tool, argument and status that the skill and the agents name, and every call has arguments of its tool.
func TestPluginToolNames(t *testing.T) {
	arguments, words := map[string]map[string]any{}, map[string]bool{} // by tool; all names in the schemas
	golden, _ := filepath.Glob("../../tools/schemas/*.json")
	for _, file := range golden {
		var s struct {
			Name        string
			InputSchema struct{ Properties map[string]any }
		}
		text := readFile(t, file)
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		arguments[s.Name] = s.InputSchema.Properties
		for _, word := range snakeWords.FindAllString(s.Name+" "+string(text), -1) {
			words[word] = true
		}
	}
	// Keys and values of answers, which the schemas do not have: of a decision, a verdict, a search, a searcher's result.
	for _, word := range []string{"search_more", "fetch_more", "escalate_budget", "next_action", "next_queries", "next_urls_to_fetch",
		"stop_reason", "not_read", "better_source", "rate_limited", "could_not_read"} {
		words[word] = true
	}
	var all strings.Builder
	for _, pattern := range []string{"agents/*.md", "skills/*/SKILL.md", "README.md"} {
		files, _ := filepath.Glob(filepath.Join(pluginDir, pattern))
		for _, file := range files {
			text := string(readFile(t, file))
			all.WriteString(text)
			for _, m := range scoped.FindAllStringSubmatch(text, -1) {
				if arguments[m[1]] == nil {
					t.Errorf("%s grants %s, and the server has no such tool", file, m[0])
				}
			}
			text = scoped.ReplaceAllString(text, "")
			for _, m := range calls.FindAllStringSubmatch(text, -1) {
				for argument := range strings.SplitSeq(m[2], ",") {
					if argument = strings.TrimSpace(argument); arguments[m[1]][argument] == nil {
						t.Errorf("%s calls %s with %q, which it does not take", file, m[1], argument)
					}
				}
			}
			for _, word := range snakeWords.FindAllString(text, -1) {
				if !words[word] {
					t.Errorf("%s mentions %q, which the server does not know", file, word)
				}
			}
		}
	}
	for name := range arguments {
		if !strings.Contains(all.String(), name) && name != "loop_add_gap" { // at the end of a round, gaps go to loop_reflect
			t.Errorf("the plugin never mentions %s", name)
		}
	}
	if len(arguments) < 10 || all.Len() == 0 {
		t.Error("no schemas, or no plugin")
	}
}
