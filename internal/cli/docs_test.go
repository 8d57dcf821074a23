package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var updateDocs = flag.Bool("update-docs", false, "write the list in docs/commands.md")

const root = "../.."

var (
	inlineCode = regexp.MustCompile("`([^`]+)`")
	quotedWord = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	variable   = regexp.MustCompile(`^(?:\$ )?(?:[A-Z_]+=\S* )*`)
	endOfCall  = regexp.MustCompile(` #| && | \|{1,2} | > `)
)

// isCommand reports whether a line calls citeloop. It fails the test if the command or a flag does not exist.
func isCommand(t *testing.T, file, line string) bool {
	t.Helper()
	call := quotedWord.ReplaceAllString(strings.TrimPrefix(line, variable.FindString(line)), "QUOTED")
	words := strings.Fields(endOfCall.Split(call, 2)[0])
	if len(words) == 0 || words[0] != "citeloop" || len(words) > 1 && words[1] == "COMMAND" {
		return false
	}
	cmd, rest, err := Command().Find(words[1:])
	if err != nil || cmd.HasSubCommands() && len(rest) > 0 && cmd.Name() != "token" && !strings.HasPrefix(rest[0], "-") {
		t.Errorf("%s: %s: no such command: %v", file, line, err)
		return false
	}
	cmd.InitDefaultHelpFlag()
	for _, word := range words {
		name, is := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		if is && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil && cmd.PersistentFlags().Lookup(name) == nil {
			t.Errorf("%s: %s: %s has no flag --%s", file, line, cmd.CommandPath(), name)
		}
	}
	return true
}

// Every citeloop command in the documents for people exists, and so do its flags.
func TestCommandsOfTheDocs(t *testing.T) {
	found := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*.md", "examples/*/*.md",
		"examples/plugin/skills/*/*.md", "bench/*.md", "packaging/*/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if filepath.Base(file) == "CHANGELOG.md" { // it names what is gone
				continue
			}
			fence := false
			for line := range strings.Lines(strings.ReplaceAll(string(readFile(t, file)), "\\\n", " ")) {
				calls := []string{strings.TrimSpace(line)}
				if strings.HasPrefix(calls[0], "```") {
					fence = !fence
				}
				if !fence {
					calls = calls[:0]
					for _, m := range inlineCode.FindAllStringSubmatch(line, -1) {
						calls = append(calls, m[1])
					}
				}
				for _, call := range calls {
					if isCommand(t, file, call) {
						found++
					}
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d commands were found", found)
	}
}

// The list of commands and flags in docs/commands.md is generated.
func TestCommandLineReference(t *testing.T) {
	path := filepath.Join(root, "docs", "commands.md")
	const heading = "## All commands and flags\n"
	before, _, _ := strings.Cut(string(readFile(t, path)), heading)
	var b strings.Builder
	b.WriteString(before + heading + "\nOf every command: " + flagsOf(Command().PersistentFlags()) +
		"\n\n| command | purpose | flags |\n| --- | --- | --- |\n")
	writeReference(&b, Command())
	if *updateDocs {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(readFile(t, path)), b.String()); diff != "" {
		t.Errorf("docs/commands.md (-file +program); run go test ./internal/cli -run TestCommandLineReference -update-docs:\n%s", diff)
	}
}

func writeReference(b *strings.Builder, cmd *cobra.Command) {
	if cmd.Hidden || !cmd.IsAvailableCommand() && cmd.HasParent() || cmd.Name() == "help" || cmd.Name() == "completion" {
		return
	}
	if cmd.Runnable() && cmd.HasParent() && !cmd.HasSubCommands() {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", strings.TrimPrefix(cmd.UseLine(), "citeloop "), cmd.Short,
			flagsOf(cmd.LocalNonPersistentFlags()))
	}
	for _, sub := range cmd.Commands() {
		writeReference(b, sub)
	}
}

func flagsOf(flags *pflag.FlagSet) string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			names = append(names, "`--"+f.Name+"`")
		}
	})
	return strings.Join(names, " ")
}

// Help is read on one screen, and nobody chooses among twenty flags.
func TestHelpIsShort(t *testing.T) {
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		lines := strings.Count(cmd.Long+cmd.Example+cmd.LocalFlags().FlagUsages(), "\n") + 12 // titles, usage, flags of all commands
		if flags := strings.Count(cmd.LocalNonPersistentFlags().FlagUsages(), "\n"); (lines > 40 || flags > 10) && cmd.Name() != "verify" {
			t.Errorf("%s: %d lines of help, %d flags", cmd.CommandPath(), lines, flags)
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(Command())
}
