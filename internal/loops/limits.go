package loops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// limited returns the owner of a call and his loops, or no owner if there is no limit for him. Limits are not exact: concurrent
// calls may exceed them by their data.
func (s *Service) limited(ctx context.Context, limit int64) (owner string, heads []loopstate.Head, err error) {
	owner, err = s.owner(ctx)
	if err != nil || limit == 0 || owner == LocalOwner {
		return "", nil, err
	}
	if heads, err = s.Store.List(ctx, owner); err != nil {
		return "", nil, fmt.Errorf("loops: list the loops of %s: %w", owner, err)
	}
	return owner, heads, nil
}

// checkSpace returns an error if the owner has no space for needs more bytes, or for any bytes if needs is 0.
func (s *Service) checkSpace(ctx context.Context, needs int64) error {
	owner, heads, err := s.limited(ctx, s.MaxStored)
	used := int64(0)
	for _, head := range heads {
		used += head.Stored
	}
	if owner != "" && max(needs, 1) > s.MaxStored-used {
		err = &loopstate.Error{Code: loopstate.CodeStorageFull, Subject: "request", Value: owner, Got: used, Needs: needs,
			Limit: s.MaxStored}
	}
	return err
}

// checkLoopLimit returns an error if the owner has the maximum number of loops.
func (s *Service) checkLoopLimit(ctx context.Context) error {
	owner, heads, err := s.limited(ctx, int64(s.MaxLoops))
	if owner != "" && len(heads) >= s.MaxLoops {
		err = &loopstate.Error{Code: loopstate.CodeTooManyLoops, Subject: "query", Value: owner, Got: int64(len(heads)),
			Limit: int64(s.MaxLoops)}
	}
	return err
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
	return s.checkSpace(ctx, int64(bytes))
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
