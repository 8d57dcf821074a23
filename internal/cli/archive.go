package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
)

func newLoopsExport(p console.Process, opts *setup.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "export ID [FILE]",
		Short: "Export a loop to one file",
		Long: `Export a loop to one file of JSON Lines for 'citeloop loops import': the log and every text that was read.

Your own files are included with their paths, and so are pasted texts: check the export before you share it.

Without FILE it writes ID.jsonl in this folder. An existing file is not overwritten.`,
		Example: `  citeloop loops export 0199c1d2 research.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return console.Usagef("missing or unexpected argument: export takes the id of a loop and optionally the file to write")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return setup.WithLoop(cmd.Context(), p, opts, args[0], func(svc *loops.Service, id string) error {
				name := id + ".jsonl"
				if len(args) == 2 {
					name = args[1]
				}
				return writeNew(p, name, func(f io.Writer) error { return svc.Export(cmd.Context(), id, f) })
			})
		},
	}
}

func newLoopsImport(p console.Process, opts *setup.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Import an exported loop after checking every hash in it",
		Long: `Import an exported loop after checking every hash in it. After a crash, the loop is complete or absent.

Hashes show damage, not forgery. Verdicts on claims are shown as given elsewhere, because they were not repeated here.`,
		Example: `  citeloop loops import research.jsonl`,
		Args:    console.OneArgument("the file that export wrote"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				f, err := os.Open(args[0])
				if errors.Is(err, fs.ErrNotExist) {
					return console.Usagef("no such file: %s; name a file that 'citeloop loops export' wrote", args[0])
				}
				if err != nil {
					return err
				}
				defer f.Close()
				got, err := svc.Import(cmd.Context(), f)
				if err != nil {
					return err
				}
				fmt.Fprintf(p.Stdout, "loop %s: %d events and %s, all hashes valid\n", got.StateID, got.Events,
					english.Plural(got.Texts, "text", ""))
				if got.Unchecked > 0 {
					fmt.Fprintf(p.Stdout, "note: the verdicts of %s come with the file; they were not repeated here\n",
						english.Plural(got.Unchecked, "claim", ""))
				}
				return nil
			})
		},
	}
}
