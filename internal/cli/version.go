package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
)

func newVersion(p console.Process) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.Stdout, "citeloop %s\n", Version)
			return err
		},
	}
}
