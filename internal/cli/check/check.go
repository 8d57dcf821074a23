package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// maxAddresses bounds the cited addresses that are read for one text (chosen).
const maxAddresses = 2000

// Result is the result of checking drafts.
type Result struct {
	Verdict      string    `json:"verdict"`              // of the worst draft
	Groundedness float64   `json:"overall_groundedness"` // share of the sentences that were read
	FailOn       []Kind    `json:"fail_on"`
	Files        []*File   `json:"-"`
	Notes        []string  `json:"notes"` // about the whole check: who read, how many readings are new
	GeneratedAt  time.Time `json:"generated_at"`
}

// File is a checked draft.
type File struct {
	Draft
	verify.Result
	Verdict  string // by the findings that fail
	Findings []Finding
	Counts   map[Kind]int

	lines *lines.Text
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
	if err := run.openLocks(ctx, drafts); err != nil {
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
	run.svc = run.service(nil, nil)
	err = run.openReviewer(ctx, drafts)
	if run.reviewer != nil {
		defer run.reviewer.store.Close() // what it has acknowledged is on disk
	}
	if err != nil {
		return err
	}
	result, err := run.check(ctx, drafts)
	if err != nil {
		return err
	}
	if run.reviewer != nil {
		if err := errors.Join(run.writeItems(), run.writeLocks(result.Verdict)); err != nil {
			return err
		}
	}
	if err := run.writeAll(result); err != nil {
		return err
	}
	if next := result.next(run.named(), run.offline); next != "" && !strings.HasSuffix(run.read, fileOfItems) {
		fmt.Fprintln(run.p.Stderr, next)
	}
	code := outcome.ExitCode(result.Verdict)
	waived := run.allow && code == console.ExitUndecided && len(result.Files) == len(drafts) // a text that was not read has not passed
	if code != console.ExitOK && !waived {
		return console.End{Code: code}
	}
	return nil
}

// check checks drafts, one after the other. The error is that of ctx or of a reader. An address that cannot be read is no error.
func (run *verifyRun) check(ctx context.Context, drafts []Draft) (*Result, error) {
	r := &Result{Verdict: outcome.Pass, FailOn: run.kinds, Notes: []string{}, GeneratedAt: time.Now().UTC().Truncate(time.Second)}
	var unread []string
	for _, d := range drafts {
		name := sanitize.Line(d.Name)
		if len(drafts) > 1 && !d.isText() { // the others are checked all the same
			unread = append(unread, name+" is not checked: it is no text in UTF-8")
			continue
		}
		f, fresh, err := run.checked(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.find(r.FailOn)
		r.Files = append(r.Files, f)
		if len(fresh) > 0 {
			who := strings.Join(slices.Compact(slices.Sorted(maps.Values(fresh))), ", ")
			r.Notes = append(r.Notes, fmt.Sprintf("%s: %d readings are new in this change, by %s (says the lock)", name, len(fresh),
				sanitize.Short(who, addressChars)))
		}
	}
	if run.reviewer != nil {
		r.Notes = append(r.Notes, run.reviewer.notes...)
	}
	r.Notes = append(r.Notes, unread...)
	r.judge(len(unread) > 0)
	return r, nil
}

// checked checks one draft: a second time after somebody has read what waits. fresh has who wrote the readings that the base of the lock
// lacks, by their keys.
func (run *verifyRun) checked(ctx context.Context, d Draft) (f *File, fresh map[string]string, err error) {
	f = &File{Draft: d, lines: lines.New(d.Text)}
	if strings.TrimSpace(d.Text) == "" {
		return f, nil, nil
	}
	in := loops.VerifyInput{Draft: d.Text, Scratch: true, Threshold: verify.DefaultThreshold, Resolve: run.pages.linksOf(d.Name)}
	in.Known = func(c verify.Claim) (loopstate.Reading, bool) {
		if reading, ok := run.known[c.Key]; ok {
			return reading, true
		}
		reading, isNew, ok := d.lock.reading(d.Name, c)
		if isNew {
			fresh[c.Key] = cmp.Or(strings.TrimSuffix(reading.Reader.String(), ", says the lock"), "nobody named")
		}
		return reading, ok && (!isNew || run.trustNew)
	}
	examine := func() error {
		fresh = map[string]string{}
		f.Result, err = run.svc.Verify(ctx, in)
		return err
	}
	if err := examine(); err != nil {
		return nil, nil, err
	}
	if run.reviewer != nil && len(f.Pending) > 0 {
		ours, err := run.reviewer.read(ctx, d, in)
		if maps.Copy(run.known, ours); err == nil && len(ours) > 0 {
			err = examine()
		}
		if err != nil {
			return nil, nil, err
		}
	}
	uncovered := slices.DeleteFunc(slices.Clone(f.Uncited), func(c verify.Claim) bool { return !c.Uncovered() })
	d.lock.keep(d.Name, slices.Concat(f.Claims, uncovered))
	return f, fresh, nil
}

// judge sets the verdicts. A text without claims says nothing about the others; one that was not checked leaves all undecided.
func (r *Result) judge(unchecked bool) {
	read, supported, checked := 0, 0, false
	for _, f := range r.Files {
		read, supported = read+f.Tally.Read(), supported+f.Tally.Supported
		if f.Verdict = f.judged(); f.Tally.Total() > 0 || f.Verdict == outcome.Fail {
			r.Verdict, checked = outcome.Worse(r.Verdict, f.Verdict), true
		}
	}
	if !checked || unchecked {
		r.Verdict = outcome.Worse(r.Verdict, outcome.Undecided)
	}
	r.Groundedness = verify.Tally{Supported: supported, NotStated: read - supported}.Groundedness()
}

// judged fails for a finding that fails, or if too few of the claims that were read are supported. It is undecided while claims are not
// read, and without claims.
func (f *File) judged() string {
	if slices.ContainsFunc(f.Findings, func(x Finding) bool { return x.Fails }) {
		return outcome.Fail
	}
	t := verify.Tally{Supported: f.Tally.Supported, NotStated: f.Tally.Read() - f.Tally.Supported} // errors may not fail here
	verdict := t.Verdict(verify.DefaultThreshold, len(f.Pending)+f.Tally.NotChecked, 0)
	if verdict == verify.Review || verdict == verify.Pass && f.Unread() > 0 {
		return outcome.Undecided
	}
	return verdict
}

// next says what waits, and the one command that goes on with the files; "" if nothing waits.
func (r *Result) next(files string, offline bool) string {
	waits, pending, unread := "", 0, 0
	for _, f := range r.Files {
		pending, unread = pending+len(f.Pending), unread+f.Unread()
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
