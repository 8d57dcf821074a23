package check

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/project"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/textcheck"
)

// verifyFlags are the flags of verify.
type verifyFlags struct {
	format    string
	output    string
	threshold float64
	failOn    string
	offline   bool
	storeLoop string
	progress  bool
	claims    string
	sources   string
	receipts  string
	strict    bool
	allow     bool // undecided
	reader    bool
	reviewOut string
	reviewIn  []string
	noLock    bool
	also      []string // FORMAT=FILE
	config    string   // project file
}

// verifyMode is the kind of input.
type verifyMode int

const (
	verifyDrafts verifyMode = iota
	verifyClaims
	verifySynthesis
	verifyReceipts
)

// verifyRun is one run of verify with its settings.
type verifyRun struct {
	verifyFlags
	p        console.Process
	mode     verifyMode
	files    []string
	kinds    []textcheck.Kind
	copies   []verifyCopy
	settings setup.Settings
	project  *projectFile               // nil: none
	locks    map[string]*textcheck.Lock // by folder
	written  bool                       // a batch to --review-out
}

// verifyCopy is a further format of the check.
type verifyCopy struct{ format, file string }

// exit returns the error for the exit code of a verdict, nil for 0.
func (run *verifyRun) exit(code int) error {
	if code == console.ExitOK || code == console.ExitUndecided && run.allow {
		return nil
	}
	return console.End{Code: code}
}

// writeAll writes a check to --output and, in other formats, to every --write.
func (run *verifyRun) writeAll(to func(io.Writer, string) error, summary string) error {
	for _, c := range run.copies {
		if err := safefile.WriteFile(c.file, run.safely(c.format, func(w io.Writer) error { return to(w, c.format) })); err != nil {
			return err
		}
	}
	if err := run.write(func(w io.Writer) error { return to(w, run.format) }); err != nil {
		return err
	}
	if run.output != "" {
		fmt.Fprintln(run.p.Stderr, summary)
	}
	return nil
}

// safely breaks commands to CI systems in what to writes, in files as well: jobs print them.
func (run *verifyRun) safely(format string, to func(io.Writer) error) func(io.Writer) error {
	return func(out io.Writer) error {
		w, end := run.p.ForLog(out, format)
		return errors.Join(to(w), end())
	}
}

// write writes to --output, or to standard output.
func (run *verifyRun) write(to func(io.Writer) error) error {
	safe := run.safely(run.format, to)
	if run.output == "" {
		return safe(run.p.Stdout)
	}
	return safefile.WriteFile(run.output, safe)
}

// say returns a function that reports each address on stderr, or nil without --progress.
func (run *verifyRun) say() func(done, of int, s textcheck.Source, took time.Duration) {
	if !run.progress {
		return nil
	}
	return func(done, of int, s textcheck.Source, took time.Duration) {
		what := fmt.Sprintf("%d characters", s.Chars)
		if s.Status != "read" {
			what = sanitize.Short(s.Reason, 120)
		}
		fmt.Fprintf(run.p.Stderr, "[%d/%d] %s %s (%s, %.1f s)\n", done, of, s.Status, sanitize.Short(s.URL, 120), what, took.Seconds())
	}
}

// stdinName is the name of standard input as a draft.
const stdinName = "<stdin>"

// reads reports whether somebody is asked to read.
func (run *verifyRun) reads() bool { return run.reader || run.reviewOut != "" || len(run.reviewIn) > 0 }

// projectFile is a project file that applies to a run, with the folder that its paths begin in.
type projectFile struct {
	*project.File
	root  string
	whole bool // the run checks all texts of include
}

// below returns a path within the folder of the file, with slashes, or "" outside.
func (f *projectFile) below(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(setup.RealPath(f.root), filepath.Join(setup.RealPath(filepath.Dir(full)), filepath.Base(full)))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (f *projectFile) excludes(path string) bool {
	if f == nil || len(f.Exclude) == 0 {
		return false
	}
	return f.Excludes(f.below(path))
}
