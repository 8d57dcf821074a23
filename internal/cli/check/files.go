package check

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/textcheck"
)

// maxNamedLines bounds the citations named on stderr.
const maxNamedLines = 20

// checkRows checks a file of claims against a file of texts. In formats for programs, it also names citations without a text on
// stderr.
func (run *verifyRun) checkRows(ctx context.Context, claims, sources string, check func(context.Context, textcheck.RowFiles) (*textcheck.Rows, error)) error {
	in := textcheck.RowFiles{ClaimsName: claims, SourcesName: sources}
	for _, file := range []struct {
		name string
		to   *io.Reader
	}{{claims, &in.Claims}, {sources, &in.Sources}} {
		f, err := safefile.OpenInput(file.name, run.p.Stdin)
		if err != nil {
			return err
		}
		defer f.Close()
		*file.to = f
	}
	var err error
	if in.Review, err = run.review(); err != nil {
		return err
	}
	rows, err := check(ctx, in)
	if err != nil {
		return err
	}
	err = run.write(func(w io.Writer) error { return textcheck.WriteRows(w, run.format, rows, run.kinds, run.threshold) })
	if err != nil {
		return err
	}
	if unknown := rows.Unknown(); run.format != textcheck.Text {
		for _, line := range unknown[:min(len(unknown), maxNamedLines)] {
			fmt.Fprintln(run.p.Stderr, line)
		}
		if more := len(unknown) - maxNamedLines; more > 0 {
			fmt.Fprintf(run.p.Stderr, "… and %d more\n", more)
		}
	}
	run.nextReview(rows.Review)
	switch {
	case run.output != "":
		fmt.Fprintln(run.p.Stderr, rows)
	case rows.Review != nil && run.format == textcheck.JSONL: // which has no summary
		fmt.Fprintf(run.p.Stderr, "review: %s\n", rows.Review)
	}
	return run.exit(rows.ExitCode(run.kinds, run.threshold))
}

// readDrafts reads the files to check; - is standard input.
func (run *verifyRun) readDrafts() ([]textcheck.Draft, error) {
	files, err := withoutFolders(run.files, run.project)
	if err != nil {
		return nil, err
	}
	var out []textcheck.Draft
	for _, file := range files {
		body, err := safefile.ReadInput(file, run.p.Stdin, textcheck.MaxDraftBytes)
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
			return nil, console.Usagef("%s is not valid UTF-8: give a text, such as Markdown", shown)
		}
		if draft.IsHTML(text) {
			return nil, console.Usagef("%s is HTML; convert it to Markdown first, for example with pandoc -f html -t gfm", shown)
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
		if _, err := safefile.InsidePath(name); err != nil {
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
			return nil, console.Usagef("no .md, .markdown or .txt files in folder %s: name the files to check", name)
		}
	}
	return out, nil
}
