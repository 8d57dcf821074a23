package loops

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Views returns the names of all views.
func Views() []string {
	return []string{"brief", "full", "rounds", "sources", "claims", "searches", "critic", "events"}
}

// ViewInput selects a view. Round 0 is now; another round is the loop at the end of that round.
type ViewInput struct {
	Loop   string
	View   string
	Round  int
	Cursor string
}

// State returns a view of a loop.
func (s *Service) State(ctx context.Context, in ViewInput) (View, error) {
	if in.View == "" {
		in.View = "brief"
	}
	if err := loopstate.CheckOneOf("view", in.View, Views()); err != nil {
		return View{}, err
	}
	var out View
	var synthesis string
	look := func(st *loopstate.State) (err error) {
		synthesis = st.Synthesis
		out, err = viewOf(st, in.View, in.Cursor)
		return err
	}
	if in.Round == 0 {
		if err := s.view(ctx, in.Loop, look); err != nil {
			return out, err
		}
	} else if st, err := s.Snapshot(ctx, in.Loop, in.Round); err != nil {
		return out, err
	} else if err := look(st); err != nil {
		return out, err
	}
	switch in.View {
	case "brief":
		out.Folder = s.Folder(ctx, in.Loop)
	case "critic":
		return out, s.criticPage(ctx, &out, in.Cursor)
	case "events":
		return out, s.eventsPage(ctx, &out, in)
	case "full":
		text, err := s.synthesis(ctx, synthesis)
		out.Loop.Synthesis = loopstate.Shorten(text, MaxSynthesisShown)
		return out, err
	}
	return out, nil
}

// Snapshot returns the state of a loop as it is now (round 0), or as it was at the end of a round, by replaying the log. The
// caller may keep it and change it.
func (s *Service) Snapshot(ctx context.Context, loop string, round int) (*loopstate.State, error) {
	closed, err := peek(ctx, s, loop, func(st *loopstate.State) int { return st.Round })
	if err != nil {
		return nil, err
	}
	if round < 0 || round > closed {
		return nil, &loopstate.Error{Code: loopstate.CodeRoundOpen, Subject: "round", Value: strconv.Itoa(round), Limit: int64(closed)}
	}
	var st *loopstate.State
	for e, err := range s.Store.Load(ctx, loop, 0) {
		if err == nil {
			st, err = loopstate.Apply(st, e)
		}
		if errors.Is(err, loopstate.ErrNotFound) {
			return nil, unknownLoop()
		}
		if err != nil {
			return nil, err
		}
		if round > 0 && st.Round == round {
			break
		}
	}
	if st == nil { // deleted in the meantime
		return nil, unknownLoop()
	}
	return st, nil
}

// begun returns the state of a loop without an id that has just begun.
func begun(p loopstate.Started, now time.Time) (*loopstate.State, error) {
	e, err := loopstate.NewEvent("", 1, now, "", p)
	if err != nil {
		return nil, err
	}
	return loopstate.Apply(nil, e)
}

// eventsPage sets a page of the log up to the version of the view.
func (s *Service) eventsPage(ctx context.Context, v *View, in ViewInput) error {
	var events []loopstate.Event
	var err error
	for e, failed := range s.Store.Load(ctx, in.Loop, 0) {
		if failed != nil {
			return failed
		}
		if e.Seq > v.Version {
			break
		}
		if e, err = loopstate.WithoutRoles(e); err != nil {
			return err
		}
		events = append(events, e)
	}
	v.Events, v.NextCursor, err = Page(events, in.Cursor, AnswerTokens-ViewTokens)
	return err
}
