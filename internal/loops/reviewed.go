package loops

import (
	"cmp"
	"context"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
)

// maxLoopsReadElsewhere bounds how many loops with readings are searched, last changed first: each may have to be loaded.
const maxLoopsReadElsewhere = 30

// readElsewhere returns accepted readings with the given review keys in other loops of the owner. A review key identifies
// the claim, the texts and the quotes.
func (s *Service) readElsewhere(ctx context.Context, loop string, unread map[string]bool) (map[string]loopstate.Reading, error) {
	if len(unread) == 0 {
		return nil, nil
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	heads, err := s.Store.Reviewed(ctx, owner, maxLoopsReadElsewhere+1) // one may be this loop
	if err != nil {
		return nil, fmt.Errorf("loops: find readings: %w", err)
	}
	found := map[string]loopstate.Reading{}
	for _, head := range heads {
		if head.Loop == loop || len(found) == len(unread) {
			continue
		}
		err := s.view(ctx, head.Loop, func(st *loopstate.State) error {
			for key := range unread {
				reading, ok := st.Readings[key]
				if _, known := found[key]; ok && !known && reading.Corrected == nil { // the lines of a correction are of its loop
					reading.Loop = cmp.Or(reading.Loop, head.Loop)
					found[key] = reading
				}
			}
			return nil
		})
		if err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) { // deleted in the meantime
			return nil, err
		}
	}
	return found, nil
}
