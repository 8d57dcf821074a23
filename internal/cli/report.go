package cli

import (
	"bytes"
	"fmt"
	"io"
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
		Example: `  citeloop loops report 0199c1d2 --draft answer.md --out answer.html
  citeloop loops report 0199c1d2 --format ris > sources.ris`,
		Args: oneLoop,
		RunE: func(cmd *cobra.Command, args []string) error {
			format, err := f.formatOf()
			if err != nil {
				return err
			}
			in := loops.ReportInput{AllowUnverified: f.unverified, Deliver: f.draft == "" || !f.unverified}
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
				return f.deliver(p, out.Bytes())
			})
		},
	}
	cmd.Flags().StringVar(&f.format, "format", "",
		strings.Join(report.Formats(), ", ")+" (default: by the extension of FILE, else markdown)")
	cmd.Flags().StringVar(&f.out, "out", "", "`FILE` to write")
	cmd.Flags().StringVar(&f.draft, "draft", "", "Markdown `FILE`, or - for standard input; becomes the loop's text if it passes "+
		"(default: the loop's text, or its claims)")
	cmd.Flags().BoolVar(&f.unverified, "allow-unverified", false, "report a text that did not pass, marked DRAFT; the loop keeps its own")
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

// deliver writes the report to --out or to standard output.
func (f reportFlags) deliver(p console.Process, content []byte) error {
	if f.out == "" {
		_, err := p.Stdout.Write(content)
		return err
	}
	return writeNew(p, f.out, func(to io.Writer) error { _, err := to.Write(content); return err })
}

// writeNew writes a file that is not there yet, and says so.
func writeNew(p console.Process, name string, write func(io.Writer) error) error {
	err := safefile.WriteNew(name, write)
	if err == nil {
		fmt.Fprintln(p.Stdout, name+" written")
	}
	return err
}
