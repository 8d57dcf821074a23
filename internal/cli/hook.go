package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/resources"
)

func newHook(p console.Process, opts *setup.Options) *cobra.Command {
	return &cobra.Command{
		Use:    "hook CLIENT",
		Short:  "Answer a hook of claude-code or codex; its input is on stdin",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		// A hook must not disturb a conversation, so an error is only shown.
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := runHook(cmd.Context(), p, opts, hooks.Client(args[0])); err != nil {
				fmt.Fprintf(p.Stderr, "citeloop: the hook did nothing: %v\n", err)
			}
			return nil
		},
	}
}

func runHook(ctx context.Context, p console.Process, opts *setup.Options, client hooks.Client) error {
	event, err := hooks.Read(p.Stdin)
	if err != nil || !event.Relevant() {
		return err
	}
	return setup.WithService(ctx, p, opts, func(svc *loops.Service) error {
		answer, err := hooks.Answer(loops.WithOwner(ctx, loops.LocalOwner), svc, client, event, resources.Brief)
		if err != nil || len(answer) == 0 {
			return err
		}
		_, err = p.Stdout.Write(answer)
		return err
	})
}
