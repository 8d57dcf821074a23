package install

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
)

// NewInstall returns the command install.
func NewInstall(p console.Process, opts *setup.Options) *cobra.Command {
	var serve setup.ToolFlags
	var variables []string
	var dryRun, force, snippet bool
	cmd := &cobra.Command{
		Use:   "install [CLIENT]",
		Short: "Add citeloop to an MCP client",
		Long: `Add citeloop to an MCP client: ` + strings.Join(Names(), ", ") + `.
Without a client, list all clients, and which of them are on this machine; with --corpus, only remember the folders.

Claude Code, Codex, Gemini CLI and VS Code are changed by their own command if it is on the PATH. Of the others, and without
the command, the JSON file is edited: only the citeloop entry changes, comments stay, and the first change of a day saves a
backup. The command says what it did; 'citeloop uninstall' takes it back.

The folders of --corpus are remembered for all commands and clients; --corpus none forgets them. A client started from a
desktop does not see your shell's variables: --env writes one with its current value. Keys are never written.`,
		Example: `  citeloop install
  citeloop install claude-code --corpus ~/papers
  citeloop install cursor --env CITELOOP_CONTACT --dry-run

Next: restart the client, and ask it to research a question with citeloop. 'citeloop doctor' shows the setup.`,
		Args: oneClient,
		RunE: func(cmd *cobra.Command, args []string) error {
			m := newMachine(p)
			switch {
			case len(args) == 0 && (dryRun || force || snippet):
				return console.Usagef("missing client: use one of %s", strings.Join(Names(), ", "))
			case len(args) == 0 && len(opts.Corpus) > 0:
				settings, err := opts.Settings(p)
				if err != nil {
					return err
				}
				return remember(p, settings)
			case len(args) == 0:
				return list(m)
			}
			toolNames := strings.Join(serve.Tools, ",")
			if err := serve.Check(); err != nil {
				return console.Usage(err)
			}
			c, _ := named(args[0])
			i, err := m.look(c)
			if err != nil {
				return console.Usage(err)
			}
			s, settings, err := server(m, opts, toolNames, variables, i.entry)
			if err != nil {
				return err
			}
			if snippet {
				text, err := c.snippet(s)
				fmt.Fprint(p.Stdout, text)
				return err
			}
			if err := m.change(cmd.Context(), i, &s, force, dryRun); err != nil || dryRun || len(opts.Corpus) == 0 {
				return err
			}
			return remember(p, settings)
		},
	}
	cmd.Flags().StringSliceVar(&variables, "env", nil, "write this variable, such as CITELOOP_CONTACT, with its current value; repeatable")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done")
	cmd.Flags().BoolVar(&snippet, "print", false, "print the entry, for any other client")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite an entry named citeloop that this command did not write")
	serve.Register(cmd.Flags())
	return cmd
}

// remember keeps the folders of --corpus for all commands.
func remember(p console.Process, settings setup.Settings) error {
	name, err := settings.Remember()
	if err == nil {
		fmt.Fprintf(p.Stdout, "Folders for all commands: %s (%s).\n", console.OrNone(strings.Join(settings.Corpus, ", ")), name)
	}
	return err
}

// NewUninstall returns the command uninstall.
func NewUninstall(p console.Process) *cobra.Command {
	var dryRun, force bool
	cmd := &cobra.Command{
		Use:   "uninstall [CLIENT]",
		Short: "Remove citeloop from MCP clients",
		Long: `Remove what 'citeloop install' added, and nothing else. Without a client, remove it from all clients that have it. Loops,
texts and remembered folders stay in the data folder, which 'citeloop doctor' names; delete it to remove them.`,
		Example: `  citeloop uninstall
  citeloop uninstall claude-code --dry-run`,
		Args: oneClient,
		RunE: func(cmd *cobra.Command, args []string) error {
			m := newMachine(p)
			all, err := m.all()
			if err != nil {
				return console.Usage(err)
			}
			all = slices.DeleteFunc(all, func(i installation) bool {
				return len(args) == 0 && !i.entry.ours || len(args) > 0 && i.name != args[0]
			})
			if len(all) == 0 {
				fmt.Fprintln(p.Stdout, "No client has citeloop.")
			}
			for _, i := range all {
				if err := m.change(cmd.Context(), i, nil, force, dryRun); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done")
	cmd.Flags().BoolVar(&force, "force", false, "remove an entry named citeloop that install did not write")
	return cmd
}

func oneClient(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return console.Usagef("unexpected argument %q: %s takes one client", args[1], cmd.Name())
	}
	if len(args) == 1 {
		if _, known := named(args[0]); !known {
			return console.Usagef("unknown client %q%s", args[0], console.SuggestOrList(args[0], Names()))
		}
	}
	return nil
}

// change adds a server to a client, or with nil removes ours, unless it is already so.
func (m machine) change(ctx context.Context, i installation, s *Server, force, dryRun bool) error {
	done := s == nil && !i.entry.there || s != nil && i.entry.ours && i.entry.Command == s.Command && slices.Equal(i.entry.Args, s.Args) &&
		maps.Equal(i.entry.Env, s.Env)
	switch {
	case i.err != nil:
		return fmt.Errorf("%s cannot use %s: %w; correct the file", i.title, i.file.path, i.err)
	case i.entry.there && !i.entry.ours && !force:
		return fmt.Errorf("%s has an entry %q that runs %s; use --force to change it", i.title, name, i.entry.runs)
	case done:
		_, err := fmt.Fprintf(m.p.Stdout, "%s: nothing to do in %s.\n", i.title, i.file.path)
		return err
	}
	args, err := i.asks(s)
	if err != nil {
		return err
	}
	did := "wrote " + i.file.path
	if args != nil {
		did = "ran: " + shell(i.client.program, args)
		if dryRun {
			_, err := fmt.Fprintf(m.p.Stdout, "would run: %s\n", shell(i.client.program, args))
			return err
		}
		err = i.ask(ctx, args)
	} else {
		var text []byte
		if text, err = i.edited(s); err != nil {
			return err
		}
		if dryRun {
			_, err := m.p.Stdout.Write(diff.Diff(i.file.path, i.file.text, i.file.path+" (after)", text))
			return err
		}
		var backup string
		if backup, err = i.file.write(text, m.now()); backup != "" {
			did += "; backup of today: " + backup
		}
	}
	if err != nil {
		return err
	}
	what, before := "added", ""
	if s == nil {
		what = "removed"
	} else if i.entry.there {
		before = " Before, it ran " + i.entry.runs + "."
	}
	fmt.Fprintf(m.p.Stdout, "%s: citeloop %s (%s).%s\n%s\n", i.title, what, did, before, i.then)
	if now, err := m.look(i.client); err == nil && now.entry.there != (s != nil) {
		return fmt.Errorf("%s does not show the change; look at it, and at 'citeloop install %s --print'", now.file.path, i.name)
	}
	return nil
}

// list shows the clients, whether they are on this machine and have citeloop, and where.
func list(m machine) error {
	all, err := m.all()
	if err != nil {
		return console.Usage(err)
	}
	w := tabwriter.NewWriter(m.p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CLIENT\tFOUND\tINSTALLED\tFILE")
	for _, i := range all {
		state := "no"
		switch {
		case i.err != nil:
			state = "unreadable"
		case i.entry.ours:
			state = "yes"
		case i.entry.there:
			state = "another"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", i.name, map[bool]string{true: "yes", false: "no"}[i.found()], state, i.file.path)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(m.p.Stdout, "\nNext: citeloop install CLIENT [--corpus FOLDER]. For any other client: citeloop install "+
		"cursor --print")
	return err
}

// server returns how a client starts this program with the given flags and variables. An entry of ours keeps its arguments if no
// flag for them is given, and its variables. The settings are those of the server.
func server(m machine, o *setup.Options, toolNames string, variables []string, old entry) (Server, setup.Settings, error) {
	s := Server{Command: m.self, Args: []string{"serve"}, Env: map[string]string{}}
	if m.err != nil {
		return s, setup.Settings{}, m.err
	}
	settings, err := o.Settings(m.p)
	if err != nil {
		return s, settings, err
	}
	data := cmp.Or(o.Data, m.p.Env("CITELOOP_DATA"))
	if data != "" {
		if data, err = filepath.Abs(data); err != nil {
			return s, settings, err
		}
	}
	if hasSecret(o.Store) {
		return s, settings, console.Usagef("--store contains a password, which would be readable in the client's file; put it " +
			"into ~/.pgpass")
	}
	for _, flag := range [][2]string{{"--data", data}, {"--store", o.Store}, {"--log", o.Log}, {"--tools", toolNames}} {
		if flag[1] != "" {
			s.Args = append(s.Args, flag[0], flag[1])
		}
	}
	if old.ours {
		maps.Copy(s.Env, old.Env)
		if len(s.Args) == 1 && len(o.Corpus) == 0 {
			s.Args = old.Args
		}
	}
	for _, variable := range variables {
		value := m.p.Env(variable)
		switch flag := strings.ToLower(strings.TrimPrefix(variable, "CITELOOP_")); {
		case slices.Contains([]string{"corpus", "data", "store", "log"}, flag):
			return s, settings, console.Usagef("invalid --env %s: use --%s", variable, flag)
		case strings.HasSuffix(variable, "_KEY") || hasSecret(value):
			return s, settings, console.Usagef("invalid --env %s: its secret would be readable in the client's file; if only you can "+
				"read that file, add it to the entry by hand", variable)
		case !setup.IsVariable(variable):
			return s, settings, console.Usagef("unknown setting --env %s: use one of docs/settings.md, such as CITELOOP_CONTACT", variable)
		case value == "":
			return s, settings, console.Usagef("missing value of --env %s: set it, as in %s=… citeloop install", variable, variable)
		}
		s.Env[variable] = value
	}
	for _, variable := range setup.Variables() {
		if _, written := s.Env[variable]; !written && m.p.Env(variable) != "" &&
			!slices.Contains([]string{"CITELOOP_CORPUS", "CITELOOP_DATA"}, variable) {
			fmt.Fprintf(m.p.Stderr, "%s is set here, but the client may not see it; use --env, or add it to the entry by hand if it "+
				"is a key.\n", variable)
		}
	}
	return s, settings, nil
}

// hasSecret reports whether an address contains a password or key, or a text that may be one.
func hasSecret(value string) bool {
	u, err := url.Parse(value)
	if err != nil {
		return strings.Contains(value, "://") && strings.Contains(value, "@")
	}
	_, password := u.User.Password()
	return password || u.Scheme != "postgres" && u.Host != "" && u.User != nil ||
		slices.ContainsFunc([]string{"key", "api_key", "token", "password"}, u.Query().Has)
}
