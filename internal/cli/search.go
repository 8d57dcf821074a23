package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// flagError returns a usage error for an invalid flag, or err.
func flagError(err error) error {
	if wrong, ok := errors.AsType[*channels.QueryError](err); ok {
		flag := wrong.Argument
		if flag != "query" {
			flag = "--" + strings.TrimSuffix(flag, "s")
		}
		return console.Usagef("invalid %s: %s", flag, wrong.Message)
	}
	if wrong, ok := errors.AsType[*channels.UnknownChannelError](err); ok {
		if meant := console.DidYouMean(wrong.Names[0], wrong.Valid); meant != "" {
			return console.Usagef("invalid --channel: unknown channel %q%s", wrong.Names[0], meant)
		}
		return console.Usagef("invalid --channel: %w; 'citeloop channels' lists them", err)
	}
	if loopstate.Has(err, loopstate.CodeUnknownValue, loopstate.CodeBadCursor, loopstate.CodeRoundOpen, loopstate.CodeTooLong,
		loopstate.CodeEmpty, loopstate.CodeOutOfRange) {
		return console.Usage(err)
	}
	return err
}

func newSearch(p console.Process, opts *setup.Options) *cobra.Command {
	var in loops.SearchInput
	var format string
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Search channels and show how each answered",
		Long: `Search one or more channels, as the tool run_channel does, and show the merged list and how each channel answered.
"auto" chooses channels for the query and gives its reason. The exit status is 1 if no
channel answered.

In your folders (--channel local --corpus DIR) a query may also have
  "a phrase"        these words in this order
  -word             without this word, or -"phrase"
  title:word        in the title; author: in the names of the authors, or the sender of a message
  path:notes/2024   in the path (also file:)
  type:pdf          pdf, html, markdown, text, epub, docx, mail or feed
  status: Final     documents that state this come first; so with any name before a colon
Before a passage are its lines, which can be cited, and the headings above it.

--list lists the files of your folders (--corpus) by name, with what they state of themselves. QUERY then has filters, all of
which must hold: status:Final, type:"Standards Track", -status:Draft, words of the path or title, or * for all files.`,
		Example: `  citeloop search "zinc coating marine corrosion" --channel crossref --channel arxiv
  citeloop search --corpus ~/papers --channel local '"write-ahead log" checkpoint -vacuum type:pdf'
  citeloop search --corpus ~/proposals --list --limit 50 'status:Final type:"Standards Track"'`,
		Args: someQuery,
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "table" && format != "json" {
				return console.Usagef("unknown format %q: use table or json", format)
			}
			if in.Query.Limit < 1 {
				return console.Usagef("invalid --limit %d: use 1 to %d", in.Query.Limit, channels.MaxLimit)
			}
			in.Query.Text = strings.Join(args, " ")
			search := (*loops.Service).Search
			if in.Query.List {
				search = list
				if !cmd.Flags().Changed("channel") {
					in.Channels = []string{"local"}
				}
			}
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				found, err := search(svc, cmd.Context(), in)
				if err != nil {
					return flagError(err)
				}
				if format == "json" {
					err = console.WriteJSON(p.Stdout, foundAsJSON(found))
				} else {
					err = writeFound(p.Stdout, found)
				}
				if err == nil && !slices.ContainsFunc(found.Outcomes, channels.Outcome.Searched) {
					err = console.End{Code: console.ExitFailed} // the list has the reasons
				}
				return err
			})
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&in.Channels, "channel", []string{loops.AutoChannels},
		"channel to search; repeatable; 'citeloop channels' lists them")
	flags.IntVar(&in.Query.Limit, "limit", channels.DefaultLimit, "hits per channel, or files of a list")
	flags.StringVar(&in.Query.Since, "since", "", "YYYY, YYYY-MM or YYYY-MM-DD")
	flags.StringVar(&in.Query.Until, "until", "", "YYYY, YYYY-MM or YYYY-MM-DD")
	flags.StringVar(&in.Query.Language, "language", "", "such as en or zh")
	flags.BoolVar(&in.Query.List, "list", false, "list the files of your folders that meet the filters in QUERY")
	flags.StringVar(&format, "format", "table", "table or json")
	return cmd
}

// list returns the first files of a list, from as many of its pages as they need.
func list(svc *loops.Service, ctx context.Context, in loops.SearchInput) (loops.Found, error) {
	var all loops.Found
	most := in.Query.Limit
	for {
		in.Query.Limit = min(most-len(all.Hits), channels.MaxLimit)
		found, err := svc.Search(ctx, in)
		if err != nil {
			return all, err
		}
		found.Hits = append(all.Hits, found.Hits...)
		for i := range found.Outcomes {
			found.Outcomes[i].First, found.Outcomes[i].Count = 0, len(found.Hits)
		}
		n := len(found.Hits)
		if all = found; n == in.Query.From || n >= most || n >= found.Outcomes[0].Total {
			return all, nil
		}
		in.Query.From, in.Query.After = n, docid.Mark(found.Hits[n-1].URL)
	}
}

// someQuery requires the words of a query.
func someQuery(cmd *cobra.Command, args []string) error {
	switch {
	case strings.TrimSpace(strings.Join(args, "")) == "":
		return console.Usagef("missing query: give a few words, as for a search engine")
	case len(args) > 1 && slices.Contains(source.Names(), args[0]) && !cmd.Flags().Changed("channel"):
		return console.Usagef("unexpected channel %q before the query: use --channel %s", args[0], args[0])
	}
	return nil
}

// The JSON of a search has the keys of run_channel's answer.
type (
	searchJSON struct {
		loops.Found
		Channels []channelJSON `json:"channels"`
	}
	channelJSON struct {
		Name       string          `json:"name"`
		Status     channels.Status `json:"status"`
		Count      int             `json:"count"`
		TookMS     int64           `json:"took_ms"`
		RetryAfter float64         `json:"retry_after"`
		Message    string          `json:"message"`
	}
)

func foundAsJSON(found loops.Found) searchJSON {
	found.Hits = append([]loops.Hit{}, found.Hits...) // not null
	out := searchJSON{Found: found, Channels: []channelJSON{}}
	for _, o := range found.Outcomes {
		out.Channels = append(out.Channels, channelJSON{o.Name, o.Status, o.Count, o.Took.Milliseconds(), o.RetryAfter.Seconds(),
			o.Message})
	}
	return out
}

// writeFound writes the hits and how each channel answered. Addresses may be longer than a line, because a cut address is useless.
func writeFound(out io.Writer, found loops.Found) error {
	const width = console.Width
	w := bufio.NewWriter(out)
	para := func(indent int, text string) {
		for _, line := range console.Wrapped(text, width-indent) {
			fmt.Fprintf(w, "%*s%s\n", indent, "", line)
		}
	}
	para(0, found.Chosen)
	if found.Sent != "" {
		para(0, "Searched with a date: "+found.Sent)
	}
	for i, h := range found.Hits {
		fmt.Fprintf(w, "%3d. %s\n     %s\n", i+1, sanitize.Short(h.Title, width-5), h.URL)
		para(5, strings.Join(console.NonEmpty(h.PublishedAt, h.SourceType, h.Source), " · "))
		snippet := h.Snippet
		if h.Lines != "" {
			snippet = fmt.Sprintf("lines %s: %s", strings.Join(console.NonEmpty(h.Lines, h.Section), " · "), snippet)
		}
		if snippet != "" {
			para(5, sanitize.Short(snippet, 3*(width-5)))
		}
	}
	for _, r := range found.Rejected {
		para(2, fmt.Sprintf("left out: %s: %s", r.Item, r.Why))
	}
	if len(found.Hits) > 0 {
		fmt.Fprintln(w)
	}
	longest := len("CHANNEL")
	for _, o := range found.Outcomes {
		longest = max(longest, len(o.Name))
	}
	fmt.Fprintf(w, "%-*s  %-13s  %4s  %8s\n", longest, "CHANNEL", "ANSWER", "HITS", "TOOK")
	for _, o := range found.Outcomes {
		fmt.Fprintf(w, "%-*s  %-13s  %4d  %5d ms\n", longest, o.Name, o.Status, o.Count, o.Took.Milliseconds())
		para(4, o.Message)
	}
	return w.Flush()
}
