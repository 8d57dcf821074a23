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
	inlineCode  = regexp.MustCompile("`([^`]+)`")
	environment = regexp.MustCompile(`^[A-Z_]+=`)
	bareWord    = regexp.MustCompile(`^[a-z]+$`)
	quotedWord  = regexp.MustCompile(`"[^"]*"|'[^']*'`)
)

// isCommand reports whether a line calls citeloop. It fails the test if the command or a flag does not exist.
func isCommand(t *testing.T, file, line string) bool {
	t.Helper()
	words := splitWords(line)
	for len(words) > 0 && environment.MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || words[0] != "citeloop" {
		return false
	}
	cmd, _, err := Command().Find(words[1:])
	if err != nil {
		t.Errorf("%s: %s: %v", file, line, err)
		return false
	}
	if rest := words[1+strings.Count(cmd.CommandPath(), " "):]; cmd.HasSubCommands() && len(rest) > 0 && bareWord.MatchString(rest[0]) {
		if err := cmd.ValidateArgs(rest[:1]); err != nil {
			t.Errorf("%s: %s: %v", file, line, err)
		}
	}
	for _, w := range words[1:] {
		if w == "&&" || w == "|" || w == ">" || w == "||" {
			break
		}
		if name, ok := strings.CutPrefix(w, "--"); ok {
			name, _, _ = strings.Cut(name, "=")
			if !hasFlag(cmd, name) {
				t.Errorf("%s: %s: %s has no flag --%s", file, line, cmd.CommandPath(), name)
			}
		}
	}
	return true
}

func hasFlag(cmd *cobra.Command, name string) bool {
	if name == "help" || cmd.Flags().Lookup(name) != nil || cmd.PersistentFlags().Lookup(name) != nil {
		return true
	}
	found := false
	cmd.VisitParents(func(p *cobra.Command) { found = found || p.PersistentFlags().Lookup(name) != nil })
	return found
}

// splitWords splits a line of a shell, without its comment. What is quoted is one word.
func splitWords(line string) []string {
	line = quotedWord.ReplaceAllString(line, "QUOTED")
	line, _, _ = strings.Cut(line, " #")
	return strings.Fields(line)
}

// documents are the pages for people, by their paths.
func documents(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*.md", "examples/*/*.md", "bench/*.md",
		"packaging/*/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			out[filepath.ToSlash(strings.TrimPrefix(f, filepath.FromSlash(root+"/")))] = string(readFile(t, f))
		}
	}
	delete(out, "CHANGELOG.md") // it names what is gone
	return out
}

// Every citeloop command in the documents exists, and so do its flags.
func TestCommandsOfTheDocs(t *testing.T) {
	found := 0
	for file, text := range documents(t) {
		fence := false
		for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") {
				fence = !fence
				continue
			}
			calls := []string{strings.TrimPrefix(line, "$ ")}
			if !fence {
				calls = nil
				for _, m := range inlineCode.FindAllStringSubmatch(line, -1) {
					calls = append(calls, m[1])
				}
			}
			for _, call := range calls {
				if strings.HasPrefix(call, "citeloop COMMAND") {
					continue
				}
				if isCommand(t, file, call) {
					found++
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
	many := map[string]bool{"verify": true} // more than ten flags or forty lines
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		flags := 0
		cmd.LocalNonPersistentFlags().VisitAll(func(*pflag.Flag) { flags++ })
		if lines := strings.Count(helpOf(cmd), "\n"); (lines > 40 || flags > 11) && !many[cmd.Name()] { // with --help
			t.Errorf("%s: %d lines of help, %d flags", cmd.CommandPath(), lines, flags)
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(Command())
}

// helpOf returns the output of --help.
func helpOf(cmd *cobra.Command) string {
	var b strings.Builder
	cmd.InitDefaultHelpFlag()
	cmd.SetOut(&b)
	_ = cmd.Help() // a writer of memory
	return b.String()
}

// The README is read in five minutes.
func TestReadmeIsShort(t *testing.T) {
	const most = 1200 // words, chosen
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(text))); n > most {
		t.Errorf("README.md has %d words; at most %d are allowed", n, most)
	}
}
