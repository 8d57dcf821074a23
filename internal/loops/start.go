package loops

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Started is the result of Start.
type Started struct {
	StateID   string
	AsOf      string
	Angles    []loopstate.Angle
	Gaps      []loopstate.Gap
	Remaining loopstate.Remaining
	Decision  wording.Decision
	Folder    string // path of the loop's folder, or ""
}

// Start starts a loop.
func (s *Service) Start(ctx context.Context, in loopstate.StartInput) (Started, error) {
	return s.StartOnce(ctx, "", in)
}

// StartOnce is [Service.Start], which a repeat with the same operation and question does not do again. operation may be empty.
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
		out = Started{StateID: st.Loop, AsOf: st.AsOf, Angles: loopstate.Angles(), Gaps: st.OpenGaps(), Remaining: st.Remaining(),
			Decision: wording.DecisionOf(st)}
		return nil
	}
	id := s.NewID()
	if operation != "" {
		id = loopID(owner, operation, in.Query)
	}
	if err = s.begin(ctx, id, cmp.Or(operation, s.NewID()), p, look); err != nil && operation != "" && s.view(ctx, id, look) == nil {
		err = nil // a repeat
	}
	if err != nil {
		return Started{}, fmt.Errorf("loops: start a loop: %w", err)
	}
	out.Folder = s.showFolder(ctx, out.StateID)
	return out, nil
}

// loopID is the id of the loop that an operation starts. The log of a loop identifies repeated calls; a call that starts a loop has no
// log yet, so a repeat finds the loop by its id, and of two concurrent calls the store accepts one. Another question is another loop.
func loopID(owner, operation, query string) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "citeloop loop %q %q %q", owner, operation, query))
	id := uuid.UUID(hash[:16])
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80 // the form of all ids of loops
	return id.String()
}
