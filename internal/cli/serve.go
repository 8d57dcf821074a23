package cli

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/server/metrics"
)

func newServe(p console.Process, opts *setup.Options) *cobra.Command {
	var flags serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP over stdio, or over HTTP",
		Long: `Serve MCP to one client over stdin and stdout, or to several over HTTP (--http). Only JSON-RPC is written to
stdout; the log goes to stderr. Nothing leaves the machine until an assistant searches a web channel, fetches an address, or
checks a text that cites one.

With --tokens or --oauth-issuer, HTTP clients must send a token and see only the loops of its owner. The same token
logs in to the page at /ui/. Without tokens, any program that can reach the address has full access to your loops, so
only a loopback address is allowed.

With --tools, serve only the tools that you name, or a preset: 'check' for texts that cite, 'read' for looking at loops.

Replicas with the same --store answer each other's calls. docs/deploy.md explains deployment.`,
		Example: `  citeloop serve --corpus ~/papers
  citeloop serve --tools check
  citeloop serve --http 127.0.0.1:8080
  citeloop serve --http :8443 --tls-cert cert.pem --tls-key key.pem --tokens ~/citeloop-tokens --allow-host citeloop.example.org`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			ctx := cmd.Context()
			if err := flags.complete(p); err != nil {
				return console.Usage(err)
			}
			opts.Lenient = true
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			for _, dir := range s.Missing {
				fmt.Fprintf(p.Stderr, "citeloop: the corpus folder %s is missing; it is searched when it is back, and read after a "+
					"restart\n", dir)
			}
			// Errors in the access settings are reported before anything is opened.
			var at server.HTTP
			if flags.http != "" {
				if at, err = flags.web(s); err != nil {
					return err
				}
			}
			var l net.Listener
			if flags.http != "" {
				if l, err = server.Listen(ctx, flags.http, at.Auth); err != nil {
					return console.Usage(err)
				}
				defer l.Close()
			}
			watch := metrics.Watch{Logger: s.Logger, Now: time.Now}
			if flags.metrics != "" {
				watch.Metrics = metrics.New(console.Version)
			}
			s.ReadOnly = flags.ReadOnly
			if flags.http != "" || s.ReadOnly { // clients may be on other machines, or nothing may be written
				s.NoFolders = true
			}
			svc, err := setup.Assemble(ctx, s)
			if err != nil {
				return err
			}
			defer svc.Close()
			if svc.Corpus != nil && !s.ReadOnly { // no tool searches it
				svc.Corpus.Index()
			}
			srv, err := server.New(svc.Service, server.Config{Version: console.Version, Logger: s.Logger, Tools: flags.Tools,
				ReadOnly: flags.ReadOnly, Around: watch.Middleware})
			if err != nil {
				return err
			}
			stop, err := serveMetrics(ctx, p, &flags, watch.Metrics)
			if err != nil {
				return err
			}
			defer stop()
			if l == nil {
				return srv.ServeStdio(ctx, p.Stdin, p.Stdout)
			}
			page := newPage(p, svc.Service, s.Logger, l.Addr(), at, &flags)
			at.Page = page
			at.Ready = storeAnswers(svc.Store)
			scheme := "http"
			if at.TLS != nil {
				scheme = "https"
			}
			fmt.Fprintf(p.Stderr, "citeloop %s serves MCP at %s://%s%s\n", console.Version, scheme, l.Addr(), server.Endpoint)
			if at.Auth == nil {
				fmt.Fprintf(p.Stderr, "View your loops with this one-time link, valid for a minute: %s://%s%s\n", scheme, l.Addr(),
					page.Link())
			} else {
				fmt.Fprintf(p.Stderr, "View loops with a token: %s://%s%s\n", scheme, l.Addr(), server.PagePath)
			}
			if host, _, err := net.SplitHostPort(l.Addr().String()); at.TLS == nil && (err != nil || !access.Loopback(host)) {
				fmt.Fprintln(p.Stderr, "Plain HTTP: tokens and texts are not encrypted, unless a proxy in front adds TLS. Use "+
					"--tls-cert and --tls-key for HTTPS.")
			}
			return srv.ServeHTTP(ctx, l, at)
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// storeAnswers returns a check of the store: a read.
func storeAnswers(store loopstate.Store) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := store.List(ctx, "the health check")
		return err
	}
}

// serveMetrics serves Prometheus metrics on a separate address until stop is called, for the same hosts as the endpoint.
func serveMetrics(ctx context.Context, p console.Process, flags *serveFlags, m *metrics.Metrics) (stop func(), err error) {
	address := flags.metrics
	if address == "" {
		return func() {}, nil
	}
	sites, err := flags.sites(address)
	if err != nil {
		return nil, console.Usage(err)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, console.Usagef("--metrics: %w; use a free address, such as 127.0.0.1:9090", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", sites.Guard(m.Handler()))
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second,
		MaxHeaderBytes: 16 << 10}
	fmt.Fprintf(p.Stderr, "citeloop: Prometheus metrics at http://%s/metrics\n", l.Addr())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l) // returns only after Close
	}()
	return func() { _ = srv.Close(); <-done }, nil
}
