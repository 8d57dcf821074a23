package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/loopstate"
)

const pluginDir = "../../examples/plugin"

// toolSchema is the part of a tool's golden file that the plugin uses.
type toolSchema struct {
	Name        string
	InputSchema struct{ Properties map[string]any }
}

// serverTools returns the server's tools, and every name in their schemas.
func serverTools(t *testing.T) (tools map[string]toolSchema, words map[string]bool) {
	t.Helper()
	files, err := filepath.Glob("../../tools/schemas/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden schemas: %v", err)
	}
	tools, words = map[string]toolSchema{}, map[string]bool{}
	for _, file := range files {
		text := readFile(t, file)
		var s toolSchema
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		tools[s.Name] = s
		for _, word := range snakeWords.FindAll(text, -1) {
			words[string(word)] = true
		}
	}
	return tools, words
}

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

// The server has every tool, argument and status that the skill and the agents name, and every call has arguments of
// its tool.
func TestPluginToolNames(t *testing.T) {
	tools, words := serverTools(t)
	var files []string
	for _, pattern := range []string{"agents/*.md", "skills/*/SKILL.md", "README.md"} {
		found, err := filepath.Glob(filepath.Join(pluginDir, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	// The golden files do not contain the keys of objects in answers.
	known := append(loopstate.NextActions(), jsonNames(t, loopstate.Decision{})...)
	// of a verdict, of a search, of a searcher's result
	known = append(known, "next_urls_to_fetch", "stop_reason", "not_read", "better_source", "rate_limited", "could_not_read")
	used := map[string]bool{}
	for _, file := range files {
		text := readFile(t, file)
		for _, m := range scoped.FindAllSubmatch(text, -1) {
			if _, ok := tools[string(m[1])]; !ok {
				t.Errorf("%s grants %s, and the server has no such tool", file, m[0])
			}
		}
		text = scoped.ReplaceAll(text, nil)
		for _, m := range calls.FindAllSubmatch(text, -1) {
			tool, ok := tools[string(m[1])]
			if !ok {
				t.Errorf("%s calls %s, and the server has no such tool", file, m[1])
				continue
			}
			used[tool.Name] = true
			for argument := range strings.SplitSeq(string(m[2]), ",") {
				if name := strings.TrimSpace(argument); tool.InputSchema.Properties[name] == nil {
					t.Errorf("%s calls %s with %q, which it does not take", file, tool.Name, name)
				}
			}
		}
		for _, word := range snakeWords.FindAll(text, -1) {
			if w := string(word); tools[w].Name == "" && !words[w] && !slices.Contains(known, w) {
				t.Errorf("%s mentions %q, which the server does not know", file, w)
			}
			used[string(word)] = true
		}
		used["fetch"] = used["fetch"] || bytes.Contains(text, []byte("`fetch`"))
	}
	for name := range tools {
		if !used[name] && name != "loop_add_gap" { // at the end of a round, gaps go to loop_reflect
			t.Errorf("the plugin never mentions %s", name)
		}
	}
}

func jsonNames(t *testing.T, v any) []string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	return slices.Collect(maps.Keys(object))
}
