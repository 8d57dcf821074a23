package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/server"
)

func newServe(p Process, opts *options) *cobra.Command {
	var address, tokenFile string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP over stdio, or over HTTP on loopback",
		Long: `Serve MCP to one host over stdin and stdout, or with --http to several on this machine.
Stdout carries JSON-RPC alone; the log goes to stderr. Nothing leaves the machine until a host searches a
web channel or fetches an address.
With --tokens, whoever calls over HTTP must send a token that 'citeloop token' made, and sees the loops of its
owner alone. Without, every program on this machine that can reach the address works on your own loops.`,
		Example: `  citeloop serve --corpus ~/papers
  citeloop serve --http 127.0.0.1:8080
  citeloop serve --http 127.0.0.1:8080 --tokens ~/citeloop-tokens`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if address == "" && tokenFile != "" {
				return usageError{errors.New("--tokens says who may call over HTTP; give --http as well")}
			}
			s, err := opts.settings(p)
			if err != nil {
				return err
			}
			var tokens *server.Tokens
			if path := firstOf(tokenFile, p.env(tokensVariable)); address != "" && path != "" {
				if tokens, err = server.OpenTokens(path, time.Now, s.logger); err != nil {
					return err
				}
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
			return server.ServeHTTP(ctx, srv, l, tokens, s.logger)
		},
	}
	cmd.Flags().StringVar(&address, "http", "", "listen on this loopback address, such as 127.0.0.1:8080, instead of stdio")
	cmd.Flags().StringVar(&tokenFile, "tokens", "", "file of tokens: who may call over HTTP ("+tokensVariable+"; default everybody on this machine, as you)")
	return cmd
}
