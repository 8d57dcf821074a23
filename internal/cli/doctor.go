package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/internal/cli/clients"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
)

func newDoctor(p console.Process, opts *setup.Options) *cobra.Command {
	var ask, fix, verbose bool
	own := clients.Own(p)
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show the setup, its problems and the channels; --fix repairs, --ask tests",
		Long: `Show the store, the problems, the channels whose last search failed, and the names of the others. With --verbose, show for
each channel its configuration, health, remaining rate limit, proxy, and what it was tested against. With --ask, test each
configured channel with one small query, as the tools would send it; without it, nothing leaves the machine.

Problems are files of MCP clients that cannot be read, entries in them that start a missing program or name a missing
folder, data that other users can read, and, with --ask, channels none of which answers. If one is left, the exit status
is 1. --fix repairs the program and the rights; it saves a backup of the client's file, as 'citeloop install' does.`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts.Lenient = true
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				heads, err := svc.Store.List(cmd.Context(), loops.LocalOwner)
				if err != nil {
					return err
				}
				place := s.DataDir
				if s.Store != "" {
					place = "a PostgreSQL database"
				}
				fmt.Fprintf(p.Stdout, "citeloop %s\nstore     %s, %s\nfolders   %s\ncorpus    %s\nreader    %s\nbrowser   %s\n", console.Version, place, console.Counted(len(heads), "loop", "loops"), rootOf(svc),
					corpusOf(s.Corpus), console.OrNone(s.Reader.Name), console.OrNone(s.Browser))
				if len(s.Corpus) > 0 {
					if err := writeFiles(cmd.Context(), p, s); err != nil {
						return err
					}
				}
				problems, corpora, err := clients.SetupProblems(p, own, s.DataDir)
				if err != nil {
					return err
				}
				labelled(p.Stdout, "clients", corpora...)
				kept, err := local.Sweep(filepath.Join(s.DataDir, setup.CorpusFolders), time.Now(), true)
				if err != nil {
					return err
				}
				for _, gone := range kept {
					labelled(p.Stdout, "gone", fmt.Sprintf("%s is missing; its index (%.1f MB) is removed on %s", gone.Folder, float64(gone.Bytes)/1e6, gone.Until.Format(time.DateOnly)))
				}
				for _, dir := range s.Missing {
					problems = append(problems, clients.MissingCorpus("--corpus", dir))
				}
				if problem := folderProblem(svc); problem != nil {
					problems = append(problems, *problem)
				}
				if ask {
					if err := askAll(cmd.Context(), p, svc); err != nil {
						return err
					}
					problems = append(problems, noChannel(svc.Channels())...)
				}
				left, err := clients.WriteProblems(p, problems, fix)
				if err != nil {
					return err
				}
				if verbose {
					fmt.Fprintln(p.Stdout)
					err = writeChannels(p.Stdout, svc.Channels(), p.Width(), true)
				} else {
					err = summarizeChannels(p.Stdout, svc.Channels(), p.Width(), ask)
				}
				if err == nil && left > 0 {
					err = console.End{Code: console.ExitFailed} // the problems are already written
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "repair the problems")
	cmd.Flags().BoolVar(&ask, "ask", false, "test each configured channel with one small query")
	cmd.Flags().BoolVar(&verbose, "verbose", false, "show the details of each channel")
	return cmd
}

// labelled writes lines with a label before the first.
func labelled(out io.Writer, label string, lines ...string) {
	for _, line := range lines {
		fmt.Fprintf(out, "%-9s %s\n", label, line)
		label = ""
	}
}

// corpusOf names the folders of this command. Those of clients follow it.
func corpusOf(folders []string) string {
	return cmp.Or(strings.Join(folders, ", "), "none for this command")
}

// noChannel returns the problem of channels of which none answered, or nothing.
func noChannel(list []channels.Info) []clients.SetupProblem {
	var failed []string
	for _, c := range list {
		switch {
		case !c.Configured || c.Name == "local":
		case c.Health == "ok":
			return nil
		default:
			failed = append(failed, c.Name)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return []clients.SetupProblem{{What: "no channel answers: " + strings.Join(failed, ", "), Remedy: "check the network connection, and HTTPS_PROXY if you need a proxy"}}
}

// writeFiles says how many files of the folders are searched, and what is left out and why. It changes no index.
func writeFiles(ctx context.Context, p console.Process, s setup.Settings) error {
	c, err := setup.OpenCorpus(s, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	r, err := c.Status(ctx)
	if err != nil {
		return err
	}
	labelled(p.Stdout, "files", console.Wrapped(cmp.Or(r.Words(), "the folders cannot be opened"), p.Width()-10)...)
	return nil
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
func askAll(ctx context.Context, p console.Process, svc *loops.Service) error {
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

// summarizeChannels names the channels, and writes a line for each that needs attention. With asked, it writes a line for
// each configured one.
func summarizeChannels(out io.Writer, list []channels.Info, width int, asked bool) error {
	var ready, off []string
	var shown []channels.Info
	for _, c := range list {
		switch {
		case !c.Configured:
			off = append(off, c.Name)
			continue
		case c.Health == "ok" || c.Health == "untried":
			ready = append(ready, c.Name)
			if !asked {
				continue
			}
		}
		shown = append(shown, c)
	}
	lines := console.Wrapped(fmt.Sprintf("%d ready: %s", len(ready), console.OrNone(strings.Join(ready, ", "))), width-10)
	if failed := len(list) - len(ready) - len(off); failed > 0 {
		lines = append(lines, fmt.Sprintf("%d failing, see below", failed))
	}
	if len(off) > 0 {
		lines = append(lines, console.Wrapped(fmt.Sprintf("%d not set up: %s", len(off), strings.Join(off, ", ")), width-10)...)
		lines = append(lines, console.Wrapped("'citeloop doctor --verbose' shows what each requires", width-10)...)
	}
	labelled(out, "channels", lines...)
	if len(shown) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	return writeChannels(out, shown, width, false)
}

// writeChannels writes a line for each channel, wrapped to a width, and the details below it if they are asked for.
func writeChannels(out io.Writer, list []channels.Info, width int, details bool) error {
	w := bufio.NewWriter(out)
	longest := len("CHANNEL")
	for _, c := range list {
		longest = max(longest, len(c.Name))
	}
	row := func(name, setUp, health string) {
		first := true
		for _, line := range console.Wrapped(health, width-longest-10) {
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
		if !details {
			continue
		}
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
		for _, line := range console.Wrapped(strings.Join(append(more, c.Trial()), "; "), width-4) {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
	return w.Flush()
}
