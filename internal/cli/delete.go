package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
)

func newLoopsDelete(p console.Process, opts *setup.Options) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a loop permanently",
		Long: `Delete a loop: its log, its folder, its reports, and the texts that no other loop has read. It asks for confirmation
unless --yes is given; any answer but yes keeps the loop and exits with status 1. MCP clients cannot delete loops.`,
		Example: `  citeloop loops export 0199c1d2 research.zip && citeloop loops delete --yes 0199c1d2`,
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
	holds := console.Counted(v.Progress.Sources, "source", "sources")
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
