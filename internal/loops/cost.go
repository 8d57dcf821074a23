package loops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/citeloop/citeloop/internal/states"
	"github.com/citeloop/citeloop/loopstate"
)

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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), states.WriteTimeout)
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
