package loops

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/loopstate"
)

// MaxSpanChars is the longest stretch of a stored text that one read answers, in code points: about 200 pages,
// and within the 500,000 characters of a result that Claude Code takes at most.
const MaxSpanChars = 400_000

// Heads are all of the caller's loops in short, last changed first.
func (s *Service) Heads(ctx context.Context) ([]loopstate.Head, error) {
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	return s.Store.Loops(ctx, owner)
}

// Pulse is how far a loop has come: what was made from an older one may be out of date.
type Pulse struct {
	Version int64 // the number of its last event
	Round   int   // rounds closed
}

// Pulse says how far a loop of the caller's has come.
func (s *Service) Pulse(ctx context.Context, loop string) (Pulse, error) {
	var p Pulse
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		p = Pulse{Version: st.Seq, Round: st.Round}
		return nil
	})
	return p, err
}

// Follow sends a number when a loop of the caller's may have changed, as [loopstate.Store.Watch] does, until
// ctx ends. It is a hint: Pulse is the truth.
func (s *Service) Follow(ctx context.Context, loop string) (<-chan int64, error) {
	if _, err := s.Pulse(ctx, loop); err != nil {
		return nil, err
	}
	return s.Store.Watch(ctx, loop), nil
}

// Rounds is the whole rounds table of a loop.
func (s *Service) Rounds(ctx context.Context, loop string) ([]loopstate.Round, error) {
	rounds := []loopstate.Round{}
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		rounds = append(rounds, st.Rounds...)
		return nil
	})
	return rounds, err
}

// Sources are all the sources of a loop, in the order in which they were read.
func (s *Service) Sources(ctx context.Context, loop string) ([]loopstate.Source, error) {
	sources := []loopstate.Source{}
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		sources = append(sources, st.Sources...)
		return nil
	})
	for i := range sources {
		sources[i].Sketch = "" // for citeloop's own use
	}
	return sources, err
}

// ReportText is the report of the recorded claims in one of report's formats. It is refused when they do not pass.
func (s *Service) ReportText(ctx context.Context, loop, format string) (string, error) {
	doc, err := s.Report(ctx, ReportInput{Loop: loop})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := report.Write(&out, format, doc); err != nil {
		return "", fmt.Errorf("loops: writing the report: %w", err)
	}
	return out.String(), nil
}

// Source is one source of a loop, without its text.
func (s *Service) Source(ctx context.Context, loop, id string) (loopstate.Source, error) {
	var src loopstate.Source
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		var ok bool
		if src, ok = st.SourceByID(id); ok {
			return nil
		}
		return unreadSource("source", id)
	})
	src.Sketch = ""
	return src, err
}

// Span is a stretch of a source's stored text.
type Span struct {
	loopstate.Source
	Start, End int    // code points of the stored text; End is one beyond
	Text       string // that stretch
}

// Cut reports whether the stored text goes on after the span.
func (s Span) Cut() bool { return s.End < s.Chars }

// ReadSpan reads the stored text of a source from start up to end, at most [MaxSpanChars] of it. An end of 0 is
// the text's own, and one beyond that too. The stretch counts as shown to the host.
func (s *Service) ReadSpan(ctx context.Context, loop, id string, start, end int) (Span, error) {
	src, err := s.Source(ctx, loop, id)
	if err != nil {
		return Span{}, err
	}
	if err := CheckSpan(src, start, end); err != nil {
		return Span{}, err
	}
	text, err := s.text(ctx, src)
	if err != nil {
		return Span{}, err
	}
	if src.Chars = utf8.RuneCountInString(text); end == 0 || end > src.Chars {
		end = src.Chars
	}
	end = min(end, start+MaxSpanChars)
	if err := s.enter(ctx, loop, []loopstate.ShownText{{SourceID: id, Spans: loopstate.Spans{{start, end}}}}); err != nil {
		return Span{}, err
	}
	return Span{Source: src, Start: start, End: end, Text: text[runeOffset(text, start):runeOffset(text, end)]}, nil
}

// CheckSpan reports what is wrong with a span of a source's text, or nil. An end of 0 is the text's own.
func CheckSpan(src loopstate.Source, start, end int) error {
	if start < 0 || end < 0 || start > 0 && start >= src.Chars || end > 0 && end <= start {
		return &loopstate.Error{Code: loopstate.CodeBadSpan, Subject: "span", Value: fmt.Sprintf("%d to %d", start, end), Limit: int64(src.Chars)}
	}
	return nil
}

// runeOffset is the byte at which a code point begins; the text's length when it has fewer.
func runeOffset(text string, chars int) int {
	for i := range text {
		if chars == 0 {
			return i
		}
		chars--
	}
	return len(text)
}

// CompleteSource lists the sources of a loop whose id begins with what was typed or whose title has all of its
// words, last read first: at most limit ids, and how many there are.
func (s *Service) CompleteSource(ctx context.Context, loop, typed string, limit int) (ids []string, total int, err error) {
	typed = strings.ToLower(strings.TrimSpace(typed))
	words := strings.Fields(typed)
	err = s.view(ctx, loop, func(st *loopstate.State) error {
		for i := len(st.Sources) - 1; i >= 0; i-- {
			src := &st.Sources[i]
			if !strings.HasPrefix(strings.ToLower(src.ID), typed) && !hasWords(strings.ToLower(src.Title), words) {
				continue
			}
			if total++; len(ids) < limit {
				ids = append(ids, src.ID)
			}
		}
		return nil
	})
	return ids, total, err
}

func hasWords(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func unreadSource(subject, id string) error {
	return &loopstate.Error{Code: loopstate.CodeUnreadSource, Subject: subject, Value: shorten(id, 60)}
}
