package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/loops"
)

func newLoopsExport(p Process, opts *options) *cobra.Command {
	return &cobra.Command{
		Use:     "export ID FILE",
		Short:   "Write a loop and every text it has read into one file",
		Example: "  citeloop loops export 0199c1d2-… research.zip",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{errors.New("export takes the id of a loop and the file to write")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return withService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				// O_EXCL: an archive that is there is somebody's only copy.
				f, err := os.OpenFile(args[1], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
				if err != nil {
					return err
				}
				if err := errors.Join(svc.Export(cmd.Context(), args[0], f), f.Sync(), f.Close()); err != nil {
					return errors.Join(err, os.Remove(args[1]))
				}
				fmt.Fprintf(p.Stdout, "%s written\n", args[1])
				return nil
			})
		},
	}
}

func newLoopsImport(p Process, opts *options) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Take in a loop that was exported elsewhere, after checking every hash in it",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{errors.New("import takes the file that export wrote")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return withService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				info, err := f.Stat()
				if err != nil {
					return err
				}
				got, err := svc.Import(cmd.Context(), f, info.Size())
				if err != nil {
					return err
				}
				fmt.Fprintf(p.Stdout, "loop %s: %d events and %d texts, every hash right\n", got.StateID, got.Events, got.Texts)
				return nil
			})
		},
	}
}
