package loops

import (
	"context"
	"errors"
	"strconv"

	"github.com/citeloop/citeloop/internal/verify"
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
	var err error
	if in.Round == 0 {
		err = s.view(ctx, in.Loop, look)
	} else if st, failed := s.Snapshot(ctx, in.Loop, in.Round); failed != nil {
		err = failed
	} else {
		err = look(st)
	}
	if err != nil {
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
		text, err := s.storedText(ctx, "the synthesis", synthesis)
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

// eventsPage sets a page of the log up to the version of the view.
func (s *Service) eventsPage(ctx context.Context, v *View, in ViewInput) error {
	var events []loopstate.Event
	for e, err := range s.Store.Load(ctx, in.Loop, 0) {
		if err != nil {
			return err
		}
		if e.Seq > v.Version {
			break
		}
		if e.Kind == loopstate.KindReviewOpened { // it tells which items are planted
			e.Data = nil
		}
		events = append(events, e)
	}
	var err error
	v.Events, v.NextCursor, err = Page(events, in.Cursor, AnswerTokens-ViewTokens)
	return err
}

// Heads returns the heads of the caller's loops, last changed first.
func (s *Service) Heads(ctx context.Context) ([]loopstate.Head, error) {
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	return s.Store.List(ctx, owner)
}

// Revision returns the number of the last event of one of the caller's loops.
func (s *Service) Revision(ctx context.Context, loop string) (int64, error) {
	return peek(ctx, s, loop, func(st *loopstate.State) int64 { return st.Seq })
}

// Sources returns the sources of a loop in the order in which they were read.
func (s *Service) Sources(ctx context.Context, loop string) ([]loopstate.Source, error) {
	return peek(ctx, s, loop, func(st *loopstate.State) []loopstate.Source { return append([]loopstate.Source{}, st.Sources...) })
}

// SourceText returns a source with its stored text.
func (s *Service) SourceText(ctx context.Context, loop, id string) (src loopstate.Source, text *verify.Text, err error) {
	src, err = peek(ctx, s, loop, func(st *loopstate.State) loopstate.Source {
		src, _ := st.SourceByID(id)
		return src
	})
	if err == nil && src.ID == "" {
		err = unreadSource("source", id)
	}
	if err == nil {
		text, err = s.text(ctx, src)
	}
	return src, text, err
}

func unreadSource(subject, id string) error {
	return &loopstate.Error{Code: loopstate.CodeUnreadSource, Subject: subject, Value: loopstate.Shorten(id, 60)}
}
