package cli

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
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/textcheck"
)

// checkClaims checks a file of claims against a file of texts.
func (run *verifyRun) checkClaims(ctx context.Context) error {
	claims, err := openInput(run.claims, run.p.Stdin)
	if err != nil {
		return err
	}
	defer claims.Close()
	sources, err := openInput(run.sources, run.p.Stdin)
	if err != nil {
		return err
	}
	defer sources.Close()
	review, err := run.review()
	if err != nil {
		return err
	}
	return run.writeRows(run.claims, run.sources, func(emit func(textcheck.Row) error) (textcheck.RowTally, []textcheck.LostContradiction, error) {
		tally, err := textcheck.Claims(ctx, textcheck.ClaimFiles{Claims: claims, ClaimsName: run.claims, Sources: sources, SourcesName: run.sources, Review: review}, emit)
		return tally, nil, err
	})
}

// checkSynthesis checks a synth.json against its store.json.
func (run *verifyRun) checkSynthesis(ctx context.Context) error {
	synthesis, err := openInput(run.files[0], run.p.Stdin)
	if err != nil {
		return err
	}
	defer synthesis.Close()
	store, err := openInput(run.files[1], run.p.Stdin)
	if err != nil {
		return err
	}
	defer store.Close()
	review, err := run.review()
	if err != nil {
		return err
	}
	return run.writeRows(run.files[0], run.files[1], func(emit func(textcheck.Row) error) (textcheck.RowTally, []textcheck.LostContradiction, error) {
		return textcheck.Synthesis(ctx, textcheck.SynthesisFiles{Synthesis: synthesis, SynthesisName: run.files[0], Store: store, StoreName: run.files[1], Review: review}, emit)
	})
}

// maxNamedLines bounds the citations named on stderr.
const maxNamedLines = 20

// writeRows writes the rows of a check as they come. In formats for programs, it also names citations without a text on
// stderr.
func (run *verifyRun) writeRows(claims, sources string, check func(emit func(textcheck.Row) error) (textcheck.RowTally, []textcheck.LostContradiction, error)) error {
	var tally textcheck.RowTally
	named := 0
	name := func(at, claim string, ids []string) {
		if named++; run.format != textcheck.Text && named <= maxNamedLines {
			fmt.Fprintln(run.p.Stderr, textcheck.HallucinatedLine(at, claim, ids, sources))
		}
	}
	err := run.write(func(w io.Writer) error {
		rows := textcheck.NewRowWriter(w, run.format, claims, sources, run.kinds)
		var lost []textcheck.LostContradiction
		var err error
		tally, lost, err = check(func(r textcheck.Row) error {
			if len(r.Unknown) > 0 {
				name(textcheck.RowPlace(claims, r), r.Claim, r.Unknown)
			}
			return rows.Row(r)
		})
		if err != nil {
			return errors.Join(err, rows.Flush())
		}
		for _, x := range lost {
			name(claims, x.Topic, x.Unknown)
			rows.Lost(x)
		}
		return rows.Close(tally, tally.Verdict(run.kinds, run.threshold), lost)
	})
	if err != nil {
		return err
	}
	if named > maxNamedLines && run.format != textcheck.Text {
		fmt.Fprintf(run.p.Stderr, "… and %d more\n", named-maxNamedLines)
	}
	run.nextReview(tally.Review)
	switch {
	case run.output != "":
		fmt.Fprintln(run.p.Stderr, tally)
	case tally.Review != nil && run.format == textcheck.JSONL: // which has no summary
		fmt.Fprintf(run.p.Stderr, "review: %s\n", tally.Review)
	}
	return run.exit(tally.ExitCode(run.kinds, run.threshold))
}

// stdinName is the name of standard input as a draft.
const stdinName = "<stdin>"

// readDrafts reads the files to check; - is standard input.
func (run *verifyRun) readDrafts() ([]textcheck.Draft, error) {
	files, err := withoutFolders(run.files, run.project)
	if err != nil {
		return nil, err
	}
	var out []textcheck.Draft
	for _, file := range files {
		body, err := readInput(file, run.p.Stdin, textcheck.MaxDraftBytes)
		if err != nil {
			return nil, err
		}
		shown := file
		if file == "-" {
			shown = stdinName
		} else if here, err := os.Getwd(); err == nil && filepath.IsAbs(file) {
			if rel, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(rel) {
				shown = rel
			}
		}
		text := strings.TrimPrefix(string(body), "\uFEFF")
		if !utf8.ValidString(text) {
			return nil, usageError{fmt.Errorf("%s is not valid UTF-8: give a text, such as Markdown", shown)}
		}
		out = append(out, textcheck.Draft{Name: shown, Text: text})
	}
	return out, nil
}

// isText reports whether a file in a folder is a text to check.
func isText(path string) bool {
	return slices.Contains([]string{".md", ".markdown", ".txt"}, strings.ToLower(filepath.Ext(path)))
}

// withoutFolders replaces each folder by the Markdown and text files in it, recursively, without those that the project excludes.
func withoutFolders(files []string, project *projectFile) ([]string, error) {
	var out []string
	for _, name := range files {
		if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
			out = append(out, name)
			continue
		}
		before := len(out)
		if _, err := insidePath(name); err != nil {
			return nil, err
		}
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != name && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case d.Type().IsRegular() && isText(path) && !project.excludes(path):
				out = append(out, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(out) == before {
			return nil, usageError{fmt.Errorf("no .md, .markdown or .txt files in folder %s: name the files to check", name)}
		}
	}
	return out, nil
}

// readInput reads a file of at most most bytes; - is standard input.
func readInput(file string, stdin io.Reader, most int64) ([]byte, error) {
	f, err := openInput(file, stdin)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(f, most+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if int64(len(body)) > most {
		return nil, usageError{fmt.Errorf("%s is larger than %d MiB: use smaller files", file, most>>20)}
	}
	return body, nil
}

// openInput opens a file; - is standard input.
func openInput(file string, stdin io.Reader) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(struct{ io.Reader }{stdin}), nil
	}
	open := openRegular
	if isDescriptor(file) {
		open = os.Open
	} else if info, err := os.Stat(file); err == nil && info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: file, Err: errors.New("is a folder; name the files in it")}
	}
	f, err := open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{fmt.Errorf("no such file: %s; name a file that exists, or - for standard input", file)}
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() { // a pipe cannot seek
		return struct {
			io.Reader
			io.Closer
		}{f, f}, nil
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// writeAll writes a check to --output and, in other formats, to every --write.
func (run *verifyRun) writeAll(to func(io.Writer, string) error, summary string) error {
	for _, c := range run.copies {
		if err := writeFile(c.file, run.safely(c.format, func(w io.Writer) error { return to(w, c.format) })); err != nil {
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
		w, end := run.p.forLog(out, format)
		return errors.Join(to(w), end())
	}
}

// write writes to --output, or to standard output.
func (run *verifyRun) write(to func(io.Writer) error) error {
	safe := run.safely(run.format, to)
	if run.output == "" {
		return safe(run.p.Stdout)
	}
	return writeFile(run.output, safe)
}

// writeFile writes a file atomically.
func writeFile(name string, to func(io.Writer) error) error {
	if strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/self/fd/") { // /dev/stdout
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(to(f), f.Close())
	}
	if _, err := insidePath(filepath.Dir(name)); err != nil {
		return err
	}
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 { // a link is replaced
		return &os.PathError{Op: "write", Path: name, Err: errors.New("is not a regular file")}
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	if err := errors.Join(to(f), f.Chmod(0o644), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
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

// terminal reports whether w is a terminal.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
