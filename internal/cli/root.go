// Package cli is the command line, with one file for each command. Below it, package console has what a command knows of the world,
// setup builds the service from flags and environment, safefile opens files, check is verify, and clients sets a machine up.
package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/check"
	"github.com/citeloop/citeloop/internal/cli/clients"
	"github.com/citeloop/citeloop/internal/cli/console"
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
		Long: `citeloop is an MCP server that keeps the state of a research loop. Your assistant (in Claude Code, any MCP
client) thinks; citeloop remembers, searches, fetches, checks each claim against the text that was read, and decides by
reproducible rules when to stop.

  citeloop install   add it to an MCP client
  citeloop demo      watch a recorded loop on built-in texts, offline
  citeloop ui        open the page with your loops

Exit status` + console.ExitHelp(),
		Version:       console.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          console.OnlySubcommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("citeloop {{.Version}}\n")
	root.SetFlagErrorFunc(console.UnknownFlag)
	opts.Register(root.PersistentFlags())
	root.AddCommand(newAudit(p, &opts), newServe(p, &opts), newCorpus(p, &opts), newDemo(p, &opts), newDoctor(p, &opts), newExtract(p, &opts), newFetch(p, &opts), newHook(p, &opts), clients.NewInstall(p, &opts), newLoops(p, &opts), newResearch(p, &opts), newSearch(p, &opts), newToken(p, rand.Reader), newUI(p, &opts), clients.NewUninstall(p), check.New(p, &opts), newVersion(p))
	return root
}
