package cli

import (
	"cmp"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/server/access"
)

// tokensVariable is the environment variable with the token file, for serve and token.
const tokensVariable = "CITELOOP_TOKENS"

func newToken(p console.Process) *cobra.Command {
	var file string
	path := func() (string, error) {
		path := cmp.Or(file, p.Env(tokensVariable))
		if path == "" {
			return "", console.Usagef("missing --file: name the token file; 'citeloop token OWNER' creates it")
		}
		return path, nil
	}
	cmd := &cobra.Command{
		Use:   "token OWNER",
		Short: "Create a token for serve --http",
		Long: `Create a token for an owner and add its hash to the file that 'citeloop serve --tokens' reads. The token is printed
once and not stored. Its bearer sees the loops of this owner and no others. 'citeloop token revoke' revokes it; a
running server that reads the same file notices within a second.`,
		Example: `  citeloop token anna --file tokens
  citeloop token list --file tokens
  citeloop serve --http 127.0.0.1:8080 --tokens tokens
  claude mcp add --transport http citeloop http://127.0.0.1:8080/mcp --header "Authorization: Bearer TOKEN"`,
		Args: console.OneArgument("the name of one owner"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := access.CheckOwner(args[0]); err != nil {
				return console.Usage(err)
			}
			path, err := path()
			if err != nil {
				return err
			}
			token, err := access.AddToken(path, args[0], time.Now())
			if err != nil {
				return err
			}
			fmt.Fprintln(p.Stdout, token) // alone on stdout, for scripts
			fmt.Fprintf(p.Stderr, "Added to %s for %s. The token is not shown again.\n", path, args[0])
			return nil
		},
	}
	cmd.PersistentFlags().StringVar(&file, "file", "", "token file ("+tokensVariable+")")
	cmd.AddCommand(newTokenList(p, path), newTokenRevoke(p, path))
	return cmd
}

func newTokenList(p console.Process, path func() (string, error)) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List tokens with their owners and creation times",
		Args:  console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			path, err := path()
			if err != nil {
				return err
			}
			tokens, err := access.ListTokens(path)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "ID\tOWNER\tMADE")
			for _, t := range tokens {
				made := "-"
				if !t.Made.IsZero() {
					made = t.Made.Local().Format("2006-01-02 15:04")
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", t.ID, t.Owner, made)
			}
			return w.Flush()
		},
	}
}

func newTokenRevoke(p console.Process, path func() (string, error)) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke a token",
		Long: `Revoke a token. Its line in the file becomes a comment; a running server that reads the same file notices within a
second. The loops of its owner stay.`,
		Example: `  citeloop token list --file tokens
  citeloop token revoke 3b1f0c2a9d7e --file tokens`,
		Args: console.OneArgument("the id of one token; see 'citeloop token list'"),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := path()
			if err != nil {
				return err
			}
			t, err := access.RevokeToken(path, args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(p.Stderr, "Revoked token %s of %s.\n", t.ID, t.Owner)
			return nil
		},
	}
}
