package cli

import (
	"bytes"
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
	"github.com/citeloop/citeloop/internal/report"
)

// reportFlags are the flags of loops report.
type reportFlags struct {
	format     string
	out        string
	draft      string
	unverified bool
	open       bool
}

func newLoopsReport(p console.Process, opts *setup.Options) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report ID",
		Short: "Write the report of a loop, with the passages behind each sentence",
		Long: `Write the report of a loop: your text or the recorded claims with numbered citations, the passages behind them, open
questions, rounds and sources. The html format is one self-contained file: click a citation to see the passage in its
context. The text is checked again. A text that does not pass is refused, unless --allow-unverified is given; then the
report is marked DRAFT.

Without --out the report goes to standard output. An existing file is not overwritten.`,
		Example: `  citeloop loops report 0199c1d2 --open
  citeloop loops report 0199c1d2 --draft answer.md --out answer.html
  citeloop loops report 0199c1d2 --format ris > sources.ris`,
		Args: oneLoop,
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := f.formatOf()
			if err != nil {
				return err
			}
			in := loops.ReportInput{AllowUnverified: f.unverified, Format: format, Deliver: f.draft == "" || !f.unverified}
			if f.draft != "" {
				if in.Draft, err = readDraft(p.Stdin, f.draft); err != nil {
					return err
				}
			}
			return setup.WithLoop(cmd.Context(), p, opts, args[0], func(svc *loops.Service, id string) error {
				in.Loop = id
				doc, err := svc.Report(cmd.Context(), in)
				if err != nil {
					return err
				}
				var out bytes.Buffer
				if err := report.Write(&out, format, doc); err != nil {
					return err
				}
				return f.deliver(cmd.Context(), p, format, out.Bytes())
			})
		},
	}
	cmd.Flags().StringVar(&f.format, "format", "",
		strings.Join(report.Formats(), ", ")+" (default: by the extension of FILE, else html with --open, else markdown)")
	cmd.Flags().StringVar(&f.out, "out", "", "`FILE` to write")
	cmd.Flags().StringVar(&f.draft, "draft", "", "Markdown `FILE`, or - for standard input; becomes the loop's text if it passes "+
		"(default: the loop's text, or its claims)")
	cmd.Flags().BoolVar(&f.unverified, "allow-unverified", false, "report a text that did not pass, marked DRAFT; the loop keeps its own")
	cmd.Flags().BoolVar(&f.open, "open", false, "open the report in the browser")
	return cmd
}

// formatOf returns the requested format, by name or by the extension of the file.
func (f reportFlags) formatOf() (string, error) {
	formats := report.Formats()
	switch {
	case f.format != "" && !slices.Contains(formats, f.format):
		return "", console.Usagef("unknown format %q: use %s", f.format, strings.Join(formats, ", "))
	case f.format != "":
		return f.format, nil
	case f.out == "" && f.open:
		return report.HTML, nil
	case f.out == "":
		return report.Markdown, nil
	}
	best := ""
	for _, format := range formats {
		if e := report.Extension(format); strings.HasSuffix(strings.ToLower(f.out), e) && len(e) > len(report.Extension(best)) {
			best = format // .csl.json is not .json
		}
	}
	if best == "" {
		return "", console.Usagef("unknown extension of %s: set --format to %s", f.out, strings.Join(formats, ", "))
	}
	return best, nil
}

// maxDraftBytes bounds the text, well above any report.
const maxDraftBytes = 8 << 20

func readDraft(stdin io.Reader, name string) (string, error) {
	text, err := safefile.ReadInput(name, stdin, maxDraftBytes)
	if err != nil {
		return "", fmt.Errorf("--draft: %w", err)
	}
	if strings.TrimSpace(string(text)) == "" {
		return "", console.Usagef("--draft %s is empty", name)
	}
	return string(text), nil
}

// deliver writes the report to --out, to a temporary file for --open, or to standard output.
func (f reportFlags) deliver(ctx context.Context, p console.Process, format string, content []byte) error {
	if f.out == "" && !f.open {
		_, err := p.Stdout.Write(content)
		return err
	}
	name := f.out
	write := func(to *os.File) error {
		_, err := to.Write(content)
		return err
	}
	if name != "" {
		if err := safefile.WriteNew(name, write); err != nil {
			return err
		}
	} else {
		file, err := os.CreateTemp("", "citeloop-report-*"+report.Extension(format))
		if err != nil {
			return err
		}
		if err := errors.Join(write(file), file.Close()); err != nil {
			return err
		}
		name = file.Name()
	}
	fmt.Fprintf(p.Stdout, "%s written\n", name)
	if !f.open {
		return nil
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	if err := p.Show(ctx, path); err != nil {
		return fmt.Errorf("the report is written, but not opened: %w; open %s by hand", err, path)
	}
	return nil
}
