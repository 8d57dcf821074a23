package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
)

func newDoctor(p console.Process, opts *setup.Options) *cobra.Command {
	var ask bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show the setup and its problems; --ask tests the channels",
		Long: `Show the store, your folders, the clients that have citeloop, the problems, and the channels whose last search failed.
Nothing leaves the machine unless --ask is given.

Problems are files of clients that cannot be read, entries that start a missing program or name a missing folder, data that
other users can read, and, with --ask, channels none of which answers. If one is left, the exit status is 1.`,
		Example: `  citeloop doctor
  citeloop doctor --ask

Next: 'citeloop install CLIENT --corpus FOLDER' adds a client and names your folders; 'citeloop channels' lists the channels.`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts.Lenient = true
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				if err := writeSetup(cmd.Context(), p, s, svc); err != nil {
					return err
				}
				installed, problems, err := install.Check(p)
				if err != nil {
					return err
				}
				labelled(p.Stdout, "clients", installed...)
				problems = append(problems, problemsOf(s, svc)...)
				if ask {
					if err := askAll(cmd.Context(), p, svc); err != nil {
						return err
					}
					if !slices.ContainsFunc(svc.Channels(), func(c channels.Info) bool { return c.Name != "local" && c.Health == "ok" }) {
						problems = append(problems, install.Problem{What: "no channel answers",
							Remedy: "check the network connection, and HTTPS_PROXY if you need a proxy"})
					}
				}
				for _, problem := range problems {
					fmt.Fprintf(p.Stdout, "problem   %s; %s\n", problem.What, problem.Remedy)
				}
				if len(problems) == 0 {
					fmt.Fprintln(p.Stdout, "problems  none")
				}
				if err = summarizeChannels(p.Stdout, svc.Channels(), p.Width(), ask); err == nil && len(problems) > 0 {
					err = console.End{Code: console.ExitFailed} // the problems are already written
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&ask, "ask", false, "test each configured channel with one small query")
	return cmd
}

// writeSetup writes where the data is, and what is configured.
func writeSetup(ctx context.Context, p console.Process, s setup.Settings, svc *loops.Service) error {
	heads, err := svc.Store.List(ctx, loops.LocalOwner)
	if err != nil {
		return err
	}
	place, folders := s.DataDir, ""
	if s.Store != "" {
		place = "a PostgreSQL database"
	}
	if svc.Folders != nil {
		folders = svc.Folders.Root()
	}
	fmt.Fprintf(p.Stdout, "citeloop %s\nstore     %s, %s\nfolders   %s\ncorpus    %s\nreader    %s\nbrowser   %s\n", console.Version, place,
		console.Counted(len(heads), "loop", "loops"),
		console.OrNone(folders), console.OrNone(strings.Join(s.Corpus, ", ")), console.OrNone(s.Reader.Name), console.OrNone(s.Browser))
	if len(s.Corpus) > 0 {
		return writeFiles(ctx, p, s)
	}
	return nil
}

// problemsOf returns the problems of the data folder and of the user's folders.
func problemsOf(s setup.Settings, svc *loops.Service) (found []install.Problem) {
	add := func(remedy, format string, values ...any) {
		found = append(found, install.Problem{What: fmt.Sprintf(format, values...), Remedy: remedy})
	}
	for _, dir := range s.Missing {
		add("restore it, or name other folders with 'citeloop install CLIENT --corpus FOLDER'", "the folder %s is missing", dir)
	}
	if svc.Folders != nil {
		if err := svc.Folders.Check(); err != nil {
			add("make it writable, or write none with CITELOOP_FOLDERS=off", "the folders of your loops in %s cannot be written: %v",
				svc.Folders.Root(), err)
		}
	}
	if info, err := os.Stat(s.DataDir); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		add("run chmod 700 on it", "other users can read your loops in %s (mode %#o)", s.DataDir, info.Mode().Perm())
	}
	return found
}

// labelled writes lines with a label before the first.
func labelled(out io.Writer, label string, lines ...string) {
	for _, line := range lines {
		fmt.Fprintf(out, "%-9s %s\n", label, line)
		label = ""
	}
}

// writeFiles says how many files of the folders are searched, and what is left out and why. It reads none of them.
func writeFiles(ctx context.Context, p console.Process, s setup.Settings) error {
	c, err := setup.OpenCorpus(s, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Look(ctx); err != nil {
		return err
	}
	labelled(p.Stdout, "files", console.Wrapped(cmp.Or(c.Words(), "the folders cannot be opened"), p.Width()-10)...)
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

// summarizeChannels counts the channels, and writes a line for each that failed; with asked, for each that is set up.
func summarizeChannels(out io.Writer, list []channels.Info, width int, asked bool) error {
	ready, off := 0, 0
	var shown []channels.Info
	for _, c := range list {
		good := c.Health == "ok" || c.Health == "untried"
		switch {
		case !c.Configured:
			off++
		case good:
			ready++
		}
		if c.Configured && (asked || !good) {
			shown = append(shown, c)
		}
	}
	labelled(out, "channels", console.Wrapped(fmt.Sprintf("%d ready, %d failing, %d not set up; 'citeloop channels' lists them", ready,
		len(list)-ready-off, off), width-10)...)
	if len(shown) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	return writeChannels(out, shown, width, false)
}
