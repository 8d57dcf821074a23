// Package check is the command verify. It checks the texts of files by the use case that the tools have, [loops.Service.Verify], and adds
// what a loop does not have: names and places in files, a lock of earlier readings, findings, and the formats of CI systems.
//
// A run settles its flags (verify.go) with the project file (project.go), reads the drafts (drafts.go) and checks each (check.go): with the
// pages that it cites (pages.go), what is known of earlier readings (lock.go), and what a reader answers now (review.go, items.go for
// files, terminal.go). What was found becomes findings (findings.go), which are written (formats.go, json.go, sarif.go). Rows of claims
// (claims.go) have no files and no reader.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/project"
	"github.com/citeloop/citeloop/loopstate"
)

const verifyLong = `Check a text with citations: read what it cites, and look up each sentence that makes a claim. The text is Markdown; a
citation should name the lines that say it: notes.md#L12-L20, [notes.md:12-20], paper.pdf#page=3, page.html#:~:text=words.

Without a reader only these are errors: a citation that leads to nothing (hallucinated), quoted words that no cited text
has (quote), a claim that cites nothing (uncited). Every other sentence waits for somebody who did not write it and reads
it beside the cited lines: you (--read), a model (--read=model), or an agent or a colleague: --read=items.json writes
what waits, with a page for people, and takes the answers that are in the file. What was found is kept in citeloop.lock
beside the text; commit it.

Exit codes: 0 pass; 1 errors, or sentences that their sources do not say; 2 wrong usage; 3 undecided: not all was read.

Files are read beside the text and in its repository, and in folders of --corpus. Settings of a project are in
citeloop.toml (docs/ci.md). Rows of claims: --claims CLAIMS.jsonl --sources TEXTS.jsonl (docs/commands.md).`

const verifyExample = `  citeloop verify report.md
  citeloop verify --read report.md
  citeloop verify --format github --format sarif=citations.sarif docs/*.md`

// The values of --read.
const (
	readTerminal = "terminal"
	readModel    = "model"
	fileOfItems  = ".json" // end of a file's name
)

// New returns the command.
func New(p console.Process, opts *setup.Options) *cobra.Command {
	run := &verifyRun{p: p, kinds: kindsOf("error"), locks: map[string]*lock{},
		project: &projectFile{File: &project.File{}}}
	cmd := &cobra.Command{
		Use:     "verify [FILE...]",
		Short:   "Check a text against the sources that it cites",
		Long:    verifyLong,
		Example: verifyExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			run.files = args
			if err := run.settle(cmd.Context(), cmd.Flags().Changed, *opts); err != nil {
				return console.Usage(err)
			}
			return ended(cmd.Context(), run.do(cmd.Context()))
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&run.formats, "format", nil, "text, json, sarif or github; FORMAT=FILE writes a file; repeatable")
	flags.StringVar(&run.failOn, "fail-on", "",
		"findings that fail, a list of kinds, all or none (default hallucinated,quote,contradicted,unsupported,uncited)")
	flags.StringVar(&run.read, "read", "", "read what waits, item after item; --read=model: have the configured model read it; "+
		"--read=FILE.json: write it to a file, and take the answers that are in the file")
	flags.Lookup("read").NoOptDefVal = readTerminal
	flags.BoolVar(&run.all, "all", false, "list what of the text is no claim, and why; beside JSON, on stderr")
	flags.BoolVar(&run.offline, "offline", false, "read nothing from the network")
	flags.StringVar(&run.lockBase, "lock-base", "",
		"revision of git whose locks are approved: readings that it lacks do not count; none: use no lock")
	flags.BoolVar(&run.allow, "allow-undecided", false, "exit with 0 instead of 3")
	flags.BoolVar(&run.noLock, "no-lock", false, "as --lock-base=none")
	flags.StringVar(&run.claims, "claims", "", "file of claims, one JSON object a line")
	flags.StringVar(&run.sources, "sources", "", "file of texts, one JSON object a line")
	flags.StringVar(&run.config, "config", "", "project file (default citeloop.toml, found upwards from the text), or off")
	for _, name := range []string{"claims", "sources", "no-lock", "config"} {
		flags.Lookup(name).Hidden = true
	}
	return cmd
}

// verifyRun is one run with its settings.
type verifyRun struct {
	// The flags.
	formats                 []string
	failOn, read            string
	lockBase                string
	claims, sources, config string
	offline, noLock         bool
	all, allow              bool

	p        console.Process
	files    []string
	kinds    []Kind
	outputs  []output
	settings setup.Settings
	project  *projectFile
	locks    map[string]*lock // by folder
	pages    *pages
	svc      *loops.Service
	notes    []string // about the whole check

	// Of --read.
	loop     string           // "": nobody reads
	earlier  *loopstate.State // the loop of an earlier review, which has readings; nil: none
	terminal *terminal        // nil: another way of reading
}

// output is a format with the file that it is written to; "" is standard output.
type output struct{ format, file string }

// settle validates the flags and reads the settings. given reports whether a flag was given.
func (run *verifyRun) settle(ctx context.Context, given func(string) bool, opts setup.Options) (err error) {
	for _, value := range run.formats {
		format, file, _ := strings.Cut(value, "=")
		if !slices.Contains(console.Formats(), format) {
			return fmt.Errorf("--format: unknown format %q: use %s", format, strings.Join(console.Formats(), ", "))
		}
		run.outputs = append(run.outputs, output{format, file})
	}
	if !slices.ContainsFunc(run.outputs, func(o output) bool { return o.file == "" }) {
		run.outputs = append(run.outputs, output{format: console.Text})
	}
	run.noLock = run.noLock || run.lockBase == "none"
	if err = run.misused(); err != nil {
		return err
	}
	if run.claims == "" {
		if err = run.openProject(ctx, given, &opts); err != nil {
			return err
		}
	}
	if given("fail-on") {
		if run.kinds, err = parseKinds(run.failOn); err != nil {
			return fmt.Errorf("--fail-on: %w", err)
		}
	}
	run.settings, err = opts.Settings(run.p)
	return err
}

// misused says which flags do not go together.
func (run *verifyRun) misused() error {
	stdin := len(slices.DeleteFunc(slices.Clone(run.files), func(name string) bool { return name != "-" }))
	for _, wrong := range []struct {
		is   bool
		what string
	}{
		{(run.claims == "") != (run.sources == ""), "--claims and --sources must be given together"},
		{run.claims == "-" && run.sources == "-", "only one of --claims and --sources can be standard input"},
		{run.claims != "" && len(run.files) > 0,
			fmt.Sprintf("unexpected argument %q: --claims names the file to check", strings.Join(run.files, " "))},
		{run.claims != "" && run.read != "", "--read has no use with --claims, whose rows nobody reads: leave it out, or give the text " +
			"in place of --claims"},
		{run.read != "" && run.read != readTerminal && run.read != readModel && !run.toFile(),
			fmt.Sprintf("unknown --read %q: use --read alone, --read=model or --read=FILE.json", run.read)},
		{run.toFile() && len(run.files) > 1, "--read=FILE.json takes one text: give it alone"},
		{len(run.files) == 1 && filepath.Clean(run.files[0]) == filepath.Clean(run.sheet()),
			fmt.Sprintf("--read=%s would write its page over the text: name another file", run.read)},
		{stdin > 1 || stdin > 0 && run.read == readTerminal, "standard input (-) can be read only once"},
	} {
		if wrong.is {
			return errors.New(wrong.what)
		}
	}
	return nil
}

// ended returns the error with its exit code: 2 for wrong calls and files, 3 for anything else that prevented a verdict. 1 is for
// findings only.
func ended(ctx context.Context, err error) error {
	var end console.End
	var usage console.UsageError
	var path *os.PathError
	var bad *loopstate.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return console.End{Code: console.ExitUndecided,
			Cause: errors.New("interrupted before the check was complete; run the same command again")}
	case errors.As(err, &end), errors.As(err, &usage):
		return err
	case errors.As(err, &path), errors.As(err, &bad) && bad.Subject == "draft": // what the user gave
		return console.Usage(err)
	}
	return console.End{Code: console.ExitUndecided, Cause: err}
}

// write writes to a file or to standard output. Commands to CI systems in what is written are broken in files as well: jobs print them.
func (run *verifyRun) write(o output, to func(io.Writer) error) error {
	safe := func(out io.Writer) error {
		w, end := run.p.ForLog(out, o.format)
		return errors.Join(to(w), end())
	}
	if o.file == "" {
		return safe(run.p.Stdout)
	}
	return safefile.WriteFile(o.file, safe)
}
