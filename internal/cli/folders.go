package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/clients"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
)

func newLoopsFolder(p console.Process, opts *setup.Options) *cobra.Command {
	var hook bool
	cmd := &cobra.Command{
		Use:   "folder ID",
		Short: "Print the path of a loop's folder: its index, the text of each source, and its reports",
		Long: `Print the path of a loop's folder: index.md, the text of each source as S1.md, S2.md and so on, and the reports. Line 120 of
S1.md is what [S1:120] cites. What is missing there is written first. The folder is a view: changes in it change nothing.

With --hook, read the input of a Claude Code hook on stdin, for a permission that the user is about to be asked for. If it
is to read a file in the folder of a loop, allow it, and the others there until the session ends. Otherwise print nothing,
and the user is asked. The plugin for Claude Code runs this.`,
		Example: `  grep -n latency "$(citeloop loops folder 0199c1d2)"/S*.md`,
		Args: func(cmd *cobra.Command, args []string) error {
			if hook {
				return console.NoArguments(cmd, args)
			}
			return oneLoop(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if hook {
				return allowReading(p, opts)
			}
			return setup.WithLoop(cmd.Context(), p, opts, args[0], func(svc *loops.Service, id string) error {
				path, err := svc.Folder(cmd.Context(), id)
				switch {
				case err != nil:
					return fmt.Errorf("the folder of loop %s cannot be written: %w", id, err)
				case path == "":
					return errors.New("this loop has no folder: --folders is off, or its store is shared")
				}
				_, err = fmt.Fprintln(p.Stdout, path)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&hook, "hook", false, "read the input of a Claude Code hook on stdin")
	return cmd
}

// rootOf returns the folder that contains those of the loops, or "none".
func rootOf(svc *loops.Service) string {
	if svc.Folders == nil {
		return console.OrNone("")
	}
	return console.OrNone(svc.Folders.Root())
}

// folderProblem returns the problem of folders that cannot be written, or nil.
func folderProblem(svc *loops.Service) *clients.SetupProblem {
	if svc.Folders == nil {
		return nil
	}
	err := svc.Folders.Check()
	if err == nil {
		return nil
	}
	return &clients.SetupProblem{What: fmt.Sprintf("the folders of your loops in %s cannot be written: %v", svc.Folders.Root(), err), Remedy: "make it writable, or choose another place with --folders"}
}

// allowReading answers a PermissionRequest hook of Claude Code. Only its own tools for reading are allowed, whose input is
// one path; a command of a shell could do more than read. The rule that comes with the answer lets also commands read there.
func allowReading(p console.Process, opts *setup.Options) error {
	var in struct {
		Event string `json:"hook_event_name"`
		Tool  string `json:"tool_name"`
		Input struct {
			File string `json:"file_path"`
			Path string `json:"path"`
		} `json:"tool_input"`
	}
	if err := json.NewDecoder(io.LimitReader(p.Stdin, 1<<20)).Decode(&in); err != nil {
		return fmt.Errorf("invalid hook input: %w", err)
	}
	s, err := opts.Settings(p)
	if err != nil {
		return err
	}
	folders, err := setup.OpenFolders(s)
	if err != nil || folders == nil || folders.Root() == "" || in.Event != "PermissionRequest" {
		return err
	}
	path := ""
	switch in.Tool {
	case "Read":
		path = in.Input.File
	case "Grep", "Glob":
		path = in.Input.Path
	}
	rule, ok := install.ReadRule(folders.Root())
	if !ok || !safefile.Within(folders.Root(), path) {
		return nil
	}
	type object = map[string]any
	return console.WriteJSON(p.Stdout, object{"hookSpecificOutput": object{"hookEventName": in.Event, "decision": object{"behavior": "allow", "updatedPermissions": []object{{
		"type": "addRules", "rules": []object{{"toolName": "Read", "ruleContent": rule}}, "behavior": "allow", "destination": "session"}}}}})
}
