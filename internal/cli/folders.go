package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/clients"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
)

func newLoopsFolder(p console.Process, opts *setup.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "folder ID",
		Short: "Print the path of a loop's folder: its index, the text of each source, and its reports",
		Long: `Print the path of a loop's folder: index.md, the text of each source as S1.md, S2.md and so on, and the reports. Line 120 of
S1.md is what [S1:120] cites. What is missing there is written first. The folder is a view: changes in it change nothing.`,
		Example: `  grep -n latency "$(citeloop loops folder 0199c1d2)"/S*.md`,
		Args:    oneLoop,
		RunE: func(cmd *cobra.Command, args []string) error {
			return setup.WithLoop(cmd.Context(), p, opts, args[0], func(svc *loops.Service, id string) error {
				path, err := svc.Folder(cmd.Context(), id)
				switch {
				case err != nil:
					return fmt.Errorf("the folder of loop %s cannot be written: %w", id, err)
				case path == "":
					return errors.New("this loop has no folder: --folders is off, or its store is shared")
				}
				_, err = fmt.Fprintln(p.Stdout, path)
				return err
			})
		},
	}
}

// rootOf returns the folder that contains those of the loops, or "none".
func rootOf(svc *loops.Service) string {
	if svc.Folders == nil {
		return console.OrNone("")
	}
	return console.OrNone(svc.Folders.Root())
}

// folderProblem returns the problem of folders that cannot be written, or nil.
func folderProblem(svc *loops.Service) *clients.SetupProblem {
	if svc.Folders == nil {
		return nil
	}
	err := svc.Folders.Check()
	if err == nil {
		return nil
	}
	return &clients.SetupProblem{What: fmt.Sprintf("the folders of your loops in %s cannot be written: %v", svc.Folders.Root(), err), Remedy: "make it writable, or choose another place with --folders"}
}
