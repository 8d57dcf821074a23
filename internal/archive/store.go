package archive

import (
	"context"
	"iter"

	"github.com/citeloop/citeloop/loopstate"
)

// Over returns a store that also has the loop of the archive, and keeps new events of that loop in the archive.
func (a *Archive) Over(s loopstate.Store) loopstate.Store { return archivedLoop{s, a} }

type archivedLoop struct {
	loopstate.Store
	archive *Archive
}

func (s archivedLoop) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	if loop != s.archive.StateID {
		return s.Store.Load(ctx, loop, after)
	}
	return s.archive.Log(after)
}

func (s archivedLoop) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts ...[]byte) error {
	if head.Loop != s.archive.StateID {
		return s.Store.Append(ctx, head, at, events, texts...)
	}
	if at != s.archive.Version+int64(len(s.archive.added)) {
		return loopstate.ErrConflict
	}
	for _, text := range texts {
		if _, err := s.Store.PutBlob(ctx, text); err != nil {
			return err
		}
	}
	s.archive.added, s.archive.head = append(s.archive.added, events...), head
	return nil
}

func (s archivedLoop) Snapshot(ctx context.Context, loop string) (loopstate.Snapshot, error) {
	if loop != s.archive.StateID {
		return s.Store.Snapshot(ctx, loop)
	}
	return loopstate.Snapshot{}, loopstate.ErrNotFound
}

func (s archivedLoop) PutSnapshot(ctx context.Context, snapshot loopstate.Snapshot) error {
	if snapshot.Loop != s.archive.StateID {
		return s.Store.PutSnapshot(ctx, snapshot)
	}
	return nil
}
