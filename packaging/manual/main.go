// Command manual writes the man pages and shell completions of a release.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/citeloop/citeloop/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manual FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

// write writes man/*.1 and completions/citeloop.*. Pages have the date of SOURCE_DATE_EPOCH if it is set, for reproducible
// builds.
func write(folder string) error {
	man, completions := filepath.Join(folder, "man"), filepath.Join(folder, "completions")
	for _, dir := range []string{man, completions} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	root := cli.Command()
	root.DisableAutoGenTag = true
	keepLines(root)
	header := &doc.GenManHeader{Title: "CITELOOP", Section: "1", Source: "citeloop " + cli.Version, Manual: "citeloop"}
	return errors.Join(
		doc.GenManTree(root, header, man),
		root.GenBashCompletionFileV2(filepath.Join(completions, "citeloop.bash"), true),
		root.GenZshCompletionFile(filepath.Join(completions, "citeloop.zsh")),
		root.GenFishCompletionFile(filepath.Join(completions, "citeloop.fish"), true),
		root.GenPowerShellCompletionFileWithDesc(filepath.Join(completions, "citeloop.ps1")),
	)
}

// keepLines preserves the line breaks of indented help text: manuals would otherwise join the rows of a table.
func keepLines(cmd *cobra.Command) {
	var b strings.Builder
	set := false // indented
	for line := range strings.Lines(cmd.Long) {
		in := strings.HasPrefix(line, "  ") || set && strings.TrimSpace(line) == ""
		if in != set {
			b.WriteString("\n")
		}
		if set = in; in && strings.TrimSpace(line) != "" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	cmd.Long = b.String()
	for _, sub := range cmd.Commands() {
		keepLines(sub)
	}
}
