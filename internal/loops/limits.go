package loops

import (
	"context"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// MaxDraftChars bounds a draft, in code points.
const MaxDraftChars = 400_000

// A check of a draft of 400,000 characters takes some 100 MB and two seconds of a processor (measured). Any
// number of them at the same time would fill the memory, so long texts wait for each other: together they have at most
// MaxDraftChars bytes.
const (
	// longChars is the length, in bytes, from which a text is long. Reports of real hosts have 20,000 to 60,000.
	longChars = 20_000
	// longWait is how long a call waits for its turn.
	longWait = 2 * time.Second
)

// inTurn calls do: for a text of n bytes that is long, when it is its turn. The error is [loopstate.CodeBusy] if the turn does not come.
func (s *Service) inTurn(ctx context.Context, n int, do func() error) error {
	if n < longChars {
		return do()
	}
	waiting, stop := context.WithTimeout(ctx, longWait)
	defer stop()
	weight := int64(min(n, MaxDraftChars))
	if err := s.long.Acquire(waiting, weight); err != nil {
		return &loopstate.Error{Code: loopstate.CodeBusy, Subject: "draft"}
	}
	defer s.long.Release(weight)
	return do()
}
