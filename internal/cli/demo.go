package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/demo"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// demoFlags are the flags of demo.
type demoFlags struct {
	question, out string
	web, try      bool
}

func newDemo(p console.Process, opts *setup.Options) *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Watch a whole research loop run, without a model and without the network",
		Long: `Run a research loop from end to end over MCP, offline. Twelve short texts about one question are built in; a
recorded language model searches, reads and writes. Eleven false sentences are planted in its text: some that
citeloop finds by itself, some to which it can only point, and some that only a reader finds who compares
sentence and source. The demo shows which is which, counts them, and opens the passage behind each sentence in a
report. The searches, the checks and the report are computed while you watch; the model's calls and the second
reader's answers are played back. Nothing leaves the machine.

In a terminal it then lets you write a sentence of your own and read it as a reader does; Enter alone
skips. --try asks also where the input is no terminal.

With --corpus and --question it runs on your own documents. No model is involved then: claims are sentences
copied from them, and nobody reads them; two deliberate mistakes show what is seen without a reader. The
command fails if one of them passes.

The loop stays in your store as "Demo: …", for 'citeloop loops list' and 'citeloop ui'. The next run replaces it.`,
		Example: `  citeloop demo
  citeloop demo --corpus ~/papers --question "Does a four-day week raise output?"
  citeloop demo --web --question "What is retrieval-augmented generation?"`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), p, opts, f)
		},
	}
	cmd.Flags().StringVar(&f.question, "question", "", "what to research (needed with --corpus and --web)")
	cmd.Flags().StringVar(&f.out, "out", "citeloop-report", "folder for report.md, report.html and the recorded answers")
	cmd.Flags().BoolVar(&f.web, "web", false, "also search Wikipedia, Crossref and arXiv, and read their results")
	cmd.Flags().BoolVar(&f.try, "try", false, "ask for a sentence of your own at the end (default in a terminal)")
	return cmd
}

func runDemo(ctx context.Context, p console.Process, opts *setup.Options, f demoFlags) error {
	s, err := opts.Settings(p)
	if err != nil {
		return err
	}
	own := len(opts.Corpus) > 0 || f.web || f.question != "" // folders of the environment are for other commands
	switch {
	case own && f.question == "":
		return console.Usagef("--corpus and --web need a --question to research")
	case own && len(s.Corpus) == 0 && !f.web:
		return console.Usagef("--question needs --corpus with documents, or --web")
	}
	id := demo.OwnLoopID
	if own {
		s.Reader = setup.Model{} // no model is involved
	} else {
		id = demo.LoopID
		collection, err := demoCollection(s.DataDir)
		if err != nil {
			return err
		}
		s.Corpus = []string{collection}
	}
	s.NewID, s.Owner = demoIDs(id), loops.LocalOwner
	svc, err := setup.Assemble(ctx, s)
	if err != nil {
		return err
	}
	defer svc.Close()
	// Delete the loop of an earlier run.
	if err := svc.Delete(ctx, id); err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) {
		return err
	}
	tools, closeTools, err := setup.InProcess(ctx, svc, s, "citeloop-demo")
	if err != nil {
		return err
	}
	defer closeTools()
	cfg := demo.Config{Question: f.question, Channels: []string{"local"}, Out: p.Stdout, ReportDir: f.out, Server: tools}
	var result demo.Result
	if own {
		if len(s.Corpus) == 0 {
			cfg.Channels = nil
		}
		if f.web {
			cfg.Channels = append(cfg.Channels, "wikipedia", "crossref", "arxiv")
		}
		fmt.Fprintf(p.Stdout, "citeloop %s: a script, no model%s. Claims are sentences copied from the documents.\n", console.Version, map[bool]string{true: "", false: ", no network"}[f.web])
		result, err = demo.Run(ctx, cfg)
	} else {
		if f.try || console.Interactive(p) {
			cfg.Ask = asker(p)
		}
		if s.Reader.Url != "" {
			cfg.Reader = s.Reader.Name
		}
		fmt.Fprintf(p.Stdout, "citeloop %s: a recorded model, no network. We wrote the texts; their town and figures are invented.\n", console.Version)
		result, err = demo.Play(ctx, cfg, s.Corpus[0])
	}
	if err != nil {
		return err
	}
	at := ""
	if opts.Data != "" {
		if at = " --data " + opts.Data; strings.ContainsAny(opts.Data, " $'`") {
			at = fmt.Sprintf(" --data %q", opts.Data)
		}
	} else if opts.Store != "" {
		at = " --store …" // the address may have a password
	}
	fmt.Fprintf(p.Stdout, "\nNext: open %s in a browser and click a citation.\n", result.HTML)
	fmt.Fprintf(p.Stdout, "The loop stays until the next demo: citeloop ui%[1]s, citeloop loops list%[1]s, citeloop loops delete%[1]s %[2]s.\n", at, result.StateID)
	fmt.Fprintln(p.Stdout, "Your own text: citeloop verify FILE. Your documents: citeloop demo --corpus DIR --question \"…\". Your assistant: citeloop install.")
	if result.Caught < result.Planted {
		return fmt.Errorf("%d of %d planted errors passed", result.Planted-result.Caught, result.Planted)
	}
	return nil
}

// demoCollection writes the demo's texts into the data folder. It removes nothing: the data folder may have files of the user.
func demoCollection(dataDir string) (string, error) {
	dir, err := filepath.Abs(filepath.Join(dataDir, setup.DemoFolder))
	if err != nil {
		return "", fmt.Errorf("the demo's folder: %w", err)
	}
	return dir, demo.WriteCollection(dir)
}

// demoIDs returns the id of the demo's loop first, then usual ids.
func demoIDs(first string) func() string {
	var begun atomic.Bool
	return func() string {
		if begun.CompareAndSwap(false, true) {
			return first
		}
		return setup.NewID()
	}
}

// asker returns a function that asks for one line.
func asker(p console.Process) func(context.Context, string) (string, bool) {
	answers := console.NewAnswers(p.Stdin)
	return func(ctx context.Context, question string) (string, bool) {
		fmt.Fprint(p.Stdout, question)
		line, err := answers.Next(ctx)
		if errors.Is(err, console.ErrNoAnswer) {
			fmt.Fprintln(p.Stdout)
		}
		return line, err == nil
	}
}
