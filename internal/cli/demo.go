package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/demo"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

func newDemo(p console.Process, opts *setup.Options) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Watch a whole research loop run, without a model and without the network",
		Long: `Run a research loop from end to end over MCP, offline. Twelve short texts about one question are built in; a
recorded language model searches, reads and writes. Eleven false sentences are planted in its text: some that
citeloop finds by itself, some to which it can only point, and some that only a reader finds who compares
sentence and source. The demo shows which is which, counts them, and opens the passage behind each sentence in a
report. The searches, the checks and the report are computed while you watch; the model's calls and the second
reader's answers are played back. Nothing leaves the machine.

The loop stays in your store as "Demo: …", for 'citeloop loops list' and 'citeloop ui'. The next run replaces it.`,
		Example: `  citeloop demo`,
		Args:    console.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), p, opts, out) },
	}
	cmd.Flags().StringVar(&out, "out", "citeloop-report", "folder for report.md and report.html")
	return cmd
}

func runDemo(ctx context.Context, p console.Process, opts *setup.Options, out string) error {
	if len(opts.Corpus) > 0 { // folders of the environment are for other commands
		return console.Usagef("--corpus: the demo has texts of its own; use 'citeloop search' or 'citeloop research' on yours")
	}
	s, err := opts.Settings(p)
	if err != nil {
		return err
	}
	collection, err := filepath.Abs(filepath.Join(s.DataDir, demoFolder))
	if err != nil {
		return fmt.Errorf("the demo's folder: %w", err)
	}
	if err := demo.WriteCollection(collection); err != nil {
		return err
	}
	s.Corpus, s.Reader = []string{collection}, setup.Model{} // no model is involved
	s.NewID, s.Owner = demoIDs(), loops.LocalOwner
	svc, err := setup.Assemble(ctx, s)
	if err != nil {
		return err
	}
	defer svc.Close()
	// Delete the loop of an earlier run.
	if err := svc.Delete(ctx, demo.LoopID); err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) {
		return err
	}
	tools, closeTools, err := setup.InProcess(ctx, svc, s, "citeloop-demo")
	if err != nil {
		return err
	}
	defer closeTools()
	fmt.Fprintf(p.Stdout, "citeloop %s: a recorded model, no network. We wrote the texts; their town and figures are invented.\n"+
		"The report goes to the folder %s.\n", console.Version, out)
	html, err := demo.Play(ctx, tools, p.Stdout, collection, out)
	if err != nil {
		return err
	}
	data := ""
	if opts.Data != "" {
		data = fmt.Sprintf(" --data %q", opts.Data)
	}
	fmt.Fprintf(p.Stdout, "\nNext: open %s in a browser and click a citation. Your assistant: citeloop install CLIENT.\n", html)
	fmt.Fprintf(p.Stdout, "A sentence of yours: echo 'Fines brought 2.8 million crowns in 2023 [police-enforcement.txt].' | "+
		"citeloop verify --corpus %q -\n", collection)
	fmt.Fprintf(p.Stdout, "The loop stays until the next demo: citeloop ui%[1]s, citeloop loops list%[1]s, citeloop loops delete%[1]s "+
		"%[2]s.\n", data, demo.LoopID)
	return nil
}

// demoFolder is the folder of the demo's texts in the data folder.
const demoFolder = "citeloop-demo"

// demoIDs returns the id of the demo's loop first, then usual ids.
func demoIDs() func() string {
	var begun atomic.Bool
	return func() string {
		if begun.CompareAndSwap(false, true) {
			return demo.LoopID
		}
		return setup.NewID()
	}
}
