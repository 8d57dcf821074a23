package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/server"
)

func newServe(p Process, opts *options) *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP over stdio, or over HTTP on loopback",
		Long: `Serve MCP to one host over stdin and stdout, or with --http to several on this machine.
Stdout carries JSON-RPC alone; the log goes to stderr. Nothing leaves the machine until a host searches a
web channel or fetches an address.`,
		Example: `  citeloop serve --corpus ~/papers
  citeloop serve --http 127.0.0.1:8080`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			s, err := opts.settings(p)
			if err != nil {
				return err
			}
			svc, err := assemble(ctx, s)
			if err != nil {
				return err
			}
			defer svc.Close()
			srv, err := server.New(svc.Service, Version, s.logger)
			if err != nil {
				return err
			}
			if address == "" {
				return server.ServeStdio(ctx, srv, p.Stdin, p.Stdout, s.logger)
			}
			l, err := server.ListenLoopback(ctx, address)
			if err != nil {
				return usageError{err}
			}
			fmt.Fprintf(p.Stderr, "citeloop %s serves MCP at http://%s%s\n", Version, l.Addr(), server.Endpoint)
			return server.ServeHTTP(ctx, srv, l, s.logger)
		},
	}
	cmd.Flags().StringVar(&address, "http", "", "listen on this loopback address, such as 127.0.0.1:8080, instead of stdio")
	return cmd
}
