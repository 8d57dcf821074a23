// Package check is the command verify. It checks the texts of files by the use case that the tools have, [loops.Service.Verify], and adds
// what a loop does not have: names and places in files, a lock of earlier readings, findings, and the formats of CI systems.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
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

// verifyFlags are the flags of verify.
type verifyFlags struct {
	formats         []string
	failOn          string
	read            string
	offline, noLock bool
	all             bool
	allow           bool
	lockBase        string
	trustNew        bool
	claims, sources string
	config          string
}

// The values of --read.
const (
	readTerminal = "terminal"
	readModel    = "model"
	fileOfItems  = ".json" // end of a file's name
)

// New returns the command.
func New(p console.Process, opts *setup.Options) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:     "verify [FILE...]",
		Short:   "Check a text against the sources that it cites",
		Long:    verifyLong,
		Example: verifyExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			run := &verifyRun{verifyFlags: f, p: p, files: args, kinds: defaultFailOn()}
			if err := run.settle(cmd.Context(), cmd.Flags().Changed, *opts); err != nil {
				return console.Usage(err)
			}
			return ended(cmd.Context(), run.do(cmd.Context()))
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.formats, "format", nil, "text, json, sarif or github; FORMAT=FILE writes a file; repeatable")
	flags.StringVar(&f.failOn, "fail-on", "",
		"findings that fail, a list of kinds, all or none (default hallucinated,quote,contradicted,unsupported,uncited)")
	flags.StringVar(&f.read, "read", "", "read what waits, item after item; --read=model: have the configured model read it; "+
		"--read=FILE.json: write it to a file, and take the answers that are in the file")
	flags.Lookup("read").NoOptDefVal = readTerminal
	flags.BoolVar(&f.all, "all", false, "list what of the text is no claim, and why; beside JSON, on stderr")
	flags.BoolVar(&f.offline, "offline", false, "read nothing from the network")
	flags.StringVar(&f.lockBase, "lock-base", "",
		"revision of git whose locks are approved: readings that it lacks do not count; none: use no lock")
	flags.BoolVar(&f.trustNew, "trust-new", false, "count readings that --lock-base lacks, too")
	flags.BoolVar(&f.allow, "allow-undecided", false, "exit with 0 instead of 3")
	flags.BoolVar(&f.noLock, "no-lock", false, "as --lock-base=none")
	flags.StringVar(&f.claims, "claims", "", "file of claims, one JSON object a line")
	flags.StringVar(&f.sources, "sources", "", "file of texts, one JSON object a line")
	flags.StringVar(&f.config, "config", "", "project file (default citeloop.toml, found upwards from the text), or off")
	for _, name := range []string{"claims", "sources", "no-lock", "config"} {
		flags.Lookup(name).Hidden = true
	}
	return cmd
}

// verifyRun is one run with its settings.
type verifyRun struct {
	verifyFlags
	p        console.Process
	files    []string
	kinds    []Kind
	outputs  []output
	settings setup.Settings
	project  *projectFile // nil: none
	pages    *Pages
	svc      *loops.Service
	known    readings         // earlier readings that count
	reviewer *reviewer        // nil: nobody reads
	locks    map[string]*lock // by folder
}

// output is a format with the file that it is written to; "" is standard output.
type output struct{ format, file string }

// settle validates the flags and reads the settings. given reports whether a flag was given.
func (run *verifyRun) settle(ctx context.Context, given func(string) bool, opts setup.Options) (err error) {
	toStdout := false
	for _, value := range run.formats {
		format, file, _ := strings.Cut(value, "=")
		if !slices.Contains(console.Formats(), format) {
			return fmt.Errorf("--format: unknown format %q: use %s", format, strings.Join(console.Formats(), ", "))
		}
		run.outputs, toStdout = append(run.outputs, output{format, file}), toStdout || file == ""
	}
	if !toStdout {
		run.outputs = append(run.outputs, output{format: console.Text})
	}
	if run.lockBase == "none" {
		run.lockBase, run.noLock = "", true
	}
	stdin := 0
	for _, name := range run.files {
		if name == "-" {
			stdin++
		}
	}
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
		{run.read != "" && run.read != readTerminal && run.read != readModel && !strings.HasSuffix(run.read, fileOfItems),
			fmt.Sprintf("unknown --read %q: use --read alone, --read=model or --read=FILE.json", run.read)},
		{strings.HasSuffix(run.read, fileOfItems) && len(run.files) > 1, "--read=FILE.json takes one text: give it alone"},
		{len(run.files) == 1 && filepath.Clean(run.files[0]) == filepath.Clean(run.sheet()),
			fmt.Sprintf("--read=%s would write its page over the text: name another file", run.read)},
		{run.noLock && run.lockBase != "", "--lock-base has no use with --no-lock"},
		{run.trustNew && run.lockBase == "", "--trust-new needs --lock-base"},
		{stdin > 1 || stdin > 0 && run.read == readTerminal, "standard input (-) can be read only once"},
	} {
		if wrong.is {
			return errors.New(wrong.what)
		}
	}
	if run.claims == "" && run.config != "off" {
		if err = run.openProject(ctx, given); err != nil {
			return err
		}
	}
	if run.claims == "" && len(run.files) == 0 {
		return errors.New("missing file to check: name one, or - for standard input; or list your texts in citeloop.toml")
	}
	if given("fail-on") {
		if run.kinds, err = parseKinds(run.failOn); err != nil {
			return fmt.Errorf("--fail-on: %w", err)
		}
	}
	if run.project != nil && len(opts.Corpus) == 0 {
		if opts.Corpus, err = run.project.corpus(); err != nil {
			return err
		}
		if len(opts.Corpus) > 0 { // those of the user stay
			opts.Corpus = append(opts.Corpus, filepath.SplitList(run.p.Env("CITELOOP_CORPUS"))...)
		}
	}
	run.settings, err = opts.Settings(run.p)
	return err
}

func (run *verifyRun) do(ctx context.Context) error {
	if run.claims != "" {
		return run.checkClaims(ctx)
	}
	for _, folder := range run.settings.Corpus {
		if _, err := safefile.InsidePath(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return console.Usagef("--corpus: %w", err)
		}
	}
	drafts, err := run.readDrafts(ctx)
	if err != nil {
		return err
	}
	if err := run.openLocks(ctx, drafts); err != nil {
		return err
	}
	near := beside(drafts)
	allowed := run.settings
	allowed.Corpus = slices.Concat(allowed.Corpus, near)
	reader, err := setup.NewReader(allowed)
	if err != nil {
		return err
	}
	defer reader.Close()
	run.pages, run.known = newPages(reader, run.settings.Corpus, run.offline), readings{}
	run.svc = run.service(nil, nil)
	err = run.openReviewer(ctx, drafts)
	defer run.reviewer.close()
	if err != nil {
		return err
	}
	result, err := run.check(ctx, drafts)
	if err != nil {
		return err
	}
	if run.reviewer != nil {
		if err := errors.Join(run.writeBatch(), run.writeLocks(result.Verdict)); err != nil {
			return err
		}
	}
	for _, o := range run.outputs {
		if err := run.write(o, func(w io.Writer) error { return write(w, o.format, result) }); err != nil {
			return err
		}
	}
	if run.all {
		list := func(w io.Writer) error { return writeSkipped(w, result) }
		isObject := func(o output) bool { return o.file == "" && (o.format == console.JSON || o.format == console.SARIF) }
		if slices.ContainsFunc(run.outputs, isObject) { // which nothing may follow
			err = list(run.p.Stderr)
		} else {
			err = run.write(output{format: console.Text}, list)
		}
		if err != nil {
			return err
		}
	}
	if next := result.next(run.named(), run.offline); next != "" && !strings.HasSuffix(run.read, fileOfItems) {
		fmt.Fprintln(run.p.Stderr, next)
	}
	if said := run.pages.elsewhere(near); said != "" {
		fmt.Fprintln(run.p.Stderr, said)
	}
	code := outcome.ExitCode(result.Verdict)
	waived := run.allow && code == console.ExitUndecided && len(result.unread) == 0 // a text that was not read has not passed
	if code != console.ExitOK && !waived {
		return console.End{Code: code}
	}
	return nil
}

// named returns the files as a shell takes them; the first few. Standard input must be saved to be read once more.
func (run *verifyRun) named() string {
	const most = 3
	var out []string
	for _, name := range run.files[:min(len(run.files), most)] {
		if name == "-" {
			name = "FILE"
		}
		out = append(out, sanitize.Line(console.Quoted(name)))
	}
	if len(run.files) > most {
		out = append(out, "…")
	}
	return strings.Join(out, " ")
}

// checkClaims checks a file of claims against a file of texts.
func (run *verifyRun) checkClaims(ctx context.Context) error {
	claims, err := safefile.OpenInput(run.claims, run.p.Stdin)
	if err != nil {
		return err
	}
	defer claims.Close()
	texts, err := safefile.OpenInput(run.sources, run.p.Stdin)
	if err != nil {
		return err
	}
	defer texts.Close()
	rows, bad := 0, 0
	err = run.write(output{format: console.JSON}, func(w io.Writer) (err error) {
		rows, bad, err = checkRows(ctx, claims, texts, run.claims, run.sources, w)
		return err
	})
	switch {
	case err != nil:
		return err
	case bad > 0:
		return console.End{Code: console.ExitFailed}
	case rows > 0 && !run.allow: // nobody has read them
		return console.End{Code: console.ExitUndecided}
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

// stdinName is the name of standard input as a draft.
const stdinName = "<stdin>"

// readDrafts reads the files to check, and the texts of folders; - is standard input.
func (run *verifyRun) readDrafts(ctx context.Context) (out []Draft, err error) {
	var files []string
	for _, name := range run.files {
		info, err := os.Stat(name)
		if name == "-" || err != nil || !info.IsDir() {
			files = append(files, name)
			continue
		}
		if _, err := safefile.InsidePath(name); err != nil {
			return nil, err
		}
		found, err := textsIn(ctx, name, run.project)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, console.Usagef("no .md, .markdown or .txt files in folder %s: name the files to check", name)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		body, err := safefile.ReadInput(file, run.p.Stdin, 4*loops.MaxDraftChars)
		if err != nil {
			return nil, err
		}
		text, shown := strings.TrimRight(strings.TrimPrefix(string(body), "\uFEFF"), "\x00"), stdinName
		if !strings.Contains(text, "\n") { // lines that end as on old Macs
			text = strings.ReplaceAll(text, "\r", "\n")
		}
		if strings.EqualFold(filepath.Ext(file), ".mdx") {
			blank := func(line string) string { return strings.Repeat(" ", utf8.RuneCountInString(line)) }
			text = codeOfMDX.ReplaceAllStringFunc(text, blank)
		}
		if rel := fromHere(file); filepath.IsAbs(file) && filepath.IsLocal(rel) {
			shown = rel
		} else if file != "-" {
			shown = file
		}
		if !isMarkdown(file, text) {
			return nil, console.Usagef("%s is not Markdown; convert it first, for example with pandoc -t gfm", shown)
		}
		out = append(out, Draft{Name: shown, Text: text})
	}
	return out, nil
}

// codeOfMDX are the lines of MDX that are JavaScript.
var codeOfMDX = lazyregexp.New(`(?m)^(?:import|export)[ \t{*].*$`)

// isMarkdown reports whether a text can be Markdown, by its ending and its beginning. A page with the ending of one has its tags.
func isMarkdown(file, text string) bool {
	others := []string{".rst", ".tex", ".org", ".ipynb", ".docx", ".odt", ".adoc", ".pdf"}
	return !slices.Contains(others, strings.ToLower(filepath.Ext(file))) && !draft.IsHTML(text) && !strings.HasPrefix(text, "%PDF-")
}

// textsIn returns the Markdown and text files below a folder, without hidden folders, links, and what the project excludes.
func textsIn(ctx context.Context, folder string, project *projectFile) (out []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		excluded := project.excludes(path)
		if d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || excluded) {
			return fs.SkipDir
		}
		kind := strings.ToLower(filepath.Ext(path))
		if d.Type().IsRegular() && !excluded && (kind == ".md" || kind == ".markdown" || kind == ".txt") {
			out = append(out, path)
		}
		return nil
	})
	return out, err
}
