package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/loops"
	"github.com/citeloop/citeloop/loopstate"
)

func newLoops(p Process, opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "loops",
		Short: "Look at your research loops, and carry them to another machine",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLoopsList(p, opts), newLoopsShow(p, opts), newLoopsRounds(p, opts), newLoopsExport(p, opts), newLoopsImport(p, opts))
	return cmd
}

// withService opens the store for one command.
func withService(ctx context.Context, p Process, opts *options, use func(*loops.Service) error) error {
	s, err := opts.settings(p)
	if err != nil {
		return err
	}
	svc, err := assemble(ctx, s)
	if err != nil {
		return err
	}
	return errors.Join(use(svc.Service), svc.Close())
}

// oneLoop takes the one argument that names a loop.
func oneLoop(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError{fmt.Errorf("%s takes one argument, the id of a loop; 'citeloop loops list' shows them", cmd.Name())}
	}
	return nil
}

func newLoopsList(p Process, opts *options) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List your loops, last changed first",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				heads, err := svc.Store.Loops(cmd.Context(), loops.LocalOwner)
				if err != nil {
					return err
				}
				if len(heads) == 0 {
					fmt.Fprintln(p.Stdout, "There are no loops yet. A host starts one with loop_init; 'citeloop demo' shows how it goes.")
					return nil
				}
				w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tCHANGED\tROUNDS\tSTATUS\tQUESTION")
				for _, h := range heads {
					fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", h.Loop, h.UpdatedAt.Local().Format("2006-01-02 15:04"), h.Round, h.Status, oneLine(h.Query, 80))
				}
				return w.Flush()
			})
		},
	}
}

func newLoopsShow(p Process, opts *options) *cobra.Command {
	var view string
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a loop as a host sees it, as JSON",
		Args:  oneLoop,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				v, err := svc.State(cmd.Context(), loops.ViewInput{Loop: args[0], View: view})
				if err != nil {
					return err
				}
				enc := json.NewEncoder(p.Stdout)
				enc.SetIndent("", "  ")
				enc.SetEscapeHTML(false)
				return enc.Encode(v)
			})
		},
	}
	cmd.Flags().StringVar(&view, "view", "brief", "brief, full, rounds, sources, claims, searches or events")
	return cmd
}

func newLoopsRounds(p Process, opts *options) *cobra.Command {
	return &cobra.Command{
		Use:   "rounds ID",
		Short: "Show the rounds of a loop and how it was decided to go on or to stop",
		Args:  oneLoop,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				v, err := svc.State(cmd.Context(), loops.ViewInput{Loop: args[0], View: "rounds"})
				if err != nil {
					return err
				}
				return writeRounds(p.Stdout, v.Rounds, v.Decision)
			})
		},
	}
}

func writeRounds(out io.Writer, rounds []loopstate.Round, now loopstate.Decision) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ROUND\tSOURCES\tNEW\tCLAIMS\tOPEN GAPS\tSIGN-OFF\tDECISION")
	for _, r := range rounds {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%s\t%s (%s)\n", r.Round, r.Sources, r.NewSources, r.Claims, r.OpenGaps, map[bool]string{true: "yes", false: "no"}[r.SignOff], r.Decision.NextAction, r.Decision.Rule)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nNow: %s. %s\n", now.NextAction, now.Because)
	return nil
}

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

// oneLine is the first chars characters of a text, on one line.
func oneLine(s string, chars int) string {
	r := []rune(s)
	for i, c := range r {
		if c == '\n' || c == '\t' || c == '\r' {
			r[i] = ' '
		}
	}
	if len(r) > chars {
		return string(r[:chars-1]) + "…"
	}
	return string(r)
}
