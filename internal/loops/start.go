package loops

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Started is the result of Start.
type Started struct {
	StateID   string            `json:"state_id"`
	AsOf      string            `json:"as_of"`
	Angles    []loopstate.Angle `json:"angles,omitempty"`
	Gaps      []string          `json:"gaps"` // open ones, best first
	Remaining loopstate.Amounts `json:"budget_remaining"`
	Decision  wording.Decision  `json:"decision"`
	Folder    string            `json:"folder,omitempty"` // the loop as files, on the user's own machine

	begun time.Time
}

// Start starts a loop.
func (s *Service) Start(ctx context.Context, in loopstate.StartInput) (Started, error) {
	return s.StartOnce(ctx, "", in)
}

// repeatWindow is how long a call with the operation and the question of another one is its repeat: hosts repeat a lost call within
// minutes, and some count their operations from 1 in every conversation. Chosen.
const repeatWindow = time.Hour

// StartOnce is [Service.Start], which a repeat with the same operation and question within an hour does not do again. operation may be
// empty.
func (s *Service) StartOnce(ctx context.Context, operation string, in loopstate.StartInput) (out Started, err error) {
	if err := checkOperation(operation); err != nil {
		return out, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return out, err
	}
	p, err := loopstate.Start(in, owner, s.Now())
	if err != nil {
		return out, err
	}
	look := func(st *loopstate.State) error {
		out = Started{StateID: st.Loop, AsOf: st.AsOf, Angles: loopstate.Angles(), Gaps: wordsOf(st.OpenGaps()),
			Remaining: st.Remaining(), Decision: wording.DecisionOf(st), begun: st.StartedAt}
		return nil
	}
	for n := 0; n == 0 || s.Now().Sub(out.begun) >= repeatWindow; n++ {
		id := s.NewID()
		if operation != "" {
			id = loopID(owner, operation, in.Query, n)
		}
		err := s.alone(ctx, id, func(l *cached) error {
			if l.state == nil {
				if _, err := s.append(ctx, id, l, cmp.Or(operation, s.NewID()), p); err != nil {
					return err
				}
			}
			return look(l.state)
		})
		if errors.Is(err, loopstate.ErrConflict) { // another process was faster
			err = s.view(ctx, id, look)
		}
		if err != nil {
			return Started{}, fmt.Errorf("loops: start a loop: %w", err)
		}
	}
	out.Folder = s.Folder(ctx, out.StateID)
	return out, nil
}

// loopID is the id of the loop that an operation starts, for the n-th time (from 0). The log of a loop identifies repeated calls; a
// call that starts a loop has no log yet, so a repeat finds the loop by its id, and of two concurrent calls the store accepts one.
// Another question is another loop.
func loopID(owner, operation, query string, n int) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "citeloop loop %q %q %q %d", owner, operation, query, n))
	id := uuid.UUID(hash[:16])
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80 // the form of all ids of loops
	return id.String()
}
