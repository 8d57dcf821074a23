package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/loops"
)

func newLoopsExport(p Process, opts *options) *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use:   "export ID [FILE]",
		Short: "Write a loop, or what it has read as a web archive, into one file",
		Long: `Write a loop into one file.

As zip, which 'citeloop loops import' takes: the log and every text it has read, with what those were taken from.
As warc, for the tools of web archives: WARC 1.1, of each source what was received (with CITELOOP_SNAPSHOTS=text
nothing of it), the text that citations lead to, and what is known of it. Every record has its SHA-256, and the
texts have the ones that receipts name. A file called .warc is not packed. What was read from a file of yours is in it
under the file's path, and what you pasted is in it as well: look before you hand it on.

FILE is ID.zip or ID.warc.gz in this folder unless it is named. A file that is there is left alone.`,
		Example: `  citeloop loops export 0199c1d2-… research.zip
  citeloop loops export 0199c1d2-… --format warc --out research.warc.gz`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usageError{errors.New("export takes the id of a loop and, if you like, the file to write")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := out
			if len(args) == 2 {
				if out != "" {
					return usageError{errors.New("--out names the file once more; leave one of the two out")}
				}
				name = args[1]
			}
			ending, ok := map[string]string{"zip": ".zip", "warc": ".warc.gz"}[format]
			if !ok {
				return usageError{fmt.Errorf("--format %q is neither zip nor warc", format)}
			}
			if name == "" {
				name = filepath.Base(args[0]) + ending
			}
			return withService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				written := name + " written"
				err := writeNew(name, func(f *os.File) error {
					if format == "zip" {
						return svc.Export(cmd.Context(), args[0], f)
					}
					buffered := bufio.NewWriter(f)
					got, err := svc.ExportWARC(cmd.Context(), args[0], buffered, !strings.HasSuffix(name, ".warc"))
					written += fmt.Sprintf(" (texts: %d, with what was received: %d)", got.Sources, got.Bodies)
					return errors.Join(err, buffered.Flush())
				})
				if err != nil {
					return err
				}
				fmt.Fprintln(p.Stdout, written)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "zip", "zip or warc")
	cmd.Flags().StringVar(&out, "out", "", "the file to write, in place of FILE")
	return cmd
}

// writeNew writes a file that was not there before, whole or not at all.
func writeNew(name string, write func(*os.File) error) error {
	// O_EXCL: an archive that is there is somebody's only copy.
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
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
