package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/hookrun"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/loops"
)

func newHooks(p console.Process, opts *setup.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hooks",
		Short: "Show and change what hooks of Claude Code, Codex and Gemini CLI record",
		Long: `Show whether hooks of Claude Code, Codex and Gemini CLI record what these clients read themselves while a loop is open,
and check their final texts. The plugin installs the hooks; docs/hooks.md says what is recorded. The settings are in hooks.json
in the data folder, and hold from the next call on.`,
		Args: console.OnlySubcommands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			set, err := s.HookSettings()
			if err != nil {
				return err
			}
			state := "on"
			if set.Off {
				state = "off"
			}
			_, err = fmt.Fprintf(p.Stdout, "hooks are %s; %d patterns of files that are never recorded ('citeloop hooks secrets' lists them)\n", state, len(set.Never()))
			return err
		},
	}
	cmd.AddCommand(newHooksSwitch(p, opts, "on", false), newHooksSwitch(p, opts, "off", true), newHooksSecrets(p, opts), newHooksRun(p, opts))
	return cmd
}

func newHooksSwitch(p console.Process, opts *setup.Options, word string, off bool) *cobra.Command {
	short := "Let hooks record and check"
	if off {
		short = "Let hooks record and check nothing"
	}
	return &cobra.Command{
		Use:   word,
		Short: short,
		Args:  console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			return changeHookSettings(p, opts, func(set *hooks.Settings) error {
				set.Off = off
				_, err := fmt.Fprintf(p.Stdout, "hooks are %s\n", word)
				return err
			})
		},
	}
}

func newHooksSecrets(p console.Process, opts *setup.Options) *cobra.Command {
	var add, remove []string
	cmd := &cobra.Command{
		Use:   "secrets",
		Short: "List the files that are never recorded, or change the list",
		Long: `List the patterns of files that hooks never record: keys, passwords, and the clients' own folders. A pattern that ends in /
names a folder anywhere in a path, one with another / the end of a path, and any other a file. Case does not count. What a
.gitignore excludes by a rule with a word such as secret, token or .env is never recorded either.`,
		Example: `  citeloop hooks secrets
  citeloop hooks secrets --add '*.payroll.csv' --add hr/
  citeloop hooks secrets --remove 'secret*'`,
		Args: console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			show := func(set *hooks.Settings) error {
				_, err := fmt.Fprintln(p.Stdout, strings.Join(set.Never(), "\n"))
				return err
			}
			if len(add)+len(remove) == 0 {
				s, err := opts.Settings(p)
				if err != nil {
					return err
				}
				set, err := s.HookSettings()
				if err != nil {
					return err
				}
				return show(&set)
			}
			return changeHookSettings(p, opts, func(set *hooks.Settings) error {
				for _, pattern := range add {
					if !hooks.CheckPattern(pattern) {
						return console.Usagef("invalid --add %q: use a name such as '*.key', or a folder such as private/", pattern)
					}
					set.Add(pattern)
				}
				for _, pattern := range remove {
					if !set.Remove(pattern) {
						return console.Usagef("unknown --remove %q: 'citeloop hooks secrets' lists the patterns", pattern)
					}
				}
				return show(set)
			})
		},
	}
	cmd.Flags().StringArrayVar(&add, "add", nil, "pattern to add; repeatable")
	cmd.Flags().StringArrayVar(&remove, "remove", nil, "pattern to remove; repeatable")
	return cmd
}

func changeHookSettings(p console.Process, opts *setup.Options, change func(*hooks.Settings) error) error {
	s, err := opts.Settings(p)
	if err != nil {
		return err
	}
	s.NoHooks = false // the file has the setting for all processes
	set, err := s.HookSettings()
	if err != nil {
		return err
	}
	if err := change(&set); err != nil {
		return err
	}
	return safefile.WriteState(s.DataDir, setup.HookSettingsFile, set)
}

func newHooksRun(p console.Process, opts *setup.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "run",
		Short: "Answer a hook of a client; its input is on stdin",
		Long: `Read the input of a hook on stdin and answer it on stdout. It always exits with status 0: a hook must not disturb a
conversation. The extension for Gemini CLI runs this. Claude Code and Codex call the running server instead.`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			answer := []byte("{}")
			s, err := opts.Settings(p)
			if err == nil {
				answer, err = runHook(cmd.Context(), p, s)
			}
			if err != nil {
				fmt.Fprintf(p.Stderr, "citeloop: the hook did nothing: %v\n", err)
			}
			_, err = p.Stdout.Write(append(answer, '\n'))
			return err
		},
	}
}

// hookSessions is the folder of the sessions of hooks in the data folder.
const hookSessions = "hooks"

// sessionAge is how long a session is kept (chosen: nobody resumes an older one).
const sessionAge = 30 * 24 * time.Hour

var sessionID = lazyregexp.New(`^[A-Za-z0-9_-]{1,100}$`)

// runHook answers a hook. It opens the store only if a loop is open in the session.
func runHook(ctx context.Context, p console.Process, s setup.Settings) (answer []byte, err error) {
	answer = []byte("{}")
	raw, err := io.ReadAll(io.LimitReader(p.Stdin, hooks.MaxEventBytes+1))
	if err != nil {
		return answer, err
	}
	event, err := hooks.Parse(raw)
	if err != nil || !sessionID.MatchString(event.Session) {
		return answer, err
	}
	set, err := s.HookSettings()
	if err != nil || set.Off {
		return answer, err
	}
	dir, name := filepath.Join(s.DataDir, hookSessions), event.Session+".json"
	var session hooks.Session
	known, err := safefile.ReadAtMost(filepath.Join(dir, name), 1<<20)
	if err == nil && json.Unmarshal(known, &session) != nil {
		session.Close() // damaged: as if no loop were open
	}
	if event.Name == hooks.ToolUsed && strings.Contains(event.Tool, "citeloop") {
		if loop := hooks.Loop(raw); loop != "" && loop != session.Loop() {
			session.Open(loop)
			safefile.RemoveOld(dir, sessionAge, func(string) bool { return true }) // which nobody will resume
			return answer, safefile.WriteState(dir, name, &session)
		}
		return answer, nil
	}
	if session.Loop() == "" {
		return answer, nil
	}
	s.Owner = loops.LocalOwner
	svc, err := setup.Assemble(ctx, s)
	if err != nil {
		return answer, err
	}
	defer svc.Close()
	said, err := hookrun.Handle(ctx, svc.Service, hookrun.Input{Event: event, Session: &session, Never: set.Never()})
	if err != nil {
		return answer, err
	}
	return hooks.Encode(event, said), safefile.WriteState(dir, name, &session)
}
