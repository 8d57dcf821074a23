package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
)

func newDoctor(p console.Process, opts *setup.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Show the setup and its problems",
		Long: `Show the store, your folders, the clients that have citeloop, and the problems. Nothing leaves
the machine.

Problems are files of clients that cannot be read, entries that start a missing program or name a missing folder, and data that
other users can read. If one is left, the exit status is 1.`,
		Example: `  citeloop doctor

Next: 'citeloop install CLIENT --corpus FOLDER' adds a client and names your folders; 'citeloop channels' lists the channels.`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts.Lenient = true
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				return examine(cmd.Context(), p, s, svc)
			})
		},
	}
}

// examine writes what is set up, and the problems. The error is that problems are left.
func examine(ctx context.Context, p console.Process, s setup.Settings, svc *loops.Service) error {
	if err := writeSetup(ctx, p, s, svc); err != nil {
		return err
	}
	installed, problems := install.Check(p)
	labelled(p.Stdout, "clients", installed...)
	problems = append(problems, problemsOf(s, svc)...)
	for _, problem := range problems {
		fmt.Fprintf(p.Stdout, "problem   %s\n", problem)
	}
	if len(problems) > 0 {
		return console.End{Code: console.ExitFailed} // they are already written
	}
	_, err := fmt.Fprintln(p.Stdout, "problems  none")
	return err
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
		english.Plural(len(heads), "loop", ""),
		console.OrNone(folders), console.OrNone(strings.Join(s.Corpus, ", ")), console.OrNone(s.Reader.Name), console.OrNone(s.Browser))
	if len(s.Corpus) > 0 {
		return writeFiles(ctx, p, s)
	}
	return nil
}

// problemsOf returns the problems of the data folder and of the user's folders.
func problemsOf(s setup.Settings, svc *loops.Service) (found []string) {
	add := func(format string, values ...any) { found = append(found, fmt.Sprintf(format, values...)) }
	for _, dir := range s.Missing {
		add("the folder %s is missing; restore it, or name other folders with 'citeloop install CLIENT --corpus FOLDER'", dir)
	}
	if svc.Folders != nil {
		if err := svc.Folders.Check(); err != nil {
			add("the folders of your loops in %s cannot be written: %v; make it writable, or write none with CITELOOP_FOLDERS=off",
				svc.Folders.Root(), err)
		}
	}
	if info, err := os.Stat(s.DataDir); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		add("other users can read your loops in %s (mode %#o); run chmod 700 on it", s.DataDir, info.Mode().Perm())
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
	labelled(p.Stdout, "files", console.Wrapped(cmp.Or(c.Words(), "the folders cannot be opened"), console.Width-10)...)
	return nil
}
