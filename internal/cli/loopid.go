package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// shortestPrefix is the minimum length of an abbreviated id. Ids begin with the time, so shorter ones match nearly all loops.
const shortestPrefix = 4

// loopID completes the beginning of an id, which must be that of one loop of the owner in ctx.
func loopID(ctx context.Context, store loopstate.Store, id string) (string, error) {
	owner := cmp.Or(loops.OwnerOf(ctx), loops.LocalOwner)
	heads, err := store.Loops(ctx, owner)
	if err != nil {
		return "", err
	}
	var found []string
	for _, h := range heads {
		switch {
		case h.Loop == id:
			return id, nil
		case len(id) >= shortestPrefix && strings.HasPrefix(h.Loop, strings.ToLower(id)):
			found = append(found, h.Loop)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("unknown loop %q of %s: 'citeloop loops list' shows the loops; --owner, --store and --data select others", id, owner)
	case 1:
		return found[0], nil
	}
	return "", usageError{fmt.Errorf("ambiguous loop %q: it matches %s", id, strings.Join(found[:min(len(found), 5)], ", "))}
}

// withLoop opens the store and completes the id of a loop.
func withLoop(ctx context.Context, p Process, opts *options, id string, use func(svc *loops.Service, id string) error) error {
	return withService(ctx, p, opts, func(svc *loops.Service) error {
		id, err := loopID(ctx, svc.Store, id)
		if err != nil {
			return err
		}
		return use(svc, id)
	})
}

// flagError returns a usage error for an invalid flag, or err.
func flagError(err error) error {
	if wrong, ok := errors.AsType[*channels.QueryError](err); ok {
		flag := wrong.Argument
		if flag != "query" {
			flag = "--" + strings.TrimSuffix(flag, "s")
		}
		return usageError{fmt.Errorf("invalid %s: %s", flag, wrong.Message)}
	}
	if wrong, ok := errors.AsType[*channels.UnknownChannelError](err); ok {
		if meant := didYouMean(wrong.Names[0], wrong.Valid); meant != "" {
			return usageError{fmt.Errorf("invalid --channel: unknown channel %q%s", wrong.Names[0], meant)}
		}
		return usageError{fmt.Errorf("invalid --channel: %w; 'citeloop doctor' lists the channels", err)}
	}
	if loopstate.Has(err, loopstate.CodeUnknownValue, loopstate.CodeBadCursor, loopstate.CodeRoundOpen, loopstate.CodeTooLong, loopstate.CodeEmpty, loopstate.CodeOutOfRange) {
		return usageError{err}
	}
	return err
}
