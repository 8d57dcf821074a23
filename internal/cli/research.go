package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/research"
)

// researchFlags are the flags of research. Most of them are its configuration.
type researchFlags struct {
	research.Config
	model  string
	again  string // --continue
	answer int
	quiet  bool
}

func (f *researchFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.model, "model", "", "name of the model at the endpoint (CITELOOP_RESEARCH_MODEL)")
	flags.IntVar(&f.Budget.Rounds, "rounds", 0, "maximum rounds (default 5; more than 8 need this flag)")
	flags.Float64Var(&f.Budget.CostUSD, "cost", 0, "maximum cost in US dollars; needs --price-in and --price-out")
	flags.IntVar(&f.Budget.Tokens, "tokens", research.DefaultTokens, "maximum tokens, in and out together")
	flags.DurationVar(&f.Budget.Time, "time", 0, "maximum time, such as 20m (default: no limit)")
	flags.Float64Var(&f.Prices.In, "price-in", 0, "US dollars per million input tokens")
	flags.Float64Var(&f.Prices.Out, "price-out", 0, "US dollars per million output tokens")
	flags.IntVar(&f.Searchers, "searchers", 4, "parallel searchers; use 1 for a local model")
	flags.StringSliceVar(&f.Channels, "channels", []string{"auto"}, "channels to search; auto chooses for each query")
	flags.StringVar(&f.OutDir, "out", "citeloop-report", "folder for the report")
	flags.StringSliceVar(&f.Formats, "format", []string{"markdown", "html"}, "report formats: "+strings.Join(research.Formats(), ", "))
	flags.StringVar(&f.Resume, "resume", "", "continue the loop with this id")
	flags.StringVar(&f.again, "continue", "", "read the sources of the loop with this id again and go on from what changed")
	flags.BoolVar(&f.Fresh, "new", false, "start a new loop even if one for the same question is unfinished")
	flags.IntVar(&f.answer, "answer-tokens", 0, "maximum tokens of one model answer, reasoning included (default 8000)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print only the paths of the report")
}

func newResearch(p console.Process, opts *setup.Options) *cobra.Command {
	var flags researchFlags
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
at each step: ask the same question again to continue a run that was stopped. docs/research.md has costs and limits.

--continue goes on with a loop that has finished: its sources are read again as by 'citeloop loops recheck', and the model works on what
changed. If nothing did, the model is not asked.`,
		Example: `  citeloop research "Does a four-day week raise output?" --model gpt-5 --cost 1 --price-in 1.25 --price-out 10
  CITELOOP_RESEARCH_URL=http://127.0.0.1:11434/v1 citeloop research --model qwen3 --searchers 1 --corpus ~/papers --channels local "What do these papers say on sleep?"
  citeloop research --resume 01a1fca9-c4f8-798f-b93c-840cd2fc82d3
  citeloop research --continue 01a1fca9-c4f8-798f-b93c-840cd2fc82d3`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return console.Usagef("unexpected argument %q: research takes one question; quote it", args[1])
			case flags.again != "" && (len(args) > 0 || flags.Resume != "" || flags.Fresh):
				return console.Usagef("--continue takes a loop that has its question; leave out the question, --resume and --new")
			case len(args) == 0 && flags.Resume == "" && flags.again == "":
				return console.Usagef("missing question: give one, or --resume with the id of a loop; see 'citeloop loops list'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runResearch(cmd.Context(), p, opts, flags, strings.Join(args, ""))
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

func runResearch(ctx context.Context, p console.Process, opts *setup.Options, flags researchFlags, question string) (err error) {
	s, err := opts.Settings(p)
	if err != nil {
		return err
	}
	found, err := setup.ResearchModel(p, flags.model)
	if err != nil {
		return console.Usage(err)
	}
	model, err := research.NewModel(llm.Config{URL: found.Url, Model: found.Name, Key: found.Key, AnswerTokens: flags.answer, Logger: s.Logger})
	if err != nil {
		return found.Fault(err)
	}
	if s.Reader.Url == "" && s.Reader.Name == "" {
		s.Reader = found // the model reviews its own claims, but sees only claims and passages, mixed with planted errors
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
	cfg := flags.Config
	cfg.Question, cfg.Resume = question, cmp.Or(cfg.Resume, flags.again)
	cfg.Server, cfg.Model, cfg.Now, cfg.Logger = tools, model, time.Now, s.Logger
	if err := cfg.Check(); err != nil {
		return console.Usage(err)
	}
	if cfg.Resume != "" {
		if cfg.Resume, err = setup.LoopID(ctx, svc.Store, cfg.Resume); err != nil {
			return err
		}
	}
	if flags.again != "" {
		if cfg.Changes, err = changedSince(ctx, p, svc.Service, cfg.Resume, flags.quiet); err != nil || len(cfg.Changes) == 0 {
			return err
		}
	}
	if !flags.quiet {
		announce(p, cfg, s.Corpus)
		cfg.OnEvent = research.Printer(p.Stdout)
	}
	got, err := research.Run(ctx, cfg)
	if got.StateID != "" && !flags.quiet {
		if folder, err := svc.Folder(ctx, got.StateID); err == nil && folder != "" {
			fmt.Fprintf(p.Stdout, "The loop as files: %s\n", folder)
		}
	}
	return researched(ctx, p, got, err, flags.quiet)
}

// announce prints what will be sent, and to which addresses, before anything is sent.
func announce(p console.Process, cfg research.Config, corpus []string) {
	say := func(what, text string) { fmt.Fprintf(p.Stdout, "%-14s  %s\n", what, text) }
	fmt.Fprintf(p.Stdout, "citeloop %s: research with your model\n\n", console.Version)
	if cfg.Question != "" {
		say("question", cfg.Question)
	}
	say("model", cfg.Model.String())
	say("sent to it", "the question, search results, passages of the pages, the claims, the text")
	say("searched", strings.Join(cfg.Channels, ", ")+": the model's queries go to these channels")
	if len(corpus) > 0 {
		say("documents", strings.Join(corpus, ", ")+": their passages are sent to the model, too")
	}
	limits := []string{fmt.Sprintf("%d tokens", cfg.Budget.Tokens)}
	if cfg.Budget.Rounds > 0 {
		limits = append(limits, console.Counted(cfg.Budget.Rounds, "round", "rounds"))
	}
	if cfg.Budget.CostUSD > 0 {
		limits = append(limits, fmt.Sprintf("$%.2f", cfg.Budget.CostUSD))
	}
	if cfg.Budget.Time > 0 {
		limits = append(limits, cfg.Budget.Time.String())
	}
	say("at most", strings.Join(limits, ", ")+", part of it reserved for the text")
}

// researched writes the result of a run, or how to continue it.
func researched(ctx context.Context, p console.Process, got research.Result, err error, quiet bool) error {
	if err == nil && quiet {
		for _, path := range got.Files {
			fmt.Fprintln(p.Stdout, path)
		}
		return nil
	}
	if !quiet && got.Tokens.Total() > 0 {
		cost, about := "", ""
		if got.CostUSD > 0 {
			cost = fmt.Sprintf(", $%.2f", got.CostUSD)
		}
		if got.Tokens.Estimated {
			about = "about "
		}
		fmt.Fprintf(p.Stdout, "This run took %s%d tokens%s.\n", about, got.Tokens.Total(), cost)
	}
	if err == nil {
		if i := slices.IndexFunc(got.Files, func(path string) bool { return strings.HasSuffix(path, ".html") }); i >= 0 {
			fmt.Fprintf(p.Stdout, "Open %s in a browser and click a citation.\n", got.Files[i])
		}
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
