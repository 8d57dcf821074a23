package loops

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// FullError refuses to keep more, because the owner's loops keep as much as one owner may. What is kept can be read,
// checked, closed and reported all the same.
type FullError struct {
	Argument string // of the call that would bring more
	Owner    string
	Used     int64 // bytes that the owner's loops keep
	Needs    int64 // bytes that the call would add; 0 where that is not known yet
	Limit    int64 // bytes
}

func (e *FullError) Error() string { return e.argument().Error() }

// Unwrap makes it one of the errors that are written for whoever called.
func (e *FullError) Unwrap() error { return e.argument() }

func (e *FullError) argument() *loopstate.ArgumentError {
	brings := ""
	if e.Needs > 0 {
		brings = ", and this would bring " + humanize.Bytes(bytesOf(e.Needs))
	}
	return &loopstate.ArgumentError{Argument: e.Argument,
		Problem: fmt.Sprintf("cannot be kept, and nothing was: your loops keep %s of the %s that one owner may have on this server%s", humanize.Bytes(bytesOf(e.Used)), humanize.Bytes(bytesOf(e.Limit)), brings),
		Next:    fmt.Sprintf("go on with what is kept (passages, verification, closing rounds and the report still work), and ask whoever runs the server to delete loops that are done with ('citeloop loops delete --owner %s ID'; 'citeloop loops list --owner %[1]s' shows what each keeps) or to raise bytes= of --limits", e.Owner)}
}

func bytesOf(n int64) uint64 { return uint64(max(n, 0)) }

// roomFor refuses to keep needs bytes more, or anything at all where needs is 0, when the owner has no room for them.
// Calls at once may each find room for what is left: what is kept passes the limit by what the calls under way bring,
// and no further.
func (s *Service) roomFor(ctx context.Context, argument string, needs int64) error {
	owner := OwnerOf(ctx)
	if s.MaxStored == 0 || owner == LocalOwner {
		return nil
	}
	used, err := s.Store.Stored(ctx, owner)
	if err != nil {
		return fmt.Errorf("loops: counting what %s keeps: %w", owner, err)
	}
	if max(needs, 1) > s.MaxStored-used {
		return &FullError{Argument: argument, Owner: owner, Used: used, Needs: needs, Limit: s.MaxStored}
	}
	return nil
}

// maxWithoutRoom is how much a call that brings no material may write down without room: what a verification found, how a
// round was closed, what was shown. Chosen: seven kilobytes for each of 71 claims, the most that a real brief was seen to make.
const maxWithoutRoom = 512 << 10

// roomForLarge refuses what is too large to be let through without room.
func (s *Service) roomForLarge(ctx context.Context, argument string, needs int) error {
	if needs <= maxWithoutRoom {
		return nil
	}
	return s.roomFor(ctx, argument, int64(needs))
}

// roomForTexts refuses pages whose texts, with what they were taken from, are more than there is room for.
func (s *Service) roomForTexts(ctx context.Context, argument string, pages []PageOutcome, fresh []int) error {
	if len(fresh) == 0 {
		return nil
	}
	var needs int64
	for _, i := range fresh {
		if pages[i].Status == fetch.StatusRead {
			needs += int64(len(pages[i].Text)) + int64(len(pages[i].body))
		}
	}
	return s.roomFor(ctx, argument, needs)
}
