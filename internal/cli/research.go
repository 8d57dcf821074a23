package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/research"
)

func newResearch(p console.Process, opts *setup.Options) *cobra.Command {
	var cfg research.Config
	var model string
	cmd := &cobra.Command{
		Use:   "research [question]",
		Short: "Research a question with your own model, without an assistant",
		Long: `Research a question in rounds with any model behind an OpenAI-compatible endpoint, hosted or local: parallel blind
searchers, a synthesizer, a critic. citeloop, not the model, verifies every claim and decides when to stop. The result
is a report in which every sentence is traced to text that was read.

The endpoint, model and key come from CITELOOP_RESEARCH_URL, _MODEL and _KEY; otherwise from OPENAI_BASE_URL,
OPENAI_MODEL and OPENAI_API_KEY; otherwise from CITELOOP_READER_URL, _MODEL and _KEY. Address and key always come from
the same group, so that a key is never sent to another address.

The endpoint receives the question, search results, passages of the pages, the claims, and the text. Progress is stored
at each step: --resume continues a run that was stopped. docs/research.md has costs and limits.`,
		Example: `  citeloop research "Does a four-day week raise output?" --model gpt-5 --tokens 300000
  CITELOOP_RESEARCH_URL=http://127.0.0.1:11434/v1 citeloop research --model qwen3 --searchers 1 --corpus ~/papers --channels local ` +
			`"What do these papers say on sleep?"
  citeloop research --resume 01a1fca9-c4f8-798f-b93c-840cd2fc82d3`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return console.Usagef("unexpected argument %q: research takes one question; quote it", args[1])
			case len(args) == 0 && cfg.Resume == "":
				return console.Usagef("missing question: give one, or --resume with the id of a loop; see 'citeloop loops list'")
			case min(cfg.Rounds, cfg.Tokens) < 0 || cfg.Time < 0:
				return console.Usagef("--rounds, --tokens or --time is negative; leave it out for the default")
			case cfg.Searchers < 1 || cfg.Searchers > maxSearchers:
				return console.Usagef("invalid --searchers %d: use 1 to %d", cfg.Searchers, maxSearchers)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg.Question = strings.Join(strings.Fields(strings.Join(args, "")), " ")
			return runResearch(cmd.Context(), p, opts, cfg, model)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&model, "model", "", "name of the model at the endpoint (CITELOOP_RESEARCH_MODEL)")
	flags.IntVar(&cfg.Rounds, "rounds", 0, "maximum rounds (default 5, at most 8)")
	flags.IntVar(&cfg.Tokens, "tokens", research.DefaultTokens, "maximum tokens, in and out together")
	flags.DurationVar(&cfg.Time, "time", 0, "maximum time, such as 20m (default: no limit)")
	flags.IntVar(&cfg.Searchers, "searchers", maxSearchers, "requests to the model at a time; use 1 for a local model")
	flags.StringSliceVar(&cfg.Channels, "channels", []string{"auto"}, "channels to search; auto chooses for each query")
	flags.StringVar(&cfg.OutDir, "out", "citeloop-report", "folder for report.md and report.html")
	flags.StringVar(&cfg.Resume, "resume", "", "continue the loop with this id")
	return cmd
}

const maxSearchers = 4 // one for each angle

func runResearch(ctx context.Context, p console.Process, opts *setup.Options, cfg research.Config, name string) (err error) {
	s, err := opts.Settings(p)
	if err != nil {
		return err
	}
	found, err := setup.ResearchModel(p, name)
	if err != nil {
		return console.Usage(err)
	}
	// Seven attempts take about half a minute.
	if cfg.Model, err = llm.New(llm.Config{URL: found.Url, Model: found.Name, Key: found.Key, Retries: 6}); err != nil {
		return found.Fault(err)
	}
	if s.Reader.Url == "" && s.Reader.Name == "" {
		s.Reader = found // the model reads its own claims, but sees only claims and passages, mixed with test items
	}
	s.Owner = loops.LocalOwner
	svc, err := setup.Assemble(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, svc.Close()) }()
	tools, closeTools, err := setup.InProcess(ctx, svc, s, "citeloop-research")
	if err != nil {
		return err
	}
	defer closeTools()
	if cfg.Resume != "" {
		if cfg.Resume, err = setup.LoopID(ctx, svc.Store, cfg.Resume); err != nil {
			return err
		}
	}
	cfg.Server, cfg.Now, cfg.Out = tools, time.Now, p.Stdout
	announce(p, cfg, s.Corpus, found.Key != "")
	got, err := research.Run(ctx, cfg)
	if got.StateID != "" {
		if folder := svc.Folder(ctx, got.StateID); folder != "" {
			fmt.Fprintf(p.Stdout, "The loop as files: %s\n", folder)
		}
	}
	return researched(ctx, p, got, err)
}

// announce prints what will be sent, and to which addresses, before anything is sent.
func announce(p console.Process, cfg research.Config, corpus []string, key bool) {
	say := func(what, text string) { fmt.Fprintf(p.Stdout, "%-14s  %s\n", what, text) }
	if cfg.Question != "" {
		say("question", cfg.Question)
	}
	with := ", without a key"
	if key {
		with = ", with a key"
	}
	say("model", cfg.Model.String()+with)
	say("sent to it", "the question, search results, passages of the pages, the claims, the text")
	say("searched", strings.Join(cfg.Channels, ", ")+": the model's queries go to these channels")
	if len(corpus) > 0 {
		say("documents", strings.Join(corpus, ", ")+": their passages are sent to the model, too")
	}
	limits := fmt.Sprintf("%d tokens", cfg.Tokens)
	if cfg.Rounds > 0 {
		limits += fmt.Sprintf(", %d rounds", cfg.Rounds)
	}
	if cfg.Time > 0 {
		limits += ", " + cfg.Time.String()
	}
	say("at most", limits+"; a fifth is reserved for the text\n")
}

// researched writes the result of a run, or how to continue it.
func researched(ctx context.Context, p console.Process, got research.Result, err error) error {
	fmt.Fprintf(p.Stdout, "This run took %d tokens.\n", got.Tokens)
	if err == nil {
		fmt.Fprintf(p.Stdout, "Open %s in a browser and click a citation.\n", got.Files[len(got.Files)-1])
		return nil
	}
	code := console.ExitFailed
	if ctx.Err() != nil {
		code, err = console.ExitInterrupted, errors.New("stopped")
	}
	if got.StateID != "" {
		err = fmt.Errorf("%w\nThe progress is stored. Continue with: citeloop research --resume %s", err, got.StateID)
	}
	return console.End{Code: code, Cause: err}
}
