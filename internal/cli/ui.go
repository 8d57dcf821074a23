package cli

import (
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/web"
	"github.com/citeloop/citeloop/server"
)

func newUI(p console.Process, opts *setup.Options) *cobra.Command {
	var noOpen bool
	cmd := &cobra.Command{
		Use:   "ui",
		Short: "View your loops in a browser",
		Long: `Open a local page with your loops: the answer of each, what is doubtful in it, the lines behind every sentence, and
how the loop got there. You can check a draft, review claims beside their sources, start a question, allow
more rounds, and stop or delete a loop.

The page opens with a one-time link that is valid for a minute. It shows the work of every citeloop process on the same
store. Stop it with Ctrl-C. 'citeloop serve --http' has the same page at /ui/.`,
		Example: `  citeloop ui
  citeloop ui --no-open`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			l, err := server.Listen(ctx, "127.0.0.1:0", nil)
			if err != nil {
				return err
			}
			defer l.Close()
			svc, err := setup.Assemble(ctx, s)
			if err != nil {
				return err
			}
			defer svc.Close()
			page := newPage(p, svc.Service, s.Logger, l.Addr(), server.HTTP{}, &serveFlags{})
			address := "http://" + l.Addr().String() + page.Link()
			fmt.Fprintf(p.Stdout, "View your loops with this one-time link, valid for a minute: %s\n", address)
			if !noOpen {
				if err := p.Show(ctx, address); err != nil {
					fmt.Fprintf(p.Stderr, "citeloop: cannot open a browser (%v); open the link by hand.\n", err)
				}
			}
			return server.ServePage(ctx, l, page, s.Logger)
		},
	}
	cmd.Flags().BoolVar(&noOpen, "no-open", false, "print the link without opening a browser")
	return cmd
}

// newPage returns the page, with the same access rules as the MCP endpoint.
func newPage(p console.Process, svc *loops.Service, logger *slog.Logger, at net.Addr, h server.HTTP, flags *serveFlags) *web.Page {
	cfg := web.Config{Loops: svc, Auth: h.Auth, Meter: h.Meter, Secure: h.TLS != nil || strings.HasPrefix(flags.publicURL, "https:"),
		ReadOnly: flags.ReadOnly, Now: time.Now, Logger: logger, Version: console.Version}
	if h.Auth == nil {
		scheme := "http"
		if h.TLS != nil {
			scheme = "https"
		}
		cfg.Announce = func(path string) {
			fmt.Fprintf(p.Stderr, "New one-time link to your loops, valid for a minute: %s://%s%s\n", scheme, at, path)
		}
	}
	return web.New(cfg)
}
