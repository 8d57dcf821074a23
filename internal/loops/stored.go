package loops

import (
	"context"
	"fmt"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// checkSpace returns an error if the owner has no space for needs more bytes, or for any bytes if needs is 0. The limit is not
// exact: concurrent calls may exceed it by their data.
func (s *Service) checkSpace(ctx context.Context, subject string, needs int64) error {
	owner, err := s.owner(ctx)
	if err != nil || s.MaxStored == 0 || owner == LocalOwner {
		return err
	}
	used, err := s.Store.Stored(ctx, owner)
	if err != nil {
		return fmt.Errorf("loops: count the bytes of %s: %w", owner, err)
	}
	if max(needs, 1) > s.MaxStored-used {
		return &loopstate.Error{Code: loopstate.CodeStorageFull, Subject: subject, Value: owner, Got: used, Needs: needs, Limit: s.MaxStored}
	}
	return nil
}

// maxWithoutSpace is how many bytes a call without new material (a verification, the end of a round) may write even without
// space: seven kilobytes for each of 71 claims, the largest number seen.
const maxWithoutSpace = 512 << 10

// checkLargeSpace is checkSpace for data above maxWithoutSpace.
func (s *Service) checkLargeSpace(ctx context.Context, subject string, needs int) error {
	if needs <= maxWithoutSpace {
		return nil
	}
	return s.checkSpace(ctx, subject, int64(needs))
}

// checkTextSpace is checkSpace for the texts and bodies of pages.
func (s *Service) checkTextSpace(ctx context.Context, subject string, pages []PageOutcome, fresh []int) error {
	if len(fresh) == 0 {
		return nil
	}
	var needs int64
	for _, i := range fresh {
		if pages[i].Status == fetch.StatusRead {
			needs += int64(len(pages[i].Text)) + int64(len(pages[i].body))
		}
	}
	return s.checkSpace(ctx, subject, needs)
}
