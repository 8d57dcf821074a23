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
		Long: `Show the store, and every channel: whether it can be asked, what is missing, how it is, what is left of its rate,
the proxy that it goes through, and against what it was tested. Nothing leaves the machine, unless --ask is given: then
each channel that is set up is asked one small question, by the very code that the tools use.

Problems are entries of MCP clients that start a missing program, and data that other users can read. --fix repairs
both; the client's file is saved first, as 'citeloop install' does.`,
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
	cmd.Flags().BoolVar(&fix, "fix", false, "repair what can be repaired")
	cmd.Flags().BoolVar(&ask, "ask", false, "ask each channel that is set up one small question")
	return cmd
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// question is what a channel is asked to see whether it answers. A few search by address or by id alone.
func question(channel string) string {
	switch channel {
	case "wayback":
		return "example.org"
	case "unpaywall":
		return "10.1038/nature12373"
	}
	return "lighthouse"
}

// askAll asks each channel that can be asked. What is asked goes through Search, as a tool's call does.
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

// writeChannels writes a line for each channel, and below it in lines of at most so many cells what else there is to
// say.
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
