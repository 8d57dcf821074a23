package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/loops"
	"github.com/citeloop/citeloop/loopstate"
)

func newSearch(p Process, opts *options) *cobra.Command {
	var in loops.SearchInput
	var format string
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Search channels as a host does, and see how each answered",
		Long: `Search one channel or several, by the very code of the tool run_channel, and see the fused list and how each
channel answered. "auto" picks a few channels by the kind of the query and says why. With --loop the search
and its hits are recorded there.`,
		Example: `  citeloop search "zinc coating marine corrosion" --channel crossref --channel arxiv
  citeloop search "lighthouse keepers" --channel auto --since 2020 --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("search takes the query, a few words as for a search engine")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "table" && format != "json" {
				return usageError{fmt.Errorf("--format %q is not known; use table or json", format)}
			}
			in.Query.Text = strings.Join(args, " ")
			return withService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				found, err := svc.Search(cmd.Context(), in)
				if err != nil {
					return err
				}
				if format == "json" {
					return writeJSON(p.Stdout, foundAsJSON(found))
				}
				return writeFound(p.Stdout, found)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&in.Channels, "channel", []string{loops.AutoChannels}, "channel to ask; repeatable; 'citeloop doctor' lists them")
	flags.StringVar(&in.Loop, "loop", "", "record the search in this loop")
	flags.StringVar(&in.Angle, "angle", "", "the angle that the search belongs to")
	flags.IntVar(&in.Query.Limit, "limit", channels.DefaultLimit, "hits wanted of each channel")
	flags.StringVar(&in.Query.Since, "since", "", "YYYY, YYYY-MM or YYYY-MM-DD")
	flags.StringVar(&in.Query.Until, "until", "", "YYYY, YYYY-MM or YYYY-MM-DD")
	flags.StringVar(&in.Query.Language, "language", "", "such as en or zh")
	flags.StringVar(&format, "format", "table", "table or json")
	return cmd
}

func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// The JSON of a search has the keys of run_channel's answer.
type (
	searchJSON struct {
		Evidence []hitJSON            `json:"evidence"`
		Channels []channelJSON        `json:"channels"`
		Rejected []loopstate.Rejected `json:"rejected,omitempty"`
		Chosen   string               `json:"chosen_because,omitempty"`
		Dated    string               `json:"dated_query,omitempty"`
	}
	hitJSON struct {
		loopstate.Evidence
		Seen     bool   `json:"seen"`
		SourceID string `json:"source_id,omitempty"`
	}
	channelJSON struct {
		Name       string  `json:"name"`
		Status     string  `json:"status"`
		Count      int     `json:"count"`
		TookMS     int64   `json:"took_ms"`
		RetryAfter float64 `json:"retry_after"`
		Message    string  `json:"message"`
	}
)

func foundAsJSON(found loops.Found) searchJSON {
	out := searchJSON{Evidence: []hitJSON{}, Channels: []channelJSON{}, Rejected: found.Rejected, Chosen: found.Chosen, Dated: found.Sent}
	for _, h := range found.Hits {
		out.Evidence = append(out.Evidence, hitJSON{h.Evidence, h.Seen, h.SourceID})
	}
	for _, o := range found.Outcomes {
		out.Channels = append(out.Channels, channelJSON{o.Name, string(o.Status), o.Count, o.Took.Milliseconds(), o.RetryAfter.Seconds(), o.Message})
	}
	return out
}

func writeFound(out io.Writer, found loops.Found) error {
	if found.Chosen != "" {
		fmt.Fprintf(out, "%s\n", found.Chosen)
	}
	if found.Sent != "" {
		fmt.Fprintf(out, "Asked with its date: %s\n", found.Sent)
	}
	for i, h := range found.Hits {
		fmt.Fprintf(out, "%3d. %s\n     %s\n", i+1, oneLine(h.Title, 100), h.URL)
		about := strings.Join(nonEmpty(h.PublishedAt, h.SourceType, h.Source, h.SourceID, map[bool]string{true: "seen"}[h.Seen]), " · ")
		fmt.Fprintf(out, "     %s\n", about)
		if h.Snippet != "" {
			fmt.Fprintf(out, "     %s\n", oneLine(h.Snippet, 160))
		}
	}
	for _, r := range found.Rejected {
		fmt.Fprintf(out, "  left out: %s: %s\n", oneLine(r.Item, 100), r.Why)
	}
	if len(found.Hits) > 0 {
		fmt.Fprintln(out)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CHANNEL\tANSWER\tHITS\tTOOK\t")
	for _, o := range found.Outcomes {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d ms\t%s\n", o.Name, o.Status, o.Count, o.Took.Milliseconds(), oneLine(o.Message, 120))
	}
	return w.Flush()
}

func nonEmpty(words ...string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

func newDoctor(p Process, opts *options) *cobra.Command {
	var ask bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show what is set up and, with --ask, how each channel answers now",
		Long: `Show the store, and every channel: whether it can be asked, what is missing, its limits, and against what it was
tested. Nothing leaves the machine, unless --ask is given: then each channel that is set up is asked one small
question, by the very code that the tools use.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := opts.settings(p)
			if err != nil {
				return err
			}
			return withService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				heads, err := svc.Store.Loops(cmd.Context(), loops.LocalOwner)
				if err != nil {
					return err
				}
				place := s.dataDir
				if s.store != "" {
					place = "a PostgreSQL database"
				}
				fmt.Fprintf(p.Stdout, "citeloop %s\nstore     %s, %d loops\ncorpus    %s\njudge     %s\nbrowser   %s\n\n", Version, place, len(heads),
					orNone(strings.Join(s.corpus, ", ")), orNone(s.judge.Model), orNone(s.browser))
				return examine(cmd.Context(), p, svc, ask)
			})
		},
	}
	cmd.Flags().BoolVar(&ask, "ask", false, "ask each channel that is set up one small question")
	return cmd
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// examine writes the table of channels. What is asked goes through Search, as a tool's call does.
func examine(ctx context.Context, p Process, svc *loops.Service, ask bool) error {
	health := map[string]string{}
	if ask {
		var names []string
		for _, c := range svc.Channels() {
			if c.Configured {
				names = append(names, c.Name)
			}
		}
		in := loops.SearchInput{Channels: names, Query: channels.Query{Text: "lighthouse", Limit: 1}, Done: func(o channels.Outcome) {
			fmt.Fprintf(p.Stderr, "%s: %s\n", o.Name, o.Status)
		}}
		found, err := svc.Search(ctx, in)
		if err != nil {
			return err
		}
		for _, o := range found.Outcomes {
			health[o.Name] = strings.Join(nonEmpty(string(o.Status), fmt.Sprintf("%d ms", o.Took.Milliseconds()), o.Message), ", ")
		}
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CHANNEL\tSET UP\tHEALTH\tRATE\tTESTED")
	for _, c := range svc.Channels() {
		said := c.Health
		if h := health[c.Name]; h != "" {
			said = h
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.Name, map[bool]string{true: "yes", false: "no"}[c.Configured], oneLine(said, 70), c.RateLimit, oneLine(c.Trial(), 60))
	}
	return w.Flush()
}
