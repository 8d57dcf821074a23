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

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/textcheck"
)

// checkClaims checks a file of claims against a file of texts.
func (run *verifyRun) checkClaims(ctx context.Context) error {
	claims, err := safefile.OpenInput(run.claims, run.p.Stdin)
	if err != nil {
		return err
	}
	defer claims.Close()
	sources, err := safefile.OpenInput(run.sources, run.p.Stdin)
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
	synthesis, err := safefile.OpenInput(run.files[0], run.p.Stdin)
	if err != nil {
		return err
	}
	defer synthesis.Close()
	store, err := safefile.OpenInput(run.files[1], run.p.Stdin)
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
