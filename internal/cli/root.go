// Package cli is the command line, with one file for each command. Below it, package console has what a command knows of the world,
// setup builds the service from flags and environment, safefile opens files, check is verify, and clients sets a machine up.
package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/check"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/cli/setup"
)

// Version of citeloop, in semantic versioning.
const Version = console.Version

// Process is the interface of a run to the operating system.
type Process = console.Process

// Main runs a command and returns its exit code.
func Main(ctx context.Context, p console.Process) int {
	if p.InCI() {
		p.Stderr = console.Messages{Out: p.Stderr}
	}
	root := newRoot(p)
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return console.ExitOK
	}
	var end console.End
	if errors.As(err, &end) && end.Cause == nil {
		return end.Code
	}
	fmt.Fprintf(p.Stderr, "citeloop: %s\n", console.WithoutControls(fmt.Sprint(problem(err))))
	var usage console.UsageError
	if errors.As(err, &usage) {
		fmt.Fprintf(p.Stderr, "Run '%s --help' for the usage.\n", cmd.CommandPath())
		return console.ExitUsage
	}
	if end.Cause != nil {
		return end.Code
	}
	return console.ExitFailed
}

// Command returns the command line, for generating manuals.
func Command() *cobra.Command {
	return newRoot(console.Process{LookupEnv: func(string) (string, bool) { return "", false }})
}

func newRoot(p console.Process) *cobra.Command {
	var opts setup.Options
	root := &cobra.Command{
		Use:   "citeloop",
		Short: "Research in rounds, with every sentence traced to text that was read",
		Long: `Your assistant thinks; citeloop remembers, searches, fetches, checks each claim against the text that was read, and decides
by reproducible rules when to stop.

  citeloop demo                watch a recorded loop on built-in texts, offline
  citeloop install CLIENT      let an assistant research with it
  citeloop verify FILE         check a text against the sources that it cites

Exit status: 0 success, 1 failed or findings, 2 wrong usage, 3 undecided or not all could be read, 130 interrupted.`,
		Version:       console.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          console.OnlySubcommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("citeloop {{.Version}}\n")
	root.SetFlagErrorFunc(console.UnknownFlag)
	opts.Register(root.PersistentFlags())
	opts.Named = func() []string { return install.Folders(p) }
	root.AddCommand(newServe(p, &opts), install.NewInstall(p, &opts), install.NewUninstall(p), newDemo(p, &opts), check.New(p, &opts),
		newAudit(p, &opts), newFetch(p, &opts), newSearch(p, &opts), newResearch(p, &opts), newLoops(p, &opts), newChannels(p, &opts),
		newDoctor(p, &opts), newToken(p), newUI(p, &opts), newVersion(p), newHook(p, &opts))
	return root
}
