package setup

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// shortestPrefix is the minimum length of an abbreviated id. Ids begin with the time, so shorter ones match nearly all loops.
const shortestPrefix = 4

// LoopID completes the beginning of an id, which must be that of one loop of the owner in ctx.
func LoopID(ctx context.Context, store loopstate.Store, id string) (string, error) {
	owner := cmp.Or(loops.OwnerOf(ctx), loops.LocalOwner)
	heads, err := store.List(ctx, owner)
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
		return "", console.Usagef("unknown loop %q of %s: 'citeloop loops list' shows the loops; --owner, --store and --data select others",
			id, owner)
	case 1:
		return found[0], nil
	}
	return "", console.Usagef("ambiguous loop %q: it matches %s", id, strings.Join(found[:min(len(found), 5)], ", "))
}

// WithLoop opens the store and completes the id of a loop.
func WithLoop(ctx context.Context, p console.Process, opts *Options, id string, use func(svc *loops.Service, id string) error) error {
	return WithService(ctx, p, opts, func(svc *loops.Service) error {
		id, err := LoopID(ctx, svc.Store, id)
		if err != nil {
			return err
		}
		return use(svc, id)
	})
}

// WithService opens the store for one command.
func WithService(ctx context.Context, p console.Process, opts *Options, use func(*loops.Service) error) error {
	s, err := opts.Settings(p)
	if err != nil {
		return err
	}
	s.Owner = loops.LocalOwner
	svc, err := Assemble(ctx, s)
	if err != nil {
		return err
	}
	return errors.Join(use(svc.Service), svc.Close())
}
