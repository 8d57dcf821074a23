package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
)

// maxAddresses bounds the cited addresses that are read for one text (chosen).
const maxAddresses = 2000

// Result is the result of checking drafts.
type Result struct {
	Verdict      string    `json:"verdict"`              // of the worst draft
	Groundedness float64   `json:"overall_groundedness"` // share of the sentences that were read
	FailOn       []Kind    `json:"fail_on"`
	Files        []*File   `json:"files"`
	Notes        []string  `json:"notes"` // about the whole check: who read, which readings do not count
	GeneratedAt  time.Time `json:"generated_at"`
}

// findings returns those of all drafts.
func (r *Result) findings() (all []Finding) {
	for _, f := range r.Files {
		all = append(all, f.findings...)
	}
	return all
}

// File is a checked draft.
type File struct {
	Draft
	Verdict      string  `json:"verdict"` // by the findings that fail
	Groundedness float64 `json:"overall_groundedness"`
	Read         int     `json:"read"`
	Of           int     `json:"of"`
	verify.Tally
	Counts map[Kind]int `json:"findings"`
	ToRead int          `json:"to_read"`

	result   verify.Result
	findings []Finding
	lines    *lines.Text
}

// do is one run: read, examine, and write.
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
	allowed := run.settings
	allowed.Corpus = slices.Concat(allowed.Corpus, beside(drafts))
	reader, err := setup.NewReader(allowed)
	if err != nil {
		return err
	}
	defer reader.Close()
	run.pages = newPages(reader, run.settings.Corpus, run.offline)
	store, err := run.openService(ctx, drafts)
	if store != nil {
		defer store.Close() // what it has acknowledged is on disk
	}
	if err != nil {
		return err
	}
	result, err := run.check(ctx, drafts)
	if err != nil {
		return err
	}
	if run.read != "" {
		err = run.writeLocks(result.Verdict)
	}
	if err == nil {
		err = run.writeAll(result)
	}
	if err != nil {
		return err
	}
	if next := result.next(run.named(), run.offline); next != "" && !run.toFile() {
		fmt.Fprintln(run.p.Stderr, next)
	}
	code := outcome.ExitCode(result.Verdict)
	if code != console.ExitOK && (code != console.ExitUndecided || !run.allow) {
		return console.End{Code: code}
	}
	return nil
}

// check checks drafts, one after the other. The error is that of ctx or of a reader. An address that cannot be read is no error.
func (run *verifyRun) check(ctx context.Context, drafts []Draft) (*Result, error) {
	r := &Result{Verdict: outcome.Pass, FailOn: run.kinds, GeneratedAt: time.Now().UTC().Truncate(time.Second)}
	for _, d := range drafts {
		f := &File{Draft: d, lines: lines.New(d.Text)}
		if strings.TrimSpace(d.Text) != "" {
			if err := run.examine(ctx, f); err != nil {
				return nil, fmt.Errorf("%s: %w", sanitize.Line(d.Name), err)
			}
		}
		f.find(r.FailOn)
		r.Files = append(r.Files, f)
	}
	if run.loop != "" {
		st, err := run.svc.Snapshot(ctx, run.loop, 0)
		if err == nil && run.toFile() {
			err = run.writeItems(ctx, st.Sources)
		}
		if err != nil {
			return nil, err
		}
		r.Notes = slices.Concat(readers(run.earlier), readers(st))
	}
	r.Notes = orEmpty(slices.Concat(run.notes, r.Notes))
	r.judge()
	return r, nil
}

// examine checks a draft that is not empty, with the readings that are known, and keeps the new ones.
func (run *verifyRun) examine(ctx context.Context, f *File) (err error) {
	if f.result, err = run.verify(ctx, f.Draft); err != nil {
		return err
	}
	f.Groundedness, f.Tally, f.ToRead = f.result.Groundedness, f.result.Tally, len(f.result.Pending)
	f.Read, f.Of = f.Tally.Read(), f.Tally.Total()
	uncovered := slices.DeleteFunc(slices.Clone(f.result.Uncited), func(c verify.Claim) bool { return !c.Uncovered() })
	f.lock.keep(f.Name, slices.Concat(f.result.Claims, uncovered))
	return nil
}

// judge sets the verdicts. A text without claims says nothing about the others.
func (r *Result) judge() {
	read, supported, checked := 0, 0, false
	for _, f := range r.Files {
		read, supported = read+f.Read, supported+f.Supported
		if f.Verdict = f.judged(); f.Of > 0 || f.Verdict == outcome.Fail {
			r.Verdict, checked = outcome.Worse(r.Verdict, f.Verdict), true
		}
	}
	if !checked {
		r.Verdict = outcome.Worse(r.Verdict, outcome.Undecided)
	}
	r.Groundedness = verify.Tally{Supported: supported, NotStated: read - supported}.Groundedness()
}

// judged fails for a finding that fails, or if too few of the claims that were read are supported. It is undecided while claims are not
// read, and without claims.
func (f *File) judged() string {
	if slices.ContainsFunc(f.findings, func(x Finding) bool { return x.Fails }) {
		return outcome.Fail
	}
	t := verify.Tally{Supported: f.Supported, NotStated: f.Tally.Read() - f.Supported} // errors may not fail here
	verdict := t.Verdict(verify.DefaultThreshold, f.ToRead+f.NotChecked, 0)
	if verdict == verify.Review || verdict == verify.Pass && f.result.Unread() > 0 {
		return outcome.Undecided
	}
	return verdict
}

// next says what waits, and the one command that goes on with the files; "" if nothing waits.
func (r *Result) next(files string, offline bool) string {
	waits, pending, unread := "", 0, 0
	for _, f := range r.Files {
		pending, unread = pending+f.ToRead, unread+f.result.Unread()
	}
	switch {
	case pending > 0:
		waits = english.Plural(pending, "sentence is not read yet; to read it", "sentences are not read yet; to read them")
		files = "--read " + files
	case r.Verdict != outcome.Undecided:
		return ""
	case unread > 0 && offline:
		waits = english.Plural(unread, "cited source was not read offline; to read it",
			"cited sources were not read offline; to read them")
	case unread > 0:
		waits = english.Plural(unread, "cited source could not be read; save it as a file and cite that, then",
			"cited sources could not be read; save them as files and cite those, then")
	default:
		waits = "no sentence cites a source; to see what is no claim, and why"
		files = "--all " + files
	}
	return waits + ": citeloop verify " + files
}

// named returns the files as a shell takes them; the first few. Standard input must be saved to be read once more.
func (run *verifyRun) named() string {
	const most = 3
	var out []string
	for i, name := range run.files {
		if i == most {
			out = append(out, "…")
			break
		}
		if name == "-" {
			name = "FILE"
		}
		out = append(out, sanitize.Line(console.Quoted(name)))
	}
	return strings.Join(out, " ")
}

// writeAll writes the result in each format that is asked for, and what is no claim.
func (run *verifyRun) writeAll(result *Result) error {
	beside := run.p.Stdout // of what is no claim
	for _, o := range run.outputs {
		if o.file == "" && (o.format == console.JSON || o.format == console.SARIF) { // an object, which nothing may follow
			beside = run.p.Stderr
		}
		if err := run.write(o, func(w io.Writer) error { return write(w, o.format, result) }); err != nil {
			return err
		}
	}
	if !run.all {
		return nil
	}
	w, end := run.p.ForLog(beside, console.Text)
	return errors.Join(writeSkipped(w, result), end())
}
