// Package check is the command verify: it checks texts, files of claims, and the receipts of a report.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/project"
	"github.com/citeloop/citeloop/internal/textcheck"
	"github.com/citeloop/citeloop/internal/verify"
)

// checkFolders checks the folders of a corpus like named files.
func checkFolders(folders []string) error {
	for _, folder := range folders {
		if _, err := safefile.InsidePath(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return console.Usagef("--corpus: %w", err)
		}
	}
	return nil
}

func New(p console.Process, opts *setup.Options) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:     "verify [FILE...]",
		Short:   "Check a text against the sources that it cites",
		Long:    verifyLong,
		Example: verifyExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := f.settle(p, cmd, args)
			if err != nil {
				return console.Usage(err)
			}
			all := *opts
			if run.project != nil && len(all.Corpus) == 0 {
				if all.Corpus, err = run.project.corpus(); err != nil {
					return err
				}
				if len(all.Corpus) > 0 { // those of the user stay
					all.Corpus = append(all.Corpus, filepath.SplitList(p.Env("CITELOOP_CORPUS"))...)
				}
			}
			if run.settings, err = all.Settings(p); err != nil {
				return console.Usage(err)
			}
			return run.ended(cmd.Context(), run.do(cmd.Context()))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "", "text, json, jsonl, sarif, github or html (default text; jsonl with --claims)")
	flags.StringVarP(&f.output, "output", "o", "", "output file (default standard output)")
	flags.StringArrayVar(&f.also, "write", nil, "FORMAT=FILE: also write the check in another format; repeatable")
	flags.Float64Var(&f.threshold, "threshold", verify.DefaultThreshold, "minimum share of supported sentences, of those that were read, 0 to 1")
	flags.StringVar(&f.failOn, "fail-on", "", "findings that cause exit code 1: "+textcheck.KindWords()+"; a comma-separated list, all or none (default hallucinated,quote,contradicted,unsupported,uncited)")
	flags.BoolVar(&f.strict, "strict", false, "fail on remarks, and on sentences and sources that nobody has read, too")
	flags.BoolVar(&f.allow, "allow-undecided", false, "end with 0 instead of 3 when the verdict is undecided")
	flags.BoolVar(&f.reader, "reader", false, "have the configured model read the sentences beside their sources")
	flags.StringVar(&f.reviewOut, "review-out", "", "write the sentences that nobody has read, with their passages, to this file, for a reader")
	flags.StringArrayVar(&f.reviewIn, "review-in", nil, "file of a reader's answers to --review-out; repeatable")
	flags.StringVar(&f.config, "config", "", "project file (default citeloop.toml, found upwards from the text), or off")
	flags.BoolVar(&f.noLock, "no-lock", false, "neither use nor keep readings in citeloop.lock beside the text")
	flags.BoolVar(&f.offline, "offline", false, "read nothing from the network")
	flags.StringVar(&f.storeLoop, "store-loop", "", "id of a loop whose stored texts are used first")
	flags.BoolVar(&f.progress, "progress", false, "report each address on stderr (default if stderr is a terminal)")
	flags.StringVar(&f.claims, "claims", "", "file of claims, one JSON object a line; needs --sources")
	flags.StringVar(&f.sources, "sources", "", "file of texts, one JSON object a line; needs --claims")
	flags.StringVar(&f.receipts, "receipts", "", "JSON report whose receipts to check again")
	return cmd
}

// settle validates the flags and chooses the check.
func (f verifyFlags) settle(p console.Process, cmd *cobra.Command, args []string) (*verifyRun, error) {
	run := &verifyRun{verifyFlags: f, p: p, files: args}
	given := cmd.Flags().Changed
	if err := run.settleMode(given); err != nil {
		return nil, err
	}
	var err error
	if run.project, err = run.openProject(); err != nil {
		return nil, err
	}
	switch {
	case run.project != nil:
		err = run.project.apply(cmd.Context(), run, given)
	case run.mode == verifyDrafts && len(run.files) == 0:
		err = errors.New("missing file to check: name one, or - for standard input; or list your texts in " + project.Name + "")
	}
	if err != nil {
		return nil, err
	}
	if err := run.settleReview(given); err != nil {
		return nil, err
	}
	valid := textcheck.RowFormats()
	failOn := []textcheck.Kind{textcheck.Hallucinated, textcheck.Uncited}
	switch run.mode {
	case verifyDrafts:
		valid, failOn = textcheck.Formats(), textcheck.DefaultFailOn()
	case verifyClaims, verifySynthesis:
		if !given("threshold") {
			run.threshold = 0
		}
		if !given("threshold") && !given("fail-on") && !run.strict && !run.reads() {
			run.allow = true // rows for another program, which nobody has asked to have read
		}
	}
	if run.format == "" {
		run.format = textcheck.Text
		if run.mode == verifyClaims {
			run.format = textcheck.JSONL
		}
	}
	if err := textcheck.CheckFormat(run.format, valid); err != nil {
		return nil, fmt.Errorf("--format: %w", err)
	}
	if math.IsNaN(run.threshold) || run.threshold < 0 || run.threshold > 1 {
		return nil, fmt.Errorf("invalid --threshold %v: use a number from 0 to 1", run.threshold)
	}
	for _, also := range run.also {
		format, file, ok := strings.Cut(also, "=")
		if !ok || file == "" {
			return nil, fmt.Errorf("invalid --write %q: use FORMAT=FILE, such as html=report.html", also)
		}
		if err := textcheck.CheckFormat(format, valid); err != nil {
			return nil, fmt.Errorf("--write: %w", err)
		}
		run.copies = append(run.copies, verifyCopy{format, file})
	}
	run.kinds = failOn
	if run.failOn != "" || given("fail-on") {
		kinds, err := textcheck.ParseKinds(run.failOn)
		if err != nil {
			return nil, fmt.Errorf("--fail-on: %w", err)
		}
		run.kinds = kinds
	}
	if run.strict {
		run.kinds = append(slices.Clone(run.kinds), textcheck.Noted, textcheck.NotRead, textcheck.Unread)
	}
	if !given("progress") {
		run.progress = console.Terminal(p.Stderr)
	}
	return run, nil
}

func (run *verifyRun) settleMode(given func(string) bool) error {
	other := func(flags ...string) error {
		for _, flag := range flags {
			if given(flag) {
				return fmt.Errorf("--%s does not apply to this check", flag)
			}
		}
		return nil
	}
	switch {
	case run.receipts != "":
		run.mode = verifyReceipts
		if len(run.files) > 0 {
			return fmt.Errorf("unexpected argument %q: --receipts names the file to check", run.files[0])
		}
		return other("claims", "sources", "store-loop", "threshold", "fail-on", "strict", "offline")
	case run.claims != "" || run.sources != "":
		run.mode = verifyClaims
		switch {
		case run.claims == "" || run.sources == "":
			return errors.New("--claims and --sources must be given together")
		case run.claims == "-" && run.sources == "-":
			return errors.New("only one of --claims and --sources can be standard input")
		case len(run.files) > 0:
			return fmt.Errorf("unexpected argument %q: --claims names the file to check", run.files[0])
		}
		return other("store-loop", "write")
	case len(run.files) == 2 && isJSONName(run.files[0]) && isJSONName(run.files[1]):
		run.mode = verifySynthesis
		return other("store-loop", "write")
	}
	standard := 0
	for _, name := range run.files {
		if isJSONName(name) {
			return fmt.Errorf("%s is not a text: check a synthesis with its store (verify synth.json store.json), and the receipts of a report with --receipts", name)
		}
		if name == "-" {
			standard++
		}
	}
	if standard > 1 {
		return errors.New("standard input (-) can be read only once")
	}
	return nil
}

func isJSONName(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".json") }

func (run *verifyRun) do(ctx context.Context) error {
	switch run.mode {
	case verifyClaims:
		return run.checkRows(ctx, run.claims, run.sources, textcheck.Claims)
	case verifySynthesis:
		return run.checkRows(ctx, run.files[0], run.files[1], textcheck.Synthesis)
	case verifyReceipts:
		return run.checkReceipts(ctx)
	}
	return run.checkDrafts(ctx)
}

// ended returns the error with its exit code: 2 for wrong calls and files, 3 for anything else that prevented a
// verdict. 1 is for findings only.
func (run *verifyRun) ended(ctx context.Context, err error) error {
	var (
		end     console.End
		usage   console.UsageError
		path    *os.PathError
		row     *textcheck.RowError
		report  *textcheck.ReportError
		tooMany *textcheck.TooManyError
		answers *textcheck.AnswersError
	)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return console.End{Code: console.ExitUndecided, Cause: errors.New("interrupted before the check was complete")}
	case errors.As(err, &end), errors.As(err, &usage):
		return err
	case errors.As(err, &path), errors.As(err, &row), errors.As(err, &report), errors.As(err, &tooMany), errors.As(err, &answers):
		return console.Usage(err)
	case errors.Is(err, textcheck.ErrNoLoop):
		return console.Usagef("--store-loop: %w; 'citeloop loops list' shows yours", err)
	}
	return console.End{Code: console.ExitUndecided, Cause: err}
}

func (run *verifyRun) checkDrafts(ctx context.Context) error {
	if err := checkFolders(run.settings.Corpus); err != nil {
		return err
	}
	drafts, err := run.readDrafts()
	if err != nil {
		return err
	}
	locks, err := run.openLocks(drafts)
	if err != nil {
		return err
	}
	allowed := run.settings
	allowed.Corpus = slices.Concat(allowed.Corpus, textcheck.Beside(drafts))
	reader, err := setup.NewReader(allowed, 0)
	if err != nil {
		return err
	}
	defer reader.Close()
	corpus, err := textcheck.OpenCorpus(ctx, run.settings.Corpus)
	if err != nil {
		return err
	}
	cfg := textcheck.Config{Reader: reader, Corpus: corpus, Offline: run.offline, Locks: locks, Threshold: run.threshold, FailOn: run.kinds, Suppress: run.project.suppressions(drafts), Now: time.Now, Generator: "citeloop " + console.Version, Progress: run.say()}
	if cfg.Review, err = run.review(); err != nil {
		return err
	}
	if run.storeLoop != "" {
		store, err := setup.OpenStore(ctx, run.settings)
		if err != nil {
			return err
		}
		defer store.Close()
		id, err := setup.LoopID(ctx, store, run.storeLoop)
		if err != nil {
			return console.Usage(err)
		}
		if cfg.Loop, err = textcheck.OpenLoop(ctx, store, id, loops.LocalOwner); err != nil {
			return err
		}
	}
	result, err := textcheck.Drafts(ctx, drafts, cfg)
	if err != nil {
		return err
	}
	run.nextReview(result.Review)
	if err := run.writeLocks(); err != nil {
		return err
	}
	if err := run.writeAll(func(w io.Writer, format string) error { return textcheck.Write(w, format, result) }, result.Summary()); err != nil {
		return err
	}
	return run.exit(result.ExitCode())
}

func (run *verifyRun) checkReceipts(ctx context.Context) error {
	file, err := safefile.OpenInput(run.receipts, run.p.Stdin)
	if err != nil {
		return err
	}
	state, receipts, err := textcheck.ReadReceipts(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("%s: %w", run.receipts, err)
	}
	reader, err := setup.NewReader(run.settings, 0)
	if err != nil {
		return err
	}
	defer reader.Close()
	check, err := textcheck.Online(ctx, receipts, reader, run.say())
	if err != nil {
		return err
	}
	check.StateID, check.GeneratedAt, check.Generator = state, time.Now().UTC(), "citeloop "+console.Version
	if err := run.writeAll(func(w io.Writer, format string) error { return textcheck.WriteReceipts(w, format, check) }, check.Summary()); err != nil {
		return err
	}
	return run.exit(check.ExitCode())
}
