package loops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// checkSpace returns an error if the owner has no space for needs more bytes, for any bytes if that is 0, or for more loops. Limits are
// not exact: concurrent calls may exceed them by their data. The local owner has none.
func (s *Service) checkSpace(ctx context.Context, needs int64, more int) error {
	owner, err := s.owner(ctx)
	if err != nil || owner == LocalOwner || s.MaxStored == 0 && s.MaxLoops == 0 {
		return err
	}
	heads, err := s.Store.List(ctx, owner)
	if err != nil {
		return fmt.Errorf("loops: list the loops of %s: %w", owner, err)
	}
	used := int64(0)
	for _, head := range heads {
		used += head.Stored
	}
	switch {
	case more > 0 && s.MaxLoops > 0 && len(heads)+more > s.MaxLoops:
		return &loopstate.Error{Code: loopstate.CodeTooManyLoops, Subject: "query", Value: owner, Got: int64(len(heads)),
			Limit: int64(s.MaxLoops)}
	case s.MaxStored > 0 && max(needs, 1) > s.MaxStored-used:
		return &loopstate.Error{Code: loopstate.CodeStorageFull, Subject: "request", Value: owner, Got: used, Needs: needs,
			Limit: s.MaxStored}
	}
	return nil
}

// maxWithoutSpace is how many bytes a call without new material (a verification, the end of a round) may write even without
// space: seven kilobytes for each of 71 claims, the largest number seen.
const maxWithoutSpace = 512 << 10

// mayWrite is [Service.checkSpace] for an event with its texts.
func (s *Service) mayWrite(ctx context.Context, p loopstate.Payload, bytes int) error {
	material := false
	switch p := p.(type) {
	case loopstate.Started, loopstate.Searched, loopstate.GapAdded:
		material = true
	case loopstate.Updated:
		material = p.Adds()
	case loopstate.Read:
		material = len(p.Sources) > 0
	}
	if !material && bytes <= maxWithoutSpace {
		return nil
	}
	return s.checkSpace(ctx, int64(bytes), 0)
}

// MaxDraftChars bounds a draft, in code points.
const MaxDraftChars = 400_000

// A check of a draft of 400,000 characters takes some 100 MB and two seconds of a processor (measured). Any
// number of them at the same time would fill the memory, so long texts wait for each other: together they have at most
// MaxDraftChars bytes.
const (
	// longChars is the length, in bytes, from which a text is long. Reports of real hosts have 20,000 to 60,000.
	longChars = 20_000
	// longWait is how long a call waits for its turn, and longCheck how long its check may take by default, so that both end
	// within ten seconds.
	longWait  = 2 * time.Second
	longCheck = 7 * time.Second
)

// inTurn calls do: for a text of n bytes that is long, when it is its turn and for a limited time. A text that takes more is too long. The
// error is [loopstate.CodeBusy] if the turn does not come.
func (s *Service) inTurn(ctx context.Context, n int, do func(context.Context) error) error {
	if n < longChars {
		return do(ctx)
	}
	waiting, stop := context.WithTimeout(ctx, longWait)
	defer stop()
	weight := int64(min(n, MaxDraftChars))
	if err := s.long.Acquire(waiting, weight); err != nil {
		return &loopstate.Error{Code: loopstate.CodeBusy, Subject: "draft"}
	}
	defer s.long.Release(weight)
	checking, cancel := context.WithTimeout(ctx, cmp.Or(s.Patience, longCheck))
	defer cancel()
	err := do(checking)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return tooLong("draft", n, n/2)
	}
	return err
}
