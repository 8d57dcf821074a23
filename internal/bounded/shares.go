package bounded

import (
	"context"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"
)

// Shares bounds what is worked on at the same time, in all and of each owner. It is safe for concurrent use.
type Shares struct {
	each   int64
	all    *semaphore.Weighted
	owners *lru.Cache[string, *semaphore.Weighted] // of those who took a share last
}

// NewShares returns shares of which each owner may hold so much, and all owners together. It remembers so many owners, which should be
// more than can hold a share at the same time.
func NewShares(each, all, owners int) *Shares {
	known, _ := lru.New[string, *semaphore.Weighted](max(owners, 1)) // its only error is a size below one
	return &Shares{each: int64(each), all: semaphore.NewWeighted(int64(all)), owners: known}
}

// Take waits until the owner may hold n more, at most until ctx ends. done gives them back.
func (s *Shares) Take(ctx context.Context, owner string, n int) (done func(), err error) {
	weight, own := int64(n), semaphore.NewWeighted(s.each)
	if known, ok, _ := s.owners.PeekOrAdd(owner, own); ok {
		own = known
	}
	if err := acquire(ctx, own, weight); err != nil {
		return nil, err
	}
	if err := acquire(ctx, s.all, weight); err != nil {
		own.Release(weight)
		return nil, err
	}
	return func() { s.all.Release(weight); own.Release(weight) }, nil
}

// acquire takes a weight at once if it is free, even if ctx has ended.
func acquire(ctx context.Context, of *semaphore.Weighted, weight int64) error {
	if of.TryAcquire(weight) {
		return nil
	}
	return of.Acquire(ctx, weight)
}
