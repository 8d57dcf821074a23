package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
)

func newDoctor(p Process, opts *options) *cobra.Command {
	var ask, fix bool
	own := ownPath{os.Executable, p.env("PATH")}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show the setup, its problems and each channel; --fix repairs, --ask tests",
		Long: `Show the store, and for each channel its configuration, health, remaining rate limit, proxy, and what it was tested
against. With --ask, test each configured channel with one small query, as the tools would send it; without it, nothing
leaves the machine.

Problems are entries of MCP clients that start a missing program, and data that other users can read. --fix repairs both;
it saves a backup of the client's file, as 'citeloop install' does.`,
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
				fmt.Fprintf(p.Stdout, "citeloop %s\nstore     %s, %d loops\ncorpus    %s\nreader    %s\nbrowser   %s\n", Version, place, len(heads),
					orNone(strings.Join(s.corpus, ", ")), orNone(s.reader.name), orNone(s.browser))
				problems, err := setupProblems(p, own, s.dataDir)
				if err != nil {
					return err
				}
				if err := writeProblems(p, problems, fix); err != nil {
					return err
				}
				fmt.Fprintln(p.Stdout)
				if ask {
					if err := askAll(cmd.Context(), p, svc); err != nil {
						return err
					}
				}
				return writeChannels(p.Stdout, svc.Channels(), p.width())
			})
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "repair the problems")
	cmd.Flags().BoolVar(&ask, "ask", false, "test each configured channel with one small query")
	return cmd
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// question returns the test query for a channel. A few search only by address or by id.
func question(channel string) string {
	switch channel {
	case "wayback":
		return "example.org"
	case "unpaywall":
		return "10.1038/nature12373"
	}
	return "lighthouse"
}

// askAll sends a query to each configured channel.
func askAll(ctx context.Context, p Process, svc *loops.Service) error {
	byQuestion := map[string][]string{}
	for _, c := range svc.Channels() {
		if c.Configured {
			byQuestion[question(c.Name)] = append(byQuestion[question(c.Name)], c.Name)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(byQuestion)) {
		names := byQuestion[text]
		in := loops.SearchInput{Channels: names, Query: channels.Query{Text: text, Limit: 1}, Done: func(o channels.Outcome) {
			fmt.Fprintf(p.Stderr, "%s: %s, %d ms\n", o.Name, o.Status, o.Took.Milliseconds())
		}}
		if _, err := svc.Search(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

// writeChannels writes a line for each channel, with details below it, wrapped to a width.
func writeChannels(out io.Writer, list []channels.Info, width int) error {
	w := bufio.NewWriter(out)
	longest := len("CHANNEL")
	for _, c := range list {
		longest = max(longest, len(c.Name))
	}
	row := func(name, setUp, health string) {
		first := true
		for _, line := range wrapped(health, width-longest-10) {
			fmt.Fprintf(w, "%-*s  %-6s  %s\n", longest, name, setUp, line)
			if first {
				name, setUp, first = "", "", false
			}
		}
	}
	row("CHANNEL", "SET UP", "HEALTH")
	for _, c := range list {
		health, _ := strings.CutPrefix(c.Health, "not configured: ")
		row(c.Name, map[bool]string{true: "yes", false: "no"}[c.Configured], health)
		more := []string{c.RateLimit}
		if c.Remaining != "" {
			more = append(more, "left: "+c.Remaining)
		}
		if words := c.Last.Words(); words != "" {
			more = append(more, "last: "+words)
		}
		if c.Proxy != "" {
			more = append(more, "through "+c.Proxy)
		}
		for _, line := range wrapped(strings.Join(append(more, c.Trial()), "; "), width-4) {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
	return w.Flush()
}
