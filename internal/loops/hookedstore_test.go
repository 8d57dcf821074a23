package loops_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// hookedStore is a store with functions that run before its calls.
type hookedStore struct {
	loopstate.Store
	before map[string]func() // by call; each runs once
	fails  error             // of Append
}

func (m *hookedStore) run(call string) {
	if do, ok := m.before[call]; ok {
		delete(m.before, call)
		do()
	}
}

func (m *hookedStore) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts ...[]byte) error {
	if m.run("Append"); m.fails != nil {
		return m.fails
	}
	return m.Store.Append(ctx, head, at, events, texts...)
}

func (m *hookedStore) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	m.run(fmt.Sprint("Load after ", after))
	return m.Store.Load(ctx, loop, after)
}

func (m *hookedStore) Blob(ctx context.Context, h loopstate.Hash) ([]byte, error) {
	m.run("Blob")
	return m.Store.Blob(ctx, h)
}

// The loop is deleted during a call.
func TestDeletedDuringACall(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before string
		call   func(svc *loops.Service, loop string) error
	}{
		"before a change is written": {"Append", func(svc *loops.Service, loop string) error {
			return errOf(svc.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: "one more gap"}))
		}},
		"before the event of a repeated call is read": {"Load after 1", func(svc *loops.Service, loop string) error {
			return errOf(svc.Update(t.Context(), loop, "op-1", loopstate.UpdateInput{Query: "x"}))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			loop := h.start("q")
			must(h.Update(t.Context(), loop, "op-1", loopstate.UpdateInput{Query: "x"}))(t)
			h.addGap(loop, loopstate.GapInput{Gap: "a gap"})
			cfg := h.service().Config
			store := &hookedStore{Store: cfg.Store}
			cfg.Store = store
			svc := loops.New(cfg)
			done(h, svc.State, loops.ViewInput{Loop: loop})
			store.before = map[string]func(){tt.before: func() {
				if err := h.Delete(t.Context(), loop); err != nil {
					t.Error(err)
				}
			}}
			err := tt.call(svc, loop)
			refusal(t, err, "loop", loopstate.CodeUnknownLoop)
			if len(store.before) > 0 {
				t.Errorf("it did not happen before %s", tt.before)
			}
		})
	}
}
