package loops

import (
	"context"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/loopstate"
)

// OpenedReader reads the user's own files; *fetch.Reader implements it.
type OpenedReader interface {
	ReadOpened(ctx context.Context, path string) fetch.Page            // that the user's client has read
	ReadSent(ctx context.Context, name string, body []byte) fetch.Page // that the user sent
}

// HookInput is what a hook of a client reports.
type HookInput struct {
	Event   hooks.Event
	Session *hooks.Session
	Never   hooks.Never // files that are not recorded
}

// hookTime bounds one hook. The client waits for it, 20 s at most (hooks.json).
const hookTime = 12 * time.Second

// Hook records what a client's own tool touched, and checks what its model said last, if a loop is open in the session. The
// answer is empty for all else. An error means that nothing was recorded or checked; the client need not hear of it.
func (s *Service) Hook(ctx context.Context, in HookInput) (hooks.Answer, error) {
	e := in.Event
	if e.Name == hooks.SessionStarted {
		if e.Source == "clear" {
			in.Session.Close()
		}
		return hooks.Answer{}, nil
	}
	loop := in.Session.Loop()
	if loop == "" {
		return hooks.Answer{}, nil
	}
	status := ""
	err := s.view(ctx, loop, func(st *loopstate.State) error { status = st.Status(); return nil })
	switch {
	case loopstate.Has(err, loopstate.CodeUnknownLoop): // deleted
		in.Session.Close()
		return hooks.Answer{}, nil
	case err != nil || status == loopstate.StatusAborted:
		return hooks.Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, hookTime)
	defer cancel()
	switch e.Name {
	case hooks.Stopped:
		return s.checkLast(ctx, in, loop)
	case hooks.SubagentEnded:
		if e.AgentType == "" {
			return hooks.Answer{}, nil // the client's own work, such as a compaction
		}
		return s.checkLast(ctx, in, loop)
	case hooks.ToolUsed:
		touch := hooks.Touched(e)
		if touch.Written != "" {
			return s.checkWritten(ctx, in, loop, touch.Written)
		}
		if status != loopstate.StatusRunning {
			return hooks.Answer{}, nil
		}
		return s.touch(ctx, in, loop, touch)
	}
	return hooks.Answer{}, nil
}

// touch records what a tool touched, and tells the model the ids of new sources.
func (s *Service) touch(ctx context.Context, in HookInput, loop string, t hooks.Touch) (hooks.Answer, error) {
	if len(t.Leads) > 0 {
		if err := s.keepLeads(ctx, loop, t); err != nil {
			return hooks.Answer{}, err
		}
	}
	var fresh []hooks.Source
	changed := ""
	for _, f := range t.Files {
		src, line, err := s.touchFile(ctx, in, loop, f)
		if err != nil {
			return hooks.Answer{}, err
		}
		if changed == "" {
			changed = line
		}
		if src.ID != "" {
			fresh = append(fresh, src)
		}
	}
	if len(t.Pages) > 0 {
		read, err := s.touchPages(ctx, loop, t.Pages)
		if err != nil {
			return hooks.Answer{}, err
		}
		fresh = append(fresh, read...)
	}
	line := hooks.Line(in.Event.Dir, fresh)
	if line == "" {
		line = changed
	}
	return hooks.Answer{Model: in.Session.Tell(line)}, nil
}

// keepLeads records the results of a client's own search. Nobody has read them.
func (s *Service) keepLeads(ctx context.Context, loop string, t hooks.Touch) error {
	var found []loopstate.Evidence
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		for _, lead := range t.Leads {
			e := loopstate.Evidence{Title: lead.Title, URL: lead.URL, Source: leadChannel}
			if _, known := st.SeenEvidence(e); !known {
				found = append(found, e)
			}
		}
		return nil
	})
	if err != nil || len(found) == 0 {
		return err
	}
	if _, err = s.Update(ctx, loop, "", loopstate.UpdateInput{Query: t.Query, Channel: leadChannel, Evidence: found}); err != nil {
		return fmt.Errorf("loops: keep the results of a client's search: %w", err)
	}
	return nil
}

// leadChannel names the client's own search on the web among the channels of a loop.
const leadChannel = "client_web_search"
