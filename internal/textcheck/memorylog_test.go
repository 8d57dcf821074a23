package textcheck

import (
	"context"
	"iter"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// memoryLog is a store of one loop, L.
type memoryLog struct {
	events []loopstate.Event
	texts  map[loopstate.Hash]string
}

func (m *memoryLog) add(t *testing.T, p loopstate.Payload) {
	t.Helper()
	e, err := loopstate.NewEvent("L", int64(len(m.events)+1), noon, "op", p)
	if err != nil {
		t.Fatal(err)
	}
	m.events = append(m.events, e)
}

func (m *memoryLog) Load(_ context.Context, loop string, _ int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		for _, e := range m.events {
			if e.Loop == loop && !yield(e, nil) {
				return
			}
		}
	}
}

func (m *memoryLog) Blob(_ context.Context, h loopstate.Hash) ([]byte, error) {
	text, ok := m.texts[h]
	if !ok {
		return nil, loopstate.ErrNotFound
	}
	return []byte(text), nil
}
