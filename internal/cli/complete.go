package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/research"
	"github.com/citeloop/citeloop/internal/textcheck"
	"github.com/citeloop/citeloop/server/access"
)

// completeWords registers the known values of arguments and flags for shell completion. The shell completes files and
// folders itself; other values, such as ids, have no completion.
func completeWords(root *cobra.Command) {
	texts := []string{formatMarkdown, "text", "json", "jsonl"}
	levels := []string{"debug", "info", "warn", "error"}
	scopes := []string{string(install.User), string(install.Project)}
	searched := append([]string{loops.AutoChannels}, source.Names()...)
	for path, flags := range map[string]map[string][]string{
		"":              {"log": levels},
		"corpus status": {"format": {"table", "json"}},
		"extract":       {"format": texts},
		"fetch":         {"format": texts},
		"install":       {"scope": scopes, "env": nil},
		"loops report":  {"format": report.Formats()},
		"loops show":    {"view": loops.Views()},
		"research":      {"format": research.Formats(), "channels": searched, "resume": nil, "continue": nil},
		"search":        {"format": {"table", "json"}, "channel": searched, "loop": nil},
		"token":         {"scopes": {access.Read.String(), access.All.String()}},
		"uninstall":     {"scope": scopes},
		"verify":        {"format": textcheck.Formats(), "store-loop": nil},
	} {
		cmd := commandAt(root, path)
		for name, words := range flags {
			// The only error is an unknown flag, which testdata/complete.txt would detect.
			_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	clients := cobra.FixedCompletions(install.Names(), cobra.ShellCompDirectiveNoFileComp)
	for path, complete := range map[string]cobra.CompletionFunc{
		"install": clients, "uninstall": clients,
		"fetch": cobra.NoFileCompletions, "search": cobra.NoFileCompletions, "token": cobra.NoFileCompletions, "token revoke": cobra.NoFileCompletions,
		"loops show": cobra.NoFileCompletions, "loops rounds": cobra.NoFileCompletions, "loops report": cobra.NoFileCompletions, "loops delete": cobra.NoFileCompletions,
	} {
		commandAt(root, path).ValidArgsFunction = complete
	}
}

// commandAt returns the command at a path, or root.
func commandAt(root *cobra.Command, path string) *cobra.Command {
	if path == "" {
		return root
	}
	all := root.Commands()
	for _, cmd := range all {
		all = append(all, cmd.Commands()...)
	}
	at := slices.IndexFunc(all, func(c *cobra.Command) bool { return c.CommandPath() == root.Name()+" "+path })
	return all[at]
}

// oneLoop requires one argument, the id of a loop.
var oneLoop = console.OneArgument("the id of one loop, or its unique beginning; see 'citeloop loops list'")
