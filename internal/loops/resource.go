package loops

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// Heads returns the heads of the caller's loops, last changed first.
func (s *Service) Heads(ctx context.Context) ([]loopstate.Head, error) {
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	return s.Store.List(ctx, owner)
}

// Revision identifies the current state of a loop.
type Revision struct {
	Version int64  // number of the last event
	Round   int    // number of closed rounds
	Status  string // see [loopstate.State.Status]
}

// Revision returns the revision of one of the caller's loops.
func (s *Service) Revision(ctx context.Context, loop string) (Revision, error) {
	return peek(ctx, s, loop, func(st *loopstate.State) Revision {
		return Revision{Version: st.Seq, Round: st.Round, Status: st.Status()}
	})
}

// Sources returns the sources of a loop in the order in which they were read.
func (s *Service) Sources(ctx context.Context, loop string) ([]loopstate.Source, error) {
	return peek(ctx, s, loop, func(st *loopstate.State) []loopstate.Source { return append([]loopstate.Source{}, st.Sources...) })
}

// Span is a part of a source's stored text.
type Span struct {
	loopstate.Source
	Start, End int // code points, half open
	Line       int // of the first character
	Text       string
}

// Cut reports whether the stored text continues after the span.
func (s Span) Cut() bool { return s.End < s.Chars }

// ReadSpan returns the stored text of a source from start to end in code points. An end of 0 or beyond the text is
// the end of the text.
func (s *Service) ReadSpan(ctx context.Context, loop, id string, start, end int) (Span, error) {
	var src loopstate.Source
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		var ok bool
		if src, ok = st.SourceByID(id); !ok {
			return unreadSource("source", id)
		}
		return nil
	})
	if err != nil {
		return Span{}, err
	}
	if start < 0 || end < 0 || start > 0 && start >= src.Chars || end > 0 && end <= start {
		return Span{}, &loopstate.Error{Code: loopstate.CodeBadSpan, Subject: "span", Value: fmt.Sprintf("%d to %d", start, end),
			Limit: int64(src.Chars)}
	}
	text, err := s.text(ctx, src)
	if err != nil {
		return Span{}, err
	}
	chars := []rune(text)
	if src.Chars = len(chars); end == 0 || end > src.Chars {
		end = src.Chars
	}
	return Span{Source: src, Start: start, End: end, Line: 1 + strings.Count(string(chars[:start]), "\n"),
		Text: string(chars[start:end])}, nil
}

func unreadSource(subject, id string) error {
	return &loopstate.Error{Code: loopstate.CodeUnreadSource, Subject: subject, Value: loopstate.Shorten(id, 60)}
}
