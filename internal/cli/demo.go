package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client"
	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/demo"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/research"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server"
)

func newDemo(p Process, opts *options) *cobra.Command {
	var question, out string
	var web bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Watch a whole research loop run, without a model and without the network",
		Long: `Run a research loop from end to end over MCP, offline. Twelve short texts about one question are built in; a
recorded language model searches, reads and writes, with six false sentences planted among its own. The
transcript shows how a second reader catches them, and the report opens the passage behind each sentence.
The searches, the checks and the report are computed while you watch; the model's calls and the second
reader's answers to its sentences are played back. Nothing leaves the machine.

With --corpus and --question it runs on your own documents. No model is involved then: claims are sentences
copied from them, and nobody reads them; two deliberate mistakes show what is seen without a reader. The
command fails if one of them passes.

The loop is in a temporary folder, unless --data or --store is given.`,
		Example: `  citeloop demo
  citeloop demo --corpus ~/papers --question "Does a four-day week raise output?"
  citeloop demo --web --question "What is retrieval-augmented generation?"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), p, opts, question, out, web)
		},
	}
	cmd.Flags().StringVar(&question, "question", "", "what to research (needed with --corpus and --web)")
	cmd.Flags().StringVar(&out, "out", "citeloop-report", "folder for report.md and report.html")
	cmd.Flags().BoolVar(&web, "web", false, "also search Wikipedia, Crossref and arXiv, and read their results")
	return cmd
}

func runDemo(ctx context.Context, p Process, opts *options, question, out string, web bool) error {
	s, err := opts.settings(p)
	if err != nil {
		return err
	}
	own := len(s.corpus) > 0 || web
	switch {
	case own && question == "":
		return usageError{errors.New("--corpus and --web need a --question to research")}
	case !own && question != "":
		return usageError{errors.New("--question needs --corpus with documents, or --web")}
	}
	if firstOf(opts.data, p.env("CITELOOP_DATA")) == "" {
		if s.dataDir, err = os.MkdirTemp("", "citeloop-demo-"); err != nil {
			return fmt.Errorf("a temporary folder for the demo: %w", err)
		}
		defer os.RemoveAll(s.dataDir)
	}
	collection, err := filepath.Abs(filepath.Join(s.dataDir, "demo"))
	if err != nil {
		return fmt.Errorf("the demo's folder: %w", err)
	}
	if !own {
		if err := os.RemoveAll(collection); err != nil {
			return fmt.Errorf("the demo's folder: %w", err)
		}
		if err := demo.WriteCollection(collection); err != nil {
			return err
		}
		s.corpus, s.newID = []string{collection}, demoIDs()
	}
	s.owner = loops.LocalOwner
	svc, err := assemble(ctx, s)
	if err != nil {
		return err
	}
	defer svc.Close()
	if !own { // delete the loop of an earlier run
		if err := svc.Delete(ctx, demo.LoopID); err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) {
			return err
		}
	}
	srv, err := server.New(svc.Service, Version, s.logger)
	if err != nil {
		return err
	}
	c, err := client.NewInProcessClient(srv.MCP)
	if err != nil {
		return err
	}
	defer c.Close()
	tools, err := research.Connect(ctx, c, "citeloop-demo", Version)
	if err != nil {
		return err
	}
	cfg := demo.Config{Question: question, Channels: []string{"local"}, Out: p.Stdout, ReportDir: out, Server: tools}
	var result demo.Result
	if own {
		if len(s.corpus) == 0 {
			cfg.Channels = nil
		}
		if web {
			cfg.Channels = append(cfg.Channels, "wikipedia", "crossref", "arxiv")
		}
		fmt.Fprintf(p.Stdout, "citeloop %s: a script, no model%s. Claims are sentences copied from the documents.\n", Version, map[bool]string{true: "", false: ", no network"}[web])
		result, err = demo.Run(ctx, cfg)
	} else {
		fmt.Fprintf(p.Stdout, "citeloop %s: a recorded model, no network. We wrote the texts; their town and figures are invented.\n", Version)
		result, err = demo.Play(ctx, cfg, collection)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "\nNext: open %s in a browser and click a citation.\n", result.HTML)
	if opts.data != "" || s.store != "" {
		fmt.Fprintf(p.Stdout, "The loop is stored: 'citeloop loops report %s' writes the report again, in any format.\n", result.StateID)
	}
	fmt.Fprintln(p.Stdout, "Your own documents: citeloop demo --corpus DIR --question \"…\". Your assistant: citeloop install.")
	if result.Caught < result.Planted {
		return fmt.Errorf("%d of %d planted errors passed", result.Planted-result.Caught, result.Planted)
	}
	return nil
}

// demoIDs returns the id of the recording first, then usual ids.
func demoIDs() func() string {
	var begun atomic.Bool
	return func() string {
		if begun.CompareAndSwap(false, true) {
			return demo.LoopID
		}
		return newID()
	}
}
