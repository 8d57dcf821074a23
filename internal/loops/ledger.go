package loops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// The loop's read ledger (loopstate/shown.go) records what answers show to the host: in the event of the call, or in an
// extra event if the call has none. A call that shows nothing new appends nothing.

// shownOf returns what an answer shows of each page, by source id. fresh are the sources of the new event.
func shownOf(st *loopstate.State, fresh []loopstate.Source, pages []PageOutcome, spans []loopstate.Spans) []loopstate.ShownText {
	ids := make(map[string]string, len(fresh))
	for _, src := range fresh {
		ids[src.Key] = src.ID
	}
	var shown []loopstate.ShownText
	for i, p := range pages {
		if p.Status != fetch.StatusRead || i >= len(spans) {
			continue
		}
		id := ids[p.Key]
		if src, ok := st.SourceByKey(p.Key); ok {
			id = src.ID
		}
		shown = append(shown, loopstate.ShownText{SourceID: id, Spans: spans[i]})
	}
	return shown
}

// wholeTexts is the default of [ReadInput.Show].
func wholeTexts(pages []PageOutcome) []loopstate.Spans {
	spans := make([]loopstate.Spans, len(pages))
	for i, p := range pages {
		spans[i] = loopstate.Spans{{0, p.Chars}}
	}
	return spans
}

type onlookerKey struct{}

// AsOnlooker marks the calls under ctx as those of somebody who may read loops but not change them. The ledger does not
// record what they see, because they do not make the claims.
func AsOnlooker(ctx context.Context) context.Context {
	return context.WithValue(ctx, onlookerKey{}, true)
}

func onlooks(ctx context.Context) bool {
	onlooker, _ := ctx.Value(onlookerKey{}).(bool)
	return onlooker
}

// recordShown records what an answer shows. It does nothing for an aborted loop, which gets no more claims.
func (s *Service) recordShown(ctx context.Context, loop string, shown []loopstate.ShownText) error {
	if onlooks(ctx) || len(shown) == 0 {
		return nil
	}
	return s.change(ctx, loop, "", func(st *loopstate.State) (loopstate.Payload, error) {
		return shownEvent(st, shown), nil
	}, func(*loopstate.State, loopstate.Event) error { return nil })
}

// shownEvent returns the missing ledger event, or nil.
func shownEvent(st *loopstate.State, shown []loopstate.ShownText) loopstate.Payload {
	if fresh := st.Unrecorded(shown); len(fresh) > 0 && st.Abort == "" {
		return loopstate.Shown{Shown: fresh}
	}
	return nil
}

// maxMeters bounds the loops with a count in memory.
const maxMeters = 1_000

// meter counts the answers of the calls on each loop until an event has the count: when its round closes, or when the process
// ends in order.
type meter struct {
	mu   sync.Mutex
	open map[string]metered
}

type metered struct {
	loopstate.Answered
	owner string
}

func (m *meter) add(loop, owner string, a loopstate.Answered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open == nil || len(m.open) >= maxMeters {
		m.open = map[string]metered{}
	}
	have := m.open[loop]
	m.open[loop] = metered{loopstate.Answered{Calls: have.Calls + a.Calls, Chars: have.Chars + a.Chars}, cmp.Or(owner, have.owner)}
}

func (m *meter) of(loop string) loopstate.Answered {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open[loop].Answered
}

// take returns the counts and clears them.
func (m *meter) take() map[string]metered {
	m.mu.Lock()
	defer m.mu.Unlock()
	open := m.open
	m.open = nil
	return open
}

// CountAnswer counts a call on a loop and the characters of its answer. What an onlooker looks at is no cost of the loop.
func (s *Service) CountAnswer(ctx context.Context, loop string, chars int) {
	if onlooks(ctx) {
		return
	}
	s.meter.add(loop, OwnerOf(ctx), loopstate.Answered{Calls: 1, Chars: chars})
}

// SaveCosts writes the counts of open rounds to the log, so that a host with one process for each call has them too.
func (s *Service) SaveCosts(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	var failed error
	for loop, count := range s.meter.take() {
		if count.Calls <= 0 {
			continue
		}
		owned := ctx
		if count.owner != "" {
			owned = WithOwner(ctx, count.owner)
		}
		err := s.change(owned, loop, "", func(*loopstate.State) (loopstate.Payload, error) {
			return loopstate.Shown{Answers: count.Answered}, nil
		}, func(*loopstate.State, loopstate.Event) error { return nil })
		if err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) { // deleted, or not a loop
			failed = errors.Join(failed, fmt.Errorf("loops: save the cost of loop %s: %w", loop, err))
		}
	}
	return failed
}
