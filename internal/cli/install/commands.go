package install

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
)

// NewInstall returns the command install.
func NewInstall(p console.Process, opts *setup.Options) *cobra.Command {
	var serve setup.ToolFlags
	var snippet bool
	cmd := &cobra.Command{
		Use:   "install [CLIENT]",
		Short: "Add citeloop to an MCP client",
		Long: `Add citeloop to an MCP client: ` + strings.Join(names(), ", ") + `.
With --corpus and without a client, only remember the folders.

Claude Code, Codex, Gemini CLI and VS Code are changed by their own command if it is on the PATH. Of the others, without the
command, and where the entry is there, the JSON file is edited: only the citeloop entry changes, comments stay, and the first
change of a day saves a backup. The command says what it did; 'citeloop uninstall' takes it back.

The folders of --corpus are remembered for all commands and clients; --corpus none forgets them. A client started from a
desktop does not see your shell's variables: add them to the "env" of the entry by hand; they stay.`,
		Example: `  citeloop install claude-code --corpus ~/papers
  citeloop install cursor --print

Next: restart the client, and ask it to research a question with citeloop. 'citeloop doctor' shows the setup.`,
		Args: oneClient,
		RunE: func(cmd *cobra.Command, args []string) error {
			toolNames := strings.Join(serve.Tools, ",")
			if err := serve.Check(); err != nil {
				return console.Usage(err)
			}
			m := newMachine(p)
			switch {
			case len(args) == 0 && len(opts.Corpus) > 0 && !snippet:
				return remember(p, opts)
			case len(args) == 0:
				return console.Usagef("missing client: use one of %s", strings.Join(names(), ", "))
			}
			i := m.look(named(args[0]))
			s, err := m.server(opts, toolNames, i.entry)
			switch {
			case err != nil:
				return err
			case snippet && i.toml():
				_, err = fmt.Fprintln(p.Stdout, shell(i.client.program, i.adding(s)))
				return err
			case snippet:
				text, err := i.added(nil, s)
				fmt.Fprintf(p.Stdout, "%s", text)
				return err
			}
			if err := m.change(cmd.Context(), i, &s); err != nil || len(opts.Corpus) == 0 {
				return err
			}
			return remember(p, opts)
		},
	}
	cmd.Flags().BoolVar(&snippet, "print", false, "print the entry, for any other client")
	serve.Register(cmd.Flags())
	return cmd
}

// remember keeps the folders of --corpus for all commands.
func remember(p console.Process, opts *setup.Options) error {
	settings, err := opts.Settings(p)
	if err != nil {
		return err
	}
	name, err := settings.Remember()
	if err == nil {
		fmt.Fprintf(p.Stdout, "Folders for all commands: %s (%s).\n", console.OrNone(strings.Join(settings.Corpus, ", ")), name)
	}
	return err
}

// NewUninstall returns the command uninstall.
func NewUninstall(p console.Process) *cobra.Command {
	return &cobra.Command{
		Use:   "uninstall [CLIENT]",
		Short: "Remove citeloop from MCP clients",
		Long: `Remove what 'citeloop install' added, and nothing else. Without a client, remove it from all clients that have it. Loops,
texts and remembered folders stay in the data folder, which 'citeloop doctor' names; delete it to remove them.`,
		Example: `  citeloop uninstall
  citeloop uninstall claude-code`,
		Args: oneClient,
		RunE: func(cmd *cobra.Command, args []string) error {
			m := newMachine(p)
			all := slices.DeleteFunc(m.all(), func(i installation) bool {
				return len(args) == 0 && !i.entry.ours || len(args) > 0 && i.name != args[0]
			})
			if len(all) == 0 {
				fmt.Fprintln(p.Stdout, "No client has citeloop.")
			}
			for _, i := range all {
				if err := m.change(cmd.Context(), i, nil); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func oneClient(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return console.Usagef("unexpected argument %q: %s takes one client", args[1], cmd.Name())
	}
	if len(args) == 1 && !slices.Contains(names(), args[0]) {
		return console.Usagef("unknown client %q%s", args[0], console.SuggestOrList(args[0], names()))
	}
	return nil
}

// server returns how a client starts this program with the given flags. An entry of ours keeps its arguments if no flag for them is
// given, and its variables.
func (m machine) server(o *setup.Options, toolNames string, old entry) (Server, error) {
	s := Server{Command: m.self, Args: []string{"serve"}}
	if m.err != nil {
		return s, m.err
	}
	if _, err := o.Settings(m.p); err != nil {
		return s, err
	}
	data := cmp.Or(o.Data, m.p.Env("CITELOOP_DATA"))
	if full, err := filepath.Abs(data); err == nil && data != "" {
		data = full
	}
	if withPassword(o.Store) {
		return s, console.Usagef("--store contains a password, which would be readable in the client's file; put it into ~/.pgpass")
	}
	for _, flag := range [][2]string{{"--data", data}, {"--store", o.Store}, {"--log", o.Log}, {"--tools", toolNames}} {
		if flag[1] != "" {
			s.Args = append(s.Args, flag[0], flag[1])
		}
	}
	if old.ours {
		s.Env = old.Env
		if len(s.Args) == 1 && len(o.Corpus) == 0 {
			s.Args = old.Args
		}
	}
	return s, nil
}

// withPassword reports whether the address of a store has a password, or cannot be read.
func withPassword(store string) bool {
	u, err := url.Parse(store)
	if err != nil {
		return true
	}
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}
