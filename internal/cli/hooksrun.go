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
