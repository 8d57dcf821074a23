// Package cli is the command line, with one file for each command. It reads flags and the environment into a
// configuration and passes it down; no other package reads either.
package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
)

// Process is the interface of a run to the operating system; tests replace it.
type Process struct {
	Args      []string
	Stdin     io.Reader
	Stdout    io.Writer
	Stderr    io.Writer
	LookupEnv func(string) (string, bool)
	// Open shows a web address to the user; nil uses the system's browser.
	Open func(ctx context.Context, address string) error
}

func (p Process) env(name string) string {
	v, _ := p.LookupEnv(name)
	return v
}

// usageError is an invalid call of a command.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Main runs a command and returns its exit code.
func Main(ctx context.Context, p Process) int {
	if p.inCI() {
		p.Stderr = messages{p.Stderr}
	}
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
	fmt.Fprintf(p.Stderr, "citeloop: %s\n", withoutControls(fmt.Sprint(problem(err))))
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

// Command returns the command line, for generating manuals.
func Command() *cobra.Command {
	return newRoot(Process{LookupEnv: func(string) (string, bool) { return "", false }})
}

func newRoot(p Process) *cobra.Command {
	var opts options
	root := &cobra.Command{
		Use:   "citeloop",
		Short: "Research in rounds, with every sentence traced to text that was read",
		Long: `citeloop is an MCP server that keeps the state of a research loop. Your assistant (in Claude Code, any MCP
client) thinks; citeloop remembers, searches, fetches, checks each claim against the text that was read, and decides by
reproducible rules when to stop.

  citeloop init      set it up for a folder, step by step
  citeloop install   add it to an MCP client
  citeloop demo      watch a recorded loop on built-in texts, offline
  citeloop ui        open the page with your loops

Exit status` + exitHelp(),
		Version:       Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlySubcommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("citeloop {{.Version}}\n")
	root.SetFlagErrorFunc(unknownFlag)
	opts.register(root.PersistentFlags())
	root.AddCommand(newServe(p, &opts), newCorpus(p, &opts), newDemo(p, &opts), newDoctor(p, &opts), newExtract(p, &opts), newFetch(p, &opts), newHooks(p, &opts), newInit(p, &opts), newInstall(p, &opts), newLoops(p, &opts), newResearch(p, &opts), newSearch(p, &opts), newToken(p, rand.Reader), newUI(p, &opts), newUninstall(p, &opts), newUpgrade(p), newVerify(p, &opts), newVersion(p))
	completeWords(root)
	return root
}

// commandNames returns the visible commands, sorted.
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

// onlySubcommands refuses unknown subcommands.
func onlySubcommands(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("unknown command %q%s", args[0], suggestOrList(args[0], commandNames(cmd)))}
	}
	return nil
}

// oneArgument requires one argument, and says what the command takes.
func oneArgument(takes string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageError{fmt.Errorf("missing or unexpected argument: %s takes %s", cmd.Name(), takes)}
		}
		return nil
	}
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("unexpected argument %q: %s takes only flags", args[0], cmd.Name())}
	}
	return nil
}
