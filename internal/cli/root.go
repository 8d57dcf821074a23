// Package cli is the command line: one file a command. It reads flags and the environment into a
// configuration, and passes it down; no other room reads either.
package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Process is what a run of the program gets from the operating system, so that tests can be one.
type Process struct {
	Args      []string
	Stdin     io.Reader
	Stdout    io.Writer
	Stderr    io.Writer
	LookupEnv func(string) (string, bool)
	// Open shows an address of the web to the user; nil is the system's own way.
	Open func(ctx context.Context, address string) error
}

func (p Process) env(name string) string {
	v, _ := p.LookupEnv(name)
	return v
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// usageError is a mistake in how a command was called.
type usageError struct{ error }

// Main runs a command and returns its exit code.
func Main(ctx context.Context, p Process) int {
	root := newRoot(p)
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	var end endError
	if errors.As(err, &end) && end.cause == nil {
		return end.code
	}
	fmt.Fprintf(p.Stderr, "citeloop: %s\n", problem(err))
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(p.Stderr, "Run '%s --help' for the usage.\n", cmd.CommandPath())
		return exitUsage
	}
	if end.cause != nil {
		return end.code
	}
	return exitFailed
}

// Command is the command line, for those who write manuals of it.
func Command() *cobra.Command {
	return newRoot(Process{LookupEnv: func(string) (string, bool) { return "", false }})
}

func newRoot(p Process) *cobra.Command {
	var opts options
	root := &cobra.Command{
		Use:   "citeloop",
		Short: "Research in rounds, with every sentence led back to text that was read",
		Long: `citeloop is an MCP server that keeps the state of a research loop. A host (Claude Code, Claude Desktop,
any MCP client) thinks; citeloop remembers, searches, reads, checks each claim against the text that was
read, and says by rules that can be replayed when to stop.

  Plug it in:   citeloop install
  See it work:  citeloop demo
  Look at it:   citeloop ui`,
		Version:           Version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args:              itsCommands,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("citeloop {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	opts.register(root.PersistentFlags())
	root.AddCommand(newServe(p, &opts), newCorpus(p, &opts), newDemo(p, &opts), newDoctor(p, &opts), newExtract(p, &opts), newFetch(p, &opts), newInstall(p, &opts), newLoops(p, &opts), newResearch(p, &opts), newSearch(p, &opts), newToken(p, rand.Reader), newUI(p, &opts), newUninstall(p), newVerify(p, &opts))
	completeWords(root)
	return root
}

// commandNames are the commands that a person may call, in the order of the alphabet.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" && c.Name() != "completion" {
			names = append(names, c.Name())
		}
	}
	slices.Sort(names)
	return names
}

// itsCommands refuses what is none of a command's own commands.
func itsCommands(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("there is no command %q; there are: %s", cmd.CommandPath()+" "+args[0], strings.Join(commandNames(cmd), ", "))}
	}
	return nil
}

// noArguments refuses arguments with a word about what was meant.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("%s takes no arguments, only flags; %q is one too many", cmd.Name(), args[0])}
	}
	return nil
}
