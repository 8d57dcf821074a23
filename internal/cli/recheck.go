package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

func newLoopsRecheck(p console.Process, opts *setup.Options) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "recheck ID",
		Short: "Read the sources of a loop again and show what has changed",
		Long: `Read the pages and files of a loop again, compare them with the stored texts, and ask scholarly services what was published
about them since. Only differences are shown:

  changed        its text is another, but all cited lines are still there
  cited_changed  cited lines are not there any more; their sentences count as not read yet
  gone           there is nothing at its address
  unreachable    it could not be read, or only as a copy
  same           its text is the same, but it was retracted or corrected

What is new is recorded: the source and the sentences are flagged in the loop and its report. The stored texts stay. Servers are asked
at the usual pace, and only for pages that have changed, where they say so. Identifiers of sources from the web are sent to Crossref,
OpenAlex, arXiv and PubMed, unless CITELOOP_COPIES=off.

Exit codes
  0  every source is as it was
  1  a source is not as it was when it was read
  2  wrong usage, or an unknown loop
  3  neither, but a source could not be reached, or the recheck failed`,
		Example: `  citeloop loops recheck 0199c1d2
  citeloop loops recheck 0199c1d2 --format json`,
		Args: oneLoop,
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return console.Usagef("unknown format %q: use text or json", format)
			}
			return setup.WithLoop(cmd.Context(), p, opts, args[0], func(svc *loops.Service, id string) error {
				r, err := svc.Recheck(cmd.Context(), id, func(n, of int, url string) {
					fmt.Fprintf(p.Stderr, "%d of %d: %s\n", n, of, sanitize.Short(url, 120))
				})
				switch {
				case err != nil && cmd.Context().Err() != nil:
					return err
				case err != nil: // code 1 is for changes
					return console.End{Code: console.ExitUndecided, Cause: err}
				}
				if format == "json" {
					err = console.WriteJSON(p.Stdout, r)
				} else {
					err = writeRecheck(p.Stdout, r)
				}
				if err != nil || r.ExitCode() == 0 {
					return err
				}
				return console.End{Code: r.ExitCode()}
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func writeRecheck(out io.Writer, r *loops.Recheck) error {
	for _, src := range r.Sources {
		said := src.Result
		if src.News {
			said = "new: " + said
		}
		for _, more := range []string{src.Reason, src.Update} {
			if more != "" {
				said += "; " + sanitize.Short(more, 300)
			}
		}
		fmt.Fprintf(out, "%s  %s\n    %s\n    %s\n", src.SourceID, sanitize.Short(cmp.Or(src.Title, src.URL), 120),
			sanitize.Short(src.URL, 300), said)
		for _, s := range r.Sentences {
			if s.SourceID == src.SourceID {
				fmt.Fprintf(out, "    not read yet: %s\n      %s:%s was: %q\n", sanitize.Short(s.Text, 300), s.SourceID, s.Lines,
					sanitize.Short(s.Passage, 300))
			}
		}
	}
	var counts []string
	for _, result := range []string{loopstate.RereadSame, loopstate.RereadElsewhere, loopstate.RereadCited, loopstate.RereadGone,
		loopstate.RereadUnreachable} {
		counts = append(counts, fmt.Sprintf("%d %s", r.Counts[result], strings.ReplaceAll(result, "_", " ")))
	}
	fmt.Fprintf(out, "Sources read again: %s", strings.Join(counts, ", "))
	if r.NotRead > 0 {
		fmt.Fprintf(out, "; %d without an address", r.NotRead)
	}
	if r.NotLooked > 0 {
		fmt.Fprintf(out, "; for %d no service was asked, or none answered", r.NotLooked)
	}
	_, err := fmt.Fprintln(out, ".")
	return err
}
