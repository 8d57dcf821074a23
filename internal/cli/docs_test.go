package cli

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var updateDocs = flag.Bool("update-docs", false, "write docs/command-line.md")

const root = "../.."

// docCommand is a citeloop command that a document shows.
type docCommand struct {
	file string
	line string
	path string   // of the subcommand, such as "citeloop loops report"
	used []string // path and flag, or path alone without flags
}

var (
	inlineCode  = regexp.MustCompile("`([^`]+)`")
	environment = regexp.MustCompile(`^[A-Z_]+=`)
	bareWord    = regexp.MustCompile(`^[a-z]+$`)
	condition   = regexp.MustCompile(`^(\[[^]]*\] )+`)
)

// readCommand parses the words of a call. It fails the test if the command or a flag does not exist.
func readCommand(t *testing.T, file, line string) (docCommand, bool) {
	t.Helper()
	words := splitWords(line)
	for len(words) > 0 && environment.MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || words[0] != "citeloop" {
		return docCommand{}, false
	}
	cmd, _, err := Command().Find(words[1:])
	if err != nil {
		t.Errorf("%s: %s: %v", file, line, err)
		return docCommand{}, false
	}
	if rest := words[1+strings.Count(cmd.CommandPath(), " "):]; cmd.HasSubCommands() && len(rest) > 0 && bareWord.MatchString(rest[0]) {
		if err := cmd.ValidateArgs(rest[:1]); err != nil {
			t.Errorf("%s: %s: %v", file, line, err)
		}
	}
	c := docCommand{file: file, line: line, path: cmd.CommandPath()}
	for _, w := range words[1:] {
		if w == "&&" || w == "|" || w == ">" || w == "||" {
			break
		}
		if name, ok := strings.CutPrefix(w, "--"); ok {
			name, _, _ = strings.Cut(name, "=")
			if !hasFlag(cmd, name) {
				t.Errorf("%s: %s: %s has no flag --%s", file, line, c.path, name)
				continue
			}
			c.used = append(c.used, c.path+" --"+name)
		}
	}
	if len(c.used) == 0 {
		c.used = []string{c.path}
	}
	return c, true
}

func hasFlag(cmd *cobra.Command, name string) bool {
	if name == "help" || cmd.Flags().Lookup(name) != nil || cmd.PersistentFlags().Lookup(name) != nil {
		return true
	}
	found := false
	cmd.VisitParents(func(p *cobra.Command) { found = found || p.PersistentFlags().Lookup(name) != nil })
	return found
}

// splitWords splits a line of a shell, without its comment.
func splitWords(line string) []string {
	var words []string
	var b strings.Builder
	var quote rune
	in := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(r)
		case r == '"' || r == '\'':
			quote, in = r, true
		case r == '#' && !in:
			return words
		case r == ' ' || r == '\t' || r == '\n':
			if in {
				words = append(words, b.String())
				b.Reset()
			}
			in = false
		default:
			b.WriteRune(r)
			in = true
		}
	}
	if in {
		words = append(words, b.String())
	}
	return words
}

// documents are the pages for people, by their paths.
func documents(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*.md", "examples/*/*.md", "bench/*.md", "packaging/*/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			out[filepath.ToSlash(strings.TrimPrefix(f, filepath.FromSlash(root+"/")))] = string(readFile(t, f))
		}
	}
	delete(out, "docs/command-line.md") // generated
	return out
}

// Every citeloop command in the documents exists with its flags, and a test script runs it with them.
func TestCommandsOfTheDocs(t *testing.T) {
	run := map[string]bool{}
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txt" {
			return err
		}
		body, err := os.ReadFile(path)
		for line := range strings.Lines(string(body)) {
			line = condition.ReplaceAllString(line, "")
			_, call, ok := strings.Cut(line, "citeloop ")
			line = strings.Replace(line, "! exec citeloop doctor --ask", "exec citeloop doctor --ask", 1) // without a network it fails
			if !ok || strings.HasPrefix(line, "!") || strings.HasPrefix(line, "#") || !strings.HasPrefix(line, "exec ") && !strings.HasPrefix(line, "exits ") {
				continue
			}
			cmd, _, err := Command().Find(splitWords(call))
			if err != nil {
				continue
			}
			run[cmd.CommandPath()] = true
			for _, w := range splitWords(call) {
				if strings.HasPrefix(w, "--") {
					name, _, _ := strings.Cut(w, "=")
					run[cmd.CommandPath()+" "+name] = true
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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
				c, ok := readCommand(t, file, call)
				if !ok {
					continue
				}
				found++
				for _, used := range c.used {
					if _, elsewhere := ranElsewhere[used]; !run[used] && !elsewhere {
						t.Errorf("%s: %s: no script of testdata runs %q", file, call, used)
					}
				}
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d commands were found", found)
	}
}

// ranElsewhere names the Go tests of commands that need more than a script: a server that keeps running, a fake endpoint,
// a store with other owners.
var ranElsewhere = map[string]string{
	"citeloop loops export --sign":            "internal/cli/signedarchive_test.go TestExportSignsForImport",
	"citeloop loops import --allowed-signers": "internal/cli/signedarchive_test.go TestExportSignsForImport",
	"citeloop serve --read-only":              "internal/cli/servetools_test.go TestServeToolsUsage",
	"citeloop serve --tools":                  "internal/cli/servetools_test.go TestServeToolsUsage",
	"citeloop serve --http":                   "internal/cli/serve_test.go TestServeOnANetwork",
	"citeloop serve --tls-cert":               "internal/cli/serve_test.go TestServeOnANetwork",
	"citeloop serve --tls-key":                "internal/cli/serve_test.go TestServeOnANetwork",
	"citeloop serve --tokens":                 "internal/cli/serve_test.go TestServeOnANetwork",
	"citeloop serve --allow-host":             "server/access/sites_test.go TestSites",
	"citeloop serve --public-url":             "internal/cli/serve_test.go TestServeTellsOAuthClientsWhereToLogIn",
	"citeloop serve --oauth-issuer":           "internal/cli/serve_test.go TestServeTellsOAuthClientsWhereToLogIn",
	"citeloop serve --oauth-jwks":             "internal/cli/serve_test.go TestServeTellsOAuthClientsWhereToLogIn",
	"citeloop serve --store":                  "internal/e2e/review_test.go TestReviewOverStdio",
	"citeloop serve --key-file":               "internal/cli/serve_test.go TestReplicasAnswerEachOthersCalls",
	"citeloop loops delete --owner":           "internal/cli/delete_test.go TestDeleteAnswers",
	"citeloop loops delete --store":           "internal/e2e/review_test.go TestReviewOverStdio",
	"citeloop loops list --store":             "internal/e2e/review_test.go TestReviewOverStdio",
	"citeloop upgrade --check":                "internal/cli/upgrade_test.go TestUpgradeCommand",
	"citeloop research":                       "internal/cli/research_test.go TestResearchResumes",
	"citeloop ui":                             "internal/cli/ui_test.go TestUI",
}

func TestTestsOfTheDocsExist(t *testing.T) {
	for used, where := range ranElsewhere {
		file, name, _ := strings.Cut(where, " ")
		if !strings.Contains(string(readFile(t, filepath.Join(root, file))), "\nfunc "+name+"(t *testing.T)") {
			t.Errorf("%s: %s has no test %s", used, file, name)
		}
	}
}

// docs/command-line.md is generated from the help texts.
func TestCommandLineReference(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Command line\n\n`go test ./internal/cli -run TestCommandLineReference -update-docs` writes this page from the help texts.\n[commands.md](commands.md) is the guide, [settings.md](settings.md) has the environment variables.\n")
	writeReference(&b, Command())
	path := filepath.Join(root, "docs", "command-line.md")
	if *updateDocs {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(readFile(t, path)), b.String()); diff != "" {
		t.Errorf("docs/command-line.md (-file +program); run go test ./internal/cli -run TestCommandLineReference -update-docs:\n%s", diff)
	}
}

func writeReference(b *strings.Builder, cmd *cobra.Command) {
	if cmd.Hidden || !cmd.IsAvailableCommand() && cmd.HasParent() || cmd.Name() == "help" {
		return
	}
	b.WriteString("\n## " + cmd.CommandPath() + "\n\n```\n" + strings.TrimRight(helpOf(cmd), "\n") + "\n```\n")
	for _, sub := range cmd.Commands() {
		writeReference(b, sub)
	}
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
