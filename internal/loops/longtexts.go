package loops

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/loopstate"
)

// A check of a draft of 400,000 characters takes some 100 MB and two seconds of a processor (measured: bench/exhaust). Any
// number of them at the same time would fill the memory, so long texts wait for each other.
const (
	// longChars is the length, in bytes, from which a text is long. Reports of real hosts have 20,000 to 60,000.
	longChars = 20_000
	// ownerLong and allLong bound the bytes of the long texts of one owner, and of all, that are checked at the same time.
	ownerLong = MaxDraftChars
	allLong   = 2 * MaxDraftChars
	// longWait is how long a call waits for its turn, and longCheck how long its check may take by default, so that both end
	// within ten seconds.
	longWait  = 2 * time.Second
	longCheck = 7 * time.Second
)

// longTexts gives out turns for the checks of long texts.
type longTexts struct {
	wait time.Duration
	all  *semaphore.Weighted

	mu     sync.Mutex
	owners map[string]*ownerTexts // with at least one call
}

type ownerTexts struct {
	calls int
	turns *semaphore.Weighted
}

func newLongTexts(wait time.Duration) *longTexts {
	return &longTexts{wait: wait, all: semaphore.NewWeighted(allLong), owners: map[string]*ownerTexts{}}
}

// begin waits for the turn of a text of n bytes. done must be called when it is checked. The error is [loopstate.CodeBusy].
func (l *longTexts) begin(ctx context.Context, owner string, n int) (done func(), err error) {
	if n < longChars {
		return func() {}, nil
	}
	weight := int64(min(n, MaxDraftChars))
	own := l.of(owner)
	ctx, cancel := context.WithTimeout(ctx, l.wait)
	defer cancel()
	if turn(ctx, own.turns, weight) {
		if turn(ctx, l.all, weight) {
			return func() {
				l.all.Release(weight)
				own.turns.Release(weight)
				l.leave(owner)
			}, nil
		}
		own.turns.Release(weight)
	}
	l.leave(owner)
	return nil, &loopstate.Error{Code: loopstate.CodeBusy, Subject: "draft"}
}

// turn acquires a weight, at once if it is free.
func turn(ctx context.Context, of *semaphore.Weighted, weight int64) bool {
	return of.TryAcquire(weight) || of.Acquire(ctx, weight) == nil
}

func (l *longTexts) of(owner string) *ownerTexts {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.owners[owner]
	if own == nil {
		own = &ownerTexts{turns: semaphore.NewWeighted(ownerLong)}
		l.owners[owner] = own
	}
	own.calls++
	return own
}

func (l *longTexts) leave(owner string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owners[owner].calls--; l.owners[owner].calls == 0 {
		delete(l.owners, owner)
	}
}

// examineLong is examine in its turn. done must be called after the last use of the result, unless err is set. A long text
// that takes too much time is too long.
func (s *Service) examineLong(ctx context.Context, in VerifyInput) (v verdict.Verification, done func(), err error) {
	if err := in.check(); err != nil {
		return v, nil, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return v, nil, err
	}
	n := len(in.Draft)
	for _, c := range in.Claims {
		n += len(c.Text)
	}
	if done, err = s.long.begin(ctx, owner, n); err != nil {
		return v, nil, err
	}
	checking, cancel := ctx, context.CancelFunc(func() {})
	if n >= longChars {
		checking, cancel = context.WithTimeout(ctx, s.CheckTime)
	}
	defer cancel()
	if v, err = s.examine(checking, in); err != nil {
		done()
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = tooLong("draft", n, n/2)
		}
		return v, nil, err
	}
	return v, done, nil
}
