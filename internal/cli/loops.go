package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/resources"
)

func newLoops(p console.Process, opts *setup.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "loops",
		Short: "Show, report, recheck, export, import and delete research loops",
		Args:  console.OnlySubcommands,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLoopsList(p, opts), newLoopsShow(p, opts), newLoopsReport(p, opts), newLoopsRecheck(p, opts), newLoopsExport(p, opts),
		newLoopsImport(p, opts), newLoopsDelete(p, opts))
	forOwner(cmd)
	return cmd
}

// oneLoop requires one argument, the id of a loop.
var oneLoop = console.OneArgument("the id of one loop, or its unique beginning; see 'citeloop loops list'")

// forOwner adds --owner to the subcommands. Anyone with access to the store may manage the loops of all owners.
func forOwner(cmd *cobra.Command) {
	owner := cmd.PersistentFlags().String("owner", loops.LocalOwner, "use the loops of this owner of a token, such as anna or oauth:1234")
	for _, sub := range cmd.Commands() {
		run := sub.RunE
		sub.RunE = func(cmd *cobra.Command, args []string) error {
			if *owner == "" {
				return console.Usagef("empty --owner: leave it out for your own loops")
			}
			cmd.SetContext(loops.WithOwner(cmd.Context(), *owner))
			return run(cmd, args)
		}
	}
}

func newLoopsList(p console.Process, opts *setup.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List loops, last changed first, with their size",
		Args:  console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				owner := loops.OwnerOf(cmd.Context())
				heads, err := svc.Store.List(cmd.Context(), owner)
				if err != nil {
					return err
				}
				if len(heads) == 0 && owner != loops.LocalOwner {
					fmt.Fprintf(p.Stdout, "%s has no loops in this store.\n", owner)
					return nil
				}
				if len(heads) == 0 {
					fmt.Fprintln(p.Stdout, "There are no loops yet. Your assistant starts one with loop_init; 'citeloop demo' leaves "+
						"one to look at.")
					return nil
				}
				w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tCHANGED\tROUNDS\tKEEPS\tSTATUS\tQUESTION")
				for _, h := range heads {
					fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\n", h.Loop, h.UpdatedAt.Local().Format("2006-01-02 15:04"), h.Round,
						humanize.Bytes(uint64(h.Stored)), h.Status, sanitize.Short(h.Query, 80))
				}
				return w.Flush()
			})
		},
	}
}

func newLoopsShow(p console.Process, opts *setup.Options) *cobra.Command {
	var in loops.ViewInput
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a loop: its state, its rounds, its folder; with --view a part as JSON",
		Long: `Show what a loop has and what is next, the result of each round, and the loop's folder of texts and reports. With --view,
show what an assistant sees, as JSON. A long list comes in pages: --cursor takes the next_cursor of the last page. --round
shows the loop as it was when that round was closed, by replaying its log.`,
		Example: `  citeloop loops show 0199c1d2
  citeloop loops show 0199c1d2 --view rounds --round 2`,
		Args: oneLoop,
		RunE: func(cmd *cobra.Command, args []string) error {
			return setup.WithLoop(cmd.Context(), p, opts, args[0], func(svc *loops.Service, id string) error {
				in.Loop = id
				v, err := svc.State(cmd.Context(), in)
				switch {
				case err != nil:
					return flagError(err)
				case cmd.Flags().Changed("view") || in.Cursor != "" || in.Round > 0:
					return console.WriteJSON(p.Stdout, v)
				}
				return showLoop(cmd.Context(), p.Stdout, svc, v)
			})
		},
	}
	cmd.Flags().StringVar(&in.View, "view", "brief", strings.Join(loops.Views(), ", "))
	cmd.Flags().IntVar(&in.Round, "round", 0, "the loop as it was when this round was closed (default as it is now)")
	cmd.Flags().StringVar(&in.Cursor, "cursor", "", "page to show: the next_cursor of the previous page")
	return cmd
}

// showLoop writes the brief of a loop, its rounds, and its folder.
func showLoop(ctx context.Context, out io.Writer, svc *loops.Service, brief loops.View) error {
	text, err := resources.Brief(brief)
	if err != nil {
		return err
	}
	v, err := svc.State(ctx, loops.ViewInput{Loop: brief.StateID, View: "rounds"})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, text)
	if err := writeRounds(out, v.Rounds, v.Decision); err != nil {
		return err
	}
	if folder := svc.Folder(ctx, brief.StateID); folder != "" { // one that cannot be written is a problem for doctor
		fmt.Fprintln(out, "Folder: "+folder)
	}
	return nil
}

func writeRounds(out io.Writer, rounds []loopstate.Round, now wording.Decision) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ROUND\tSOURCES\tNEW\tCLAIMS\tOPEN GAPS\tSIGN-OFF\tDECISION")
	for _, r := range rounds {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%s\t%s (%s)\n", r.Round, r.Sources, r.NewSources, r.Claims, r.OpenGaps,
			map[bool]string{true: "yes", false: "no"}[r.SignOff], r.Decision.Action, r.Decision.Rule)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nNow: %s. %s\n", now.NextAction, now.Because)
	return nil
}

func newLoopsDelete(p console.Process, opts *setup.Options) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a loop permanently",
		Long: `Delete a loop: its log, its folder, its reports, and the texts that no other loop has read. It asks for confirmation
unless --yes is given; any answer but yes keeps the loop and exits with status 1. MCP clients cannot delete loops.`,
		Example: `  citeloop loops export 0199c1d2 research.jsonl && citeloop loops delete --yes 0199c1d2`,
		Args:    oneLoop,
		RunE: func(cmd *cobra.Command, args []string) error {
			return setup.WithLoop(cmd.Context(), p, opts, args[0], func(svc *loops.Service, id string) error {
				return deleteLoop(cmd.Context(), p, svc, id, yes)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

func deleteLoop(ctx context.Context, p console.Process, svc *loops.Service, id string, yes bool) error {
	v, err := svc.State(ctx, loops.ViewInput{Loop: id})
	if err != nil {
		return err
	}
	holds := english.Plural(v.Progress.Sources, "source", "")
	if !yes {
		question := fmt.Sprintf("Delete loop %s with %s permanently? 'citeloop loops export' saves a copy.", id, holds)
		yes, err := console.NewAnswers(p.Stdin).Confirm(ctx, p.Stderr, question)
		switch {
		case err != nil:
			return fmt.Errorf("loop %s was not deleted: %w", id, err)
		case !yes:
			return fmt.Errorf("loop %s was not deleted", id)
		}
	}
	if err := svc.Delete(ctx, id); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "loop %s deleted: %s and %d events\n", id, holds, v.Version)
	return nil
}
