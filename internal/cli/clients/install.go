// Package clients sets citeloop up on a machine: the entries in the configuration of MCP clients, the project file, what is wrong with
// them, and their removal. Package install edits the files.
package clients

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/cli/setup"
)

// installFlags are the common flags of install and uninstall.
type installFlags struct {
	scope  string
	dryRun bool
	force  bool
	forced string // the effect of force on the entry
	asks   bool   // the client goes on asking before it reads a loop's folder
	serve  setup.ToolFlags
}

func (f *installFlags) register(cmd *cobra.Command, forced string) {
	f.forced = forced
	cmd.Flags().StringVar(&f.scope, "scope", string(install.User), "file to change: user (all your projects) or project (this folder)")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "show the change as a diff and write nothing")
	cmd.Flags().BoolVar(&f.force, "force", false, forced+" even if this command did not write it")
}

func NewInstall(p console.Process, opts *setup.Options) *cobra.Command {
	own := Own(p)
	var flags installFlags
	var snippet bool
	var variables []string
	cmd := &cobra.Command{
		Use:   "install [CLIENT]",
		Short: "Add citeloop to an MCP client's configuration",
		Long: `Add citeloop to the configuration of an MCP client: ` + strings.Join(install.Names(), ", ") + `.
Without a client, list all clients, which of them are on this machine, and their files.

The client starts this program with "serve", the given --corpus, --data, --store, --log, --read-only and --tools, and the variables named by
--env with their current values: a client started from a desktop does not see your shell's variables. Keys are never
written to the file. Only the citeloop entry changes; comments and the rest of the file stay as they are. The first
change of a day saves a backup beside the file.

So that the model can read the folders of your loops with its own tools and without a prompt each time, Claude Code's
settings get a rule for them, and those of Gemini CLI an included folder. The command says what it changed, 'citeloop
uninstall' takes it back, and --ask-to-read leaves it out. Other clients have no such setting, or need none.

Run install again to change the arguments. Flags that you do not give, and what you added to the entry, stay; run
'citeloop uninstall' first to drop them.`,
		Example: `  citeloop install
  citeloop install claude-code --corpus ~/papers
  citeloop install cursor --env CITELOOP_BROWSER --env CITELOOP_CONTACT
  citeloop install vscode --scope project --dry-run
  citeloop install codex --print`,
		Args: oneClient,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				if flags.dryRun || flags.force || snippet {
					return console.Usagef("missing client: use one of %s", strings.Join(install.Names(), ", "))
				}
				return listClients(p, own)
			}
			if snippet && flags.dryRun {
				return console.Usagef("--print and --dry-run exclude each other: --print shows the entry, --dry-run the change to the file")
			}
			if err := flags.serve.Check(); err != nil {
				return console.Usage(err)
			}
			s, err := serverOf(opts, p, own, variables)
			if err != nil {
				return err
			}
			if flags.serve.ReadOnly {
				s.Args = append(s.Args, "--tools", "read")
			}
			if flags.serve.Tools != nil {
				s.Args = append(s.Args, "--tools", strings.Join(flags.serve.Tools, ","))
			}
			client, _ := install.Named(args[0])
			if snippet {
				text, err := client.Snippet(s)
				fmt.Fprint(p.Stdout, text)
				return err
			}
			return edit(p, client, flags, own, func(text []byte) (install.Change, error) {
				return client.Add(text, s, flags.force)
			})
		},
	}
	flags.register(cmd, "overwrite the entry named citeloop")
	cmd.Flags().StringSliceVar(&variables, "env", nil, "write this variable, such as CITELOOP_BROWSER, with its current value; repeatable")
	cmd.Flags().BoolVar(&flags.asks, "ask-to-read", false, "do not change the settings that let the client read the loops' folders without asking")
	flags.serve.Register(cmd.Flags())
	cmd.Flags().BoolVar(&snippet, "print", false, "print the entry and change nothing")
	return cmd
}

func NewUninstall(p console.Process) *cobra.Command {
	own := Own(p)
	var flags installFlags
	cmd := &cobra.Command{
		Use:   "uninstall [CLIENT]",
		Short: "Remove citeloop from MCP clients' configurations",
		Long: `Remove the entry that 'citeloop install' wrote, the setting that lets the client read the loops' folders, and nothing
else. Without a client, remove it from all clients that have it. A backup is saved beside the file. Loops and texts stay.`,
		Example: `  citeloop uninstall claude-code
  citeloop uninstall --dry-run`,
		Args: oneClient,
		RunE: func(_ *cobra.Command, args []string) error {
			names := args
			if len(names) == 0 {
				var err error
				if names, err = clientsWith(p, install.Scope(flags.scope), own); err != nil {
					return err
				}
				if len(names) == 0 {
					fmt.Fprintln(p.Stdout, "No client has citeloop.")
				}
			}
			for _, name := range names {
				client, _ := install.Named(name)
				if err := edit(p, client, flags, own, func(text []byte) (install.Change, error) {
					return client.Remove(text, own.OrNone(), flags.force)
				}); err != nil {
					return err
				}
			}
			return nil
		},
	}
	flags.register(cmd, "remove the entry named citeloop")
	return cmd
}

// clientsWith returns the clients whose files have our entry.
func clientsWith(p console.Process, scope install.Scope, own OwnPath) (names []string, err error) {
	m, err := machine(p)
	if err != nil {
		return nil, err
	}
	all, err := entries(m, own, scope)
	for _, e := range all {
		if e.has == install.Present {
			names = append(names, e.Name)
		}
	}
	return names, err
}

func oneClient(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return console.Usagef("unexpected argument %q: %s takes one client", args[1], cmd.Name())
	}
	if len(args) == 1 {
		if _, known := install.Named(args[0]); !known {
			return console.Usagef("unknown client %q%s", args[0], console.SuggestOrList(args[0], install.Names()))
		}
	}
	return nil
}

// edit reads the client's file, computes the change, and writes or shows it.
func edit(p console.Process, client install.Client, flags installFlags, own OwnPath, change func(text []byte) (install.Change, error)) error {
	m, err := machine(p)
	if err != nil {
		return err
	}
	path, err := client.Path(m, install.Scope(flags.scope))
	if err != nil {
		return console.Usage(err)
	}
	if err := OwnFile(path, install.Scope(flags.scope)); err != nil {
		return err
	}
	file, err := install.Read(path)
	if err != nil {
		return err
	}
	c, err := change(file.Text)
	var foreign *install.ForeignError
	switch {
	case errors.As(err, &foreign):
		return fmt.Errorf("%s was not changed: %w; use --force to %s", file.Path, err, flags.forced)
	case err != nil:
		return fmt.Errorf("%s was not changed: %w", file.Path, err)
	}
	reading := readingChange{client: client, before: loopsRoot(p, client, file.Text, own), after: loopsRoot(p, client, c.Text, own), asks: flags.asks}
	if flags.dryRun {
		if c.Outcome == install.Unchanged {
			fmt.Fprintf(p.Stdout, "Nothing would change in %s.\n", file.Path)
		} else if _, err := p.Stdout.Write(diff.Diff(file.Path, file.Text, file.Path+" (after)", c.Text)); err != nil {
			return err
		}
		reading.show(p, m, install.Scope(flags.scope))
		return nil
	}
	found, backup := client.Found(m), "" // before a folder is made
	if c.Outcome != install.Unchanged {
		if backup, err = file.Write(c.Text, flags.scope == string(install.User), time.Now()); err != nil {
			return err
		}
	}
	printChange(p, client, file.Path, backup, c)
	reading.make(p, m, install.Scope(flags.scope))
	if c.Outcome != install.Removed {
		warnOfPlugin(p, client, m)
	}
	if c.Outcome == install.Added || c.Outcome == install.Replaced {
		switch {
		case flags.scope == string(install.Project):
			fmt.Fprintln(p.Stderr, "The file contains the path of citeloop on this machine; everyone who shares the file needs citeloop at that path.")
		case !found:
			fmt.Fprintf(p.Stderr, "%s was not found on this machine; the configuration takes effect once it is installed.\n", client.Title)
		}
	}
	return nil
}

// warnOfPlugin warns if the client has the server twice.
func warnOfPlugin(p console.Process, client install.Client, m install.Machine) {
	for _, path := range client.PluginSettings(m) {
		if file, err := install.Read(path); err == nil && install.EnablesPlugin(file.Text) {
			fmt.Fprintf(p.Stderr, "The citeloop plugin is enabled in %s and brings the server too, so every tool appears twice. Keep one: run 'citeloop uninstall %s', or '/plugin uninstall citeloop' in %s.\n", path, client.Name, client.Title)
			return
		}
	}
}

func printChange(p console.Process, client install.Client, path, backup string, c install.Change) {
	switch c.Outcome {
	case install.Unchanged:
		if c.Was == "" {
			fmt.Fprintf(p.Stdout, "%s: citeloop is not in %s; nothing to do.\n", client.Title, path)
		} else {
			fmt.Fprintf(p.Stdout, "%s: citeloop is already in %s; nothing to do.\n", client.Title, path)
		}
		return
	case install.Added:
		fmt.Fprintf(p.Stdout, "%s: added citeloop to %s.\n", client.Title, path)
	case install.Updated, install.Replaced:
		fmt.Fprintf(p.Stdout, "%s: updated citeloop in %s; before, %s.\n", client.Title, path, c.Was)
	case install.Removed:
		fmt.Fprintf(p.Stdout, "%s: removed citeloop from %s.\n", client.Title, path)
	}
	if len(c.Kept) > 0 {
		fmt.Fprintf(p.Stdout, "Kept from before: %s.\n", strings.Join(c.Kept, " "))
	}
	if backup != "" {
		fmt.Fprintf(p.Stdout, "Backup of today: %s.\n", backup)
	}
	if c.Outcome == install.Removed {
		fmt.Fprintf(p.Stdout, "Restart %s to apply the change.\n", client.Title)
	} else {
		fmt.Fprintln(p.Stdout, client.Then)
	}
}

// serverOf returns how a client starts this program: with the given flags and the variables of --env. Other variables are
// not written, because they may be set for one run only.
func serverOf(o *setup.Options, p console.Process, own OwnPath, variables []string) (install.Server, error) {
	command, err := own.Find()
	if err != nil {
		return install.Server{}, err
	}
	s := install.Server{Command: command, Args: []string{"serve"}}
	for _, dir := range o.Corpus {
		abs, err := setup.CorpusFolder(dir)
		if err != nil {
			return s, console.Usage(err)
		}
		s.Args = append(s.Args, "--corpus", abs)
	}
	if o.Data != "" {
		abs, err := filepath.Abs(o.Data)
		if err != nil {
			return s, err
		}
		s.Args = append(s.Args, "--data", abs)
	}
	if o.Store != "" {
		if hasPassword(o.Store) {
			return s, console.Usagef("--store contains a password, which would be readable in the client's file; put it into ~/.pgpass")
		}
		s.Args = append(s.Args, "--store", o.Store)
	}
	if o.Log != "" {
		s.Args = append(s.Args, "--log", o.Log)
	}
	if o.Folder != "" {
		s.Args = append(s.Args, "--folders", o.Folder)
	}
	if s.Env, err = namedVariables(p, variables); err != nil {
		return s, console.Usage(err)
	}
	clean := console.Process{Stderr: p.Stderr, LookupEnv: lookupIn(s.Env)}
	if _, err := o.Settings(clean); err != nil { // serve would reject it
		return s, err
	}
	for _, name := range []string{"CITELOOP_CORPUS", "CITELOOP_DATA", "CITELOOP_FOLDERS", "CITELOOP_STORE"} {
		flag := strings.ToLower(strings.TrimPrefix(name, "CITELOOP_"))
		if p.Env(name) != "" && !slices.Contains(s.Args, "--"+flag) {
			fmt.Fprintf(p.Stderr, "%s is set here, but the client may not see it; use --%s to write it into the entry.\n", name, flag)
		}
	}
	listUnwrittenVariables(p, s.Env)
	return s, nil
}

func hasPassword(store string) bool {
	u, err := url.Parse(store)
	if err != nil {
		return true // settings reports it
	}
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}
