package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/sanitize"
)

func newCorpus(p console.Process, opts *setup.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "corpus",
		Short: "Index your own folders",
		Long: `The folders named by --corpus (or CITELOOP_CORPUS) are indexed for the local channel: HTML, PDF, EPUB, DOCX, feeds,
mail (.eml, .mbox), and text of any kind, such as Markdown, YAML, CSV and source code (data and code up to 2 MB a
file), also compressed (.gz). Files that may hold secrets are left out. The data folder has one index for each folder.
'citeloop serve' updates it in the background, and every search does too. Use these commands to index a large folder in
advance, and to see the state of the index; 'citeloop search --channel local' searches it.`,
		Args: console.OnlySubcommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCorpusIndex(p, opts), newCorpusStatus(p, opts))
	return cmd
}

// withCorpus opens the folders for one command.
func withCorpus(p console.Process, opts *setup.Options, use func(c *local.Corpus, s setup.Settings) error) error {
	s, err := opts.Settings(p)
	if err != nil {
		return err
	}
	if len(s.Corpus) == 0 {
		return console.Usagef("missing folder: give --corpus DIR, which may be repeated, or set CITELOOP_CORPUS")
	}
	reader, err := setup.NewReader(s, 0)
	if err != nil {
		return err
	}
	c, err := setup.OpenCorpus(s, reader)
	if err != nil {
		return errors.Join(err, reader.Close())
	}
	return errors.Join(use(c, s), c.Close(), reader.Close())
}

func newCorpusIndex(p console.Process, opts *setup.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "index",
		Short: "Update the index of the folders",
		Long: `Update the index of the folders: read new and changed files, remove deleted ones. Progress goes to stderr, as a bar
on a terminal. If interrupted, the next run continues from there.`,
		Example: `  citeloop corpus index --corpus ~/papers --corpus ~/mail`,
		Args:    console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withCorpus(p, opts, func(c *local.Corpus, _ setup.Settings) error {
				begun := time.Now()
				m := setup.NewMeter(p.Stderr)
				r, err := c.Index(cmd.Context(), m.Show)
				m.End()
				if err != nil && cmd.Context().Err() == nil {
					return err
				}
				writeCorpus(p.Stdout, r)
				if err != nil {
					return fmt.Errorf("interrupted after %s; the next run continues from there", time.Since(begun).Round(time.Second))
				}
				return nil
			})
		},
	}
}

func newCorpusStatus(p console.Process, opts *setup.Options) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what is indexed, what is still to be indexed, and what cannot be read",
		Args:  console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := tableFormat(format); err != nil {
				return err
			}
			return withCorpus(p, opts, func(c *local.Corpus, s setup.Settings) error {
				r, err := c.Status(cmd.Context())
				if err != nil {
					return err
				}
				if format == "json" {
					return console.WriteJSON(p.Stdout, r)
				}
				for _, dir := range s.Corpus {
					fmt.Fprintf(p.Stdout, "folder    %s\n", sanitize.Line(dir))
				}
				writeCorpus(p.Stdout, r)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	return cmd
}

// writeCorpus writes the state of the index, with the files that cannot be read.
func writeCorpus(out io.Writer, r local.Report) {
	fmt.Fprintf(out, "files     %d", r.Files)
	for _, part := range []struct {
		n    int
		what string
	}{{r.Pending, "not indexed yet"}, {r.Unread, "not read"}} {
		if part.n > 0 {
			fmt.Fprintf(out, ", %d %s", part.n, part.what)
		}
	}
	fmt.Fprintf(out, "\ndocuments %d, %d passages, %.1f MB of text\n", r.Documents, r.Passages, float64(r.TextBytes)/1e6)
	fmt.Fprintf(out, "index     %.1f MB\n", float64(r.Bytes)/1e6)
	for _, folder := range r.Missing {
		fmt.Fprintf(out, "missing   %s cannot be opened; its index is kept\n", sanitize.Line(folder))
	}
	if r.Busy {
		fmt.Fprintln(out, "busy      another citeloop process is indexing")
	}
	if r.Overflow {
		fmt.Fprintln(out, "overflow  more files than an index can hold; use smaller folders")
	}
	for i, left := range r.LeftOut {
		fmt.Fprintf(out, "%-9s %s\n", map[bool]string{true: "left out"}[i == 0], left)
	}
	for _, problem := range r.Problems {
		fmt.Fprintf(out, "not read  %s: %s\n", sanitize.Line(problem.Path), sanitize.Line(problem.Why))
	}
	if more := r.Unread - len(r.Problems); more > 0 {
		fmt.Fprintf(out, "not read  and %d more\n", more)
	}
}
