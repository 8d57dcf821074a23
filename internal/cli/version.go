package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Version of citeloop, in semantic versioning.
const Version = "0.1.0"

// homepage is named in the User-Agent.
const homepage = "https://github.com/citeloop/citeloop"

func newVersion(p Process) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.Stdout, "citeloop %s\n", Version)
			return err
		},
	}
}
