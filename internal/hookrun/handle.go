package hookrun

import (
	"context"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// hookTime bounds one hook. The client waits for it, 20 s at most (hooks.json).
const hookTime = 12 * time.Second

// Handle records what a client's own tool touched, and checks what its model said last, if a loop is open in the session.
// The answer is empty for all else. An error means that nothing was recorded or checked; the client need not hear of it.
func Handle(ctx context.Context, svc *loops.Service, in Input) (hooks.Answer, error) {
	if in.Event.Name == hooks.SessionStarted {
		if in.Event.Source == "clear" {
			in.Session.Close()
		}
		return hooks.Answer{}, nil
	}
	h := hook{svc, in, in.Session.Loop()}
	if h.loop == "" {
		return hooks.Answer{}, nil
	}
	now, err := svc.Revision(ctx, h.loop)
	switch {
	case loopstate.Has(err, loopstate.CodeUnknownLoop): // deleted
		in.Session.Close()
		return hooks.Answer{}, nil
	case err != nil || now.Status == loopstate.StatusAborted:
		return hooks.Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, hookTime)
	defer cancel()
	switch in.Event.Name {
	case hooks.Stopped:
		return h.checkLast(ctx)
	case hooks.SubagentEnded:
		if in.Event.AgentType != "" { // else the client's own work, such as a compaction
			return h.checkLast(ctx)
		}
	case hooks.ToolUsed:
		touch := hooks.Touched(in.Event)
		if touch.Written != "" {
			return h.checkWritten(ctx, touch.Written)
		}
		if now.Status == loopstate.StatusRunning {
			return h.touch(ctx, touch)
		}
	}
	return hooks.Answer{}, nil
}

// leadChannel names the client's own search on the web among the channels of a loop.
const leadChannel = "client_web_search"

// touch records what a tool touched, and tells the model the ids of new sources.
func (h hook) touch(ctx context.Context, t hooks.Touch) (hooks.Answer, error) {
	if len(t.Leads) > 0 { // nobody has read them
		in := loopstate.UpdateInput{Query: t.Query, Channel: leadChannel}
		for _, lead := range t.Leads {
			in.Evidence = append(in.Evidence, loopstate.Evidence{Title: lead.Title, URL: lead.URL, Source: leadChannel})
		}
		if _, err := h.Update(ctx, h.loop, "", in); err != nil {
			return hooks.Answer{}, fmt.Errorf("hookrun: keep the results of a client's search: %w", err)
		}
	}
	var fresh []hooks.Source
	changed := ""
	for _, f := range t.Files {
		src, line, err := h.file(ctx, f)
		if err != nil {
			return hooks.Answer{}, err
		}
		if src.ID != "" {
			fresh = append(fresh, src)
		}
		if changed == "" {
			changed = line
		}
	}
	if len(t.Pages) > 0 {
		read, err := h.pages(ctx, t.Pages)
		if err != nil {
			return hooks.Answer{}, err
		}
		fresh = append(fresh, read...)
	}
	line := hooks.Line(h.Event.Dir, fresh)
	if line == "" {
		line = changed
	}
	return hooks.Answer{Model: h.Session.Tell(line)}, nil
}
