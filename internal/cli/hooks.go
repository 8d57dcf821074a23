package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/hooks"
)

func newHooks(p Process, opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hooks",
		Short: "Show and change what hooks of Claude Code, Codex and Gemini CLI record",
		Long: `Show whether hooks of Claude Code, Codex and Gemini CLI record what these clients read themselves while a loop is open,
and check their final texts. The plugin installs the hooks; docs/hooks.md says what is recorded. The settings are in hooks.json
in the data folder, and hold from the next call on.`,
		Args: onlySubcommands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := opts.settings(p)
			if err != nil {
				return err
			}
			set, err := s.hookSettings()
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

func newHooksSwitch(p Process, opts *options, word string, off bool) *cobra.Command {
	short := "Let hooks record and check"
	if off {
		short = "Let hooks record and check nothing"
	}
	return &cobra.Command{
		Use:   word,
		Short: short,
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			return changeHookSettings(p, opts, func(set *hooks.Settings) error {
				set.Off = off
				_, err := fmt.Fprintf(p.Stdout, "hooks are %s\n", word)
				return err
			})
		},
	}
}

func newHooksSecrets(p Process, opts *options) *cobra.Command {
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
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			show := func(set *hooks.Settings) error {
				_, err := fmt.Fprintln(p.Stdout, strings.Join(set.Never(), "\n"))
				return err
			}
			if len(add)+len(remove) == 0 {
				s, err := opts.settings(p)
				if err != nil {
					return err
				}
				set, err := s.hookSettings()
				if err != nil {
					return err
				}
				return show(&set)
			}
			return changeHookSettings(p, opts, func(set *hooks.Settings) error {
				for _, pattern := range add {
					if !hooks.CheckPattern(pattern) {
						return usageError{fmt.Errorf("invalid --add %q: use a name such as '*.key', or a folder such as private/", pattern)}
					}
					set.Add(pattern)
				}
				for _, pattern := range remove {
					if !set.Remove(pattern) {
						return usageError{fmt.Errorf("unknown --remove %q: 'citeloop hooks secrets' lists the patterns", pattern)}
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

// hookSettingsFile is the file of the settings of hooks in the data folder.
const hookSettingsFile = "hooks.json"

// hookSettings reads the settings of hooks. CITELOOP_HOOKS=off switches them off for one process.
func (s settings) hookSettings() (hooks.Settings, error) {
	data, err := readAtMost(filepath.Join(s.dataDir, hookSettingsFile), hooks.MaxSettingsBytes+1)
	if errors.Is(err, fs.ErrNotExist) {
		return hooks.Settings{Off: s.noHooks}, nil
	}
	if err != nil {
		return hooks.Settings{}, err
	}
	set, err := hooks.ParseSettings(data)
	if err != nil {
		return set, fmt.Errorf("%s: %w; correct or delete the file", filepath.Join(s.dataDir, hookSettingsFile), err)
	}
	set.Off = set.Off || s.noHooks
	return set, nil
}

func changeHookSettings(p Process, opts *options, change func(*hooks.Settings) error) error {
	s, err := opts.settings(p)
	if err != nil {
		return err
	}
	s.noHooks = false // the file has the setting for all processes
	set, err := s.hookSettings()
	if err != nil {
		return err
	}
	if err := change(&set); err != nil {
		return err
	}
	return writeState(s.dataDir, hookSettingsFile, set)
}

// readAtMost reads a file, or the beginning of a longer one.
func readAtMost(path string, bytes int64) ([]byte, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, bytes))
}

// writeState writes a value as JSON into a file that other processes read, whole or not at all.
func writeState(dir, name string, value any) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+name+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(writeJSON(f, value), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
