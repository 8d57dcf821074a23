package loops

import (
	"context"
	"fmt"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// roomFor refuses to keep needs bytes more, or anything at all where needs is 0, when the owner has no room for them.
// Calls at once may each find room for what is left: what is kept passes the limit by what the calls under way bring,
// and no further.
func (s *Service) roomFor(ctx context.Context, subject string, needs int64) error {
	owner, err := s.owner(ctx)
	if err != nil || s.MaxStored == 0 || owner == LocalOwner {
		return err
	}
	used, err := s.Store.Stored(ctx, owner)
	if err != nil {
		return fmt.Errorf("loops: counting what %s keeps: %w", owner, err)
	}
	if max(needs, 1) > s.MaxStored-used {
		return &loopstate.Error{Code: loopstate.CodeStorageFull, Subject: subject, Value: owner, Got: used, Needs: needs, Limit: s.MaxStored}
	}
	return nil
}

// maxWithoutRoom is how much a call that brings no material may write down without room: what a verification found, how a
// round was closed, what was shown. Chosen: seven kilobytes for each of 71 claims, the most that a real brief was seen to make.
const maxWithoutRoom = 512 << 10

// roomForLarge refuses what is too large to be let through without room.
func (s *Service) roomForLarge(ctx context.Context, subject string, needs int) error {
	if needs <= maxWithoutRoom {
		return nil
	}
	return s.roomFor(ctx, subject, int64(needs))
}

// roomForTexts refuses pages whose texts, with what they were taken from, are more than there is room for.
func (s *Service) roomForTexts(ctx context.Context, subject string, pages []PageOutcome, fresh []int) error {
	if len(fresh) == 0 {
		return nil
	}
	var needs int64
	for _, i := range fresh {
		if pages[i].Status == fetch.StatusRead {
			needs += int64(len(pages[i].Text)) + int64(len(pages[i].body))
		}
	}
	return s.roomFor(ctx, subject, needs)
}
