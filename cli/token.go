package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/access"
)

// tokensVariable names the file of tokens for serve and token alike.
const tokensVariable = "CITELOOP_TOKENS"

func newToken(p Process, random io.Reader) *cobra.Command {
	var file, list string
	cmd := &cobra.Command{
		Use:   "token OWNER",
		Short: "Make a token with which somebody may call serve --http",
		Long: `Make a token for an owner and add its hash to the file that 'citeloop serve --tokens' reads. The token is
printed this once and kept nowhere; whoever sends it sees the loops of this owner, and no others.
To take a token back, remove its line from the file; a running server follows within a second.`,
		Example: `  citeloop token anna --file tokens
  citeloop token anna --file tokens --scopes read   # for a dashboard
  citeloop serve --http 127.0.0.1:8080 --tokens tokens
  claude mcp add --transport http citeloop http://127.0.0.1:8080/mcp --header "Authorization: Bearer TOKEN"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{errors.New("token takes one argument, the name of the owner")}
			}
			if err := access.CheckOwner(args[0]); err != nil {
				return usageError{err}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			path := firstOf(file, p.env(tokensVariable))
			if path == "" {
				return usageError{errors.New("name the file of tokens with --file; it is made if there is none")}
			}
			scopes, err := access.ParseScopes(list)
			if err != nil {
				return usageError{fmt.Errorf("--scopes: %w", err)}
			}
			token, err := access.AddToken(path, args[0], scopes, random, time.Now())
			if err != nil {
				return err
			}
			fmt.Fprintln(p.Stdout, token) // alone on stdout, for scripts
			fmt.Fprintf(p.Stderr, "Added to %s for %s. This is the only time that the token is shown.\n", path, args[0])
			return nil
		},
	}
	cmd.Flags().StringVar(&list, "scopes", access.All.String(), "what the token may do: read (see the owner's loops), write (start and change them), web (search channels and read addresses)")
	cmd.Flags().StringVar(&file, "file", "", "file of tokens to add it to ("+tokensVariable+")")
	return cmd
}
