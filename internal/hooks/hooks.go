// Package hooks answers two hooks of Claude Code and Codex. After a compaction, it gives the model the brief of the loop that the
// conversation works on. At the end of a turn, it checks the last message, if that cites and a loop is open.
//
// A hook runs unasked. So it reads the conversation's transcript only to find the loop's id, requests no address, opens no
// cited file, and records nothing.
package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Client is a program that runs hooks. They differ in how a hook makes the model continue.
type Client string

// The clients.
const (
	ClaudeCode Client = "claude-code"
	Codex      Client = "codex"
)

// Event is the input of a hook.
type Event struct {
	Name       string `json:"hook_event_name"`
	Source     string `json:"source"` // of SessionStart: startup, resume, clear or compact
	Transcript string `json:"transcript_path"`
	Last       string `json:"last_assistant_message"`
	Active     bool   `json:"stop_hook_active"` // the model already continued because of a hook
}

const (
	maxEventBytes = 4 << 20 // chosen: the longest last message is far shorter
	maxListChars  = 2_000   // of the errors that the model is told
	maxErrorChars = 200     // of one of them
)

// Read reads the input of a hook.
func Read(in io.Reader) (Event, error) {
	raw, err := io.ReadAll(io.LimitReader(in, maxEventBytes+1))
	if err != nil {
		return Event{}, err
	}
	if len(raw) > maxEventBytes {
		return Event{}, fmt.Errorf("hook input too long: more than %d bytes", maxEventBytes)
	}
	var e Event
	if err := json.Unmarshal(raw, &e); err != nil {
		return Event{}, fmt.Errorf("invalid hook input: %w", err)
	}
	return e, nil
}

// Relevant reports whether an event may need an answer, so that the store is opened for no other.
func (e Event) Relevant() bool {
	switch e.Name {
	case "SessionStart":
		return e.Source == "compact" && e.Transcript != ""
	case "Stop":
		return e.Transcript != "" && (strings.ContainsAny(e.Last, "[(") || strings.Contains(e.Last, "://"))
	}
	return false
}

// Answer returns what a hook prints, or nothing. brief writes the brief of a loop.
func Answer(ctx context.Context, svc *loops.Service, client Client, e Event, brief func(loops.View) (string, error)) ([]byte, error) {
	if !e.Relevant() {
		return nil, nil
	}
	heads, err := svc.Store.List(ctx, loops.OwnerOf(ctx))
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, h := range heads {
		known[h.Loop] = h.Status != loopstate.StatusAborted
	}
	loop, err := lastLoop(e.Transcript, known)
	if err != nil || loop == "" {
		return nil, err
	}
	if e.Name == "Stop" {
		return checkLast(ctx, svc, client, loop, e)
	}
	v, err := svc.State(ctx, loops.ViewInput{Loop: loop})
	if err != nil {
		return nil, err
	}
	text, err := brief(v)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "Before its compaction, this conversation worked on citeloop's loop %s. citeloop has stored all of it. To "+
		"continue, use its tools with this state_id.\n\n%s", loop, text), nil
}

// checkLast checks the last message. The model is told its errors once, the user the verdict.
func checkLast(ctx context.Context, svc *loops.Service, client Client, loop string, e Event) ([]byte, error) {
	v, cites, err := svc.CheckAnswer(ctx, loop, e.Last)
	if loopstate.Has(err, loopstate.CodeUnknownLoop) || errors.Is(err, context.Canceled) {
		return nil, nil
	}
	if err != nil || !cites {
		return nil, err
	}
	errs := v.Errors()
	switch {
	case len(errs) == 0 || e.Active:
		return json.Marshal(map[string]any{"systemMessage": "citeloop: " + v.Cause()})
	case client == Codex:
		return json.Marshal(map[string]any{"decision": "block", "reason": list(errs)})
	}
	// A reason would be sent twice.
	return json.Marshal(map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": e.Name, "additionalContext": list(errs)}})
}

// list tells the model the errors of its message and what to do, in at most maxListChars code points.
func list(errs []verify.Blocked) string {
	const (
		begin = "citeloop checked your last message against the texts of this loop. Correct these, then give the whole message again:"
		end   = "\nA sentence needs a citation of lines such as [S1:120], a correction, or [inference] behind it if it is your own " +
			"reasoning. Keep your other words."
	)
	out := begin
	left := maxListChars - len(begin) - len(end) - len("\n- and 9999 more")
	for i, e := range errs {
		item := []rune(strings.Join(strings.Fields(e.String()), " "))
		item = item[:min(len(item), maxErrorChars)]
		if left -= len("\n- ") + len(item); left < 0 {
			return out + fmt.Sprintf("\n- and %d more", len(errs)-i) + end
		}
		out += "\n- " + string(item)
	}
	return out + end
}
