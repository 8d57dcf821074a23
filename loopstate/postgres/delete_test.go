package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storage"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// A Delete waits for an append in progress and keeps the text that it names.
func TestDeleteWaitsForAppends(t *testing.T) {
	where := storetest.PostgreSQL(t)
	store := open(t, where, postgres.Options{})
	hash := appendNaming(t, store, "L", "the text")
	admin := connect(t, storetest.WithParameters(t, where, "application_name", "the administrator"))
	execute(t, admin, `BEGIN`)
	execute(t, admin, `INSERT INTO citeloop_heads SELECT 'M', owner, seq, query, round, status, updated_at, stored, readings FROM citeloop_heads`)
	execute(t, admin, `INSERT INTO citeloop_events SELECT 'M', seq, at, kind, version, op, data FROM citeloop_events`)
	execute(t, admin, `INSERT INTO citeloop_named SELECT hash, 'M' FROM citeloop_named`)
	deleted := make(chan error, 1)
	go func() { deleted <- store.Delete(t.Context(), "L") }()
	eventually[int32](t, connect(t, storetest.WithParameters(t, where, "application_name", "the administrator")), waiting, 0)
	execute(t, admin, `COMMIT`)
	if err := <-deleted; err != nil {
		t.Fatal(err)
	}
	if _, err := store.Blob(t.Context(), hash); err != nil {
		t.Errorf("Blob: %v", err)
	}
	if l, m := length(t, store, "L"), length(t, store, "M"); l != 0 || m != 1 {
		t.Errorf("L has %d events and M %d, want 0 and 1", l, m)
	}
}

// A Delete in progress blocks appends to all loops and snapshots of its loop, but not reads and texts.
func TestCallsDuringADelete(t *testing.T) {
	for _, isolation := range []string{"read committed", "repeatable read", "serializable"} {
		t.Run(isolation, func(t *testing.T) {
			where := storetest.WithParameters(t, storetest.PostgreSQL(t), "options", "-c default_transaction_isolation="+strings.ReplaceAll(isolation, " ", "\\ "))
			store := open(t, where, postgres.Options{})
			appendNaming(t, store, "L", "the text")
			appendNext(t, store, 1)
			admin := connect(t, storetest.WithParameters(t, where, "application_name", "the administrator"))
			second := connect(t, storetest.WithParameters(t, where, "application_name", "the administrator"))
			execute(t, admin, `BEGIN`)
			execute(t, admin, `SELECT FROM citeloop_blobs FOR UPDATE`) // the last table of Delete
			outcomes := map[string]chan error{}
			begin := func(name string, do func(ctx context.Context) error) {
				outcome := make(chan error, 1)
				outcomes[name] = outcome
				go func() { outcome <- do(t.Context()) }()
				eventually[bool](t, second, `SELECT count(*) = $1 FROM pg_stat_activity WHERE application_name = current_schema() AND wait_event_type = 'Lock'`, len(outcomes))
			}
			begin("Delete", func(ctx context.Context) error { return store.Delete(ctx, "L") })
			begin("Append", func(ctx context.Context) error {
				head, events := next("L", 2)
				return store.Append(ctx, head, 2, events)
			})
			begin("Append to another loop", func(ctx context.Context) error {
				head, events := next("M", 0)
				return store.Append(ctx, head, 0, events)
			})
			begin("PutSnapshot", func(ctx context.Context) error {
				return store.PutSnapshot(ctx, loopstate.Snapshot{Loop: "L", Seq: 2, Fold: 1})
			})
			if got := length(t, store, "L"); got != 2 {
				t.Errorf("%d readable events, want 2", got)
			}
			if _, err := store.PutBlob(t.Context(), []byte("another text")); err != nil {
				t.Errorf("PutBlob: %v", err)
			}
			execute(t, admin, `COMMIT`)
			for name, want := range map[string]error{"Delete": nil, "Append": loopstate.ErrConflict, "Append to another loop": nil, "PutSnapshot": nil} {
				if err := <-outcomes[name]; !errors.Is(err, want) {
					t.Errorf("%s: %v, want %v", name, err, want)
				}
			}
			for _, table := range []string{"events", "heads", "snapshots"} {
				if n := ask[int](t, admin, `SELECT count(*) FROM citeloop_`+table+` WHERE loop = 'L'`); n != 0 {
					t.Errorf("%d rows of the loop are left in its %s", n, table)
				}
			}
		})
	}
}

// A Delete waits for a PutSnapshot in progress and deletes the snapshot.
func TestDeleteWaitsForSnapshots(t *testing.T) {
	where := storetest.PostgreSQL(t)
	store := open(t, where, postgres.Options{})
	appendNext(t, store, 0)
	if err := store.PutSnapshot(t.Context(), loopstate.Snapshot{Loop: "L", Seq: 1, Fold: 1}); err != nil {
		t.Fatal(err)
	}
	appendNext(t, store, 1)
	admin := connect(t, storetest.WithParameters(t, where, "application_name", "the administrator"))
	second := connect(t, storetest.WithParameters(t, where, "application_name", "the administrator"))
	execute(t, admin, `BEGIN`)
	execute(t, admin, `SELECT FROM citeloop_snapshots FOR UPDATE`)
	put, deleted := make(chan error, 1), make(chan error, 1)
	go func() { put <- store.PutSnapshot(t.Context(), loopstate.Snapshot{Loop: "L", Seq: 2, Fold: 1}) }()
	first := eventually[int32](t, second, waiting, 0)
	go func() { deleted <- store.Delete(t.Context(), "L") }()
	eventually[int32](t, second, waiting, first)
	execute(t, admin, `COMMIT`)
	if err := errors.Join(<-put, <-deleted); err != nil {
		t.Error(err)
	}
	if n := ask[int](t, admin, `SELECT count(*) FROM citeloop_snapshots`); n != 0 {
		t.Errorf("%d snapshots are left", n)
	}
}

// The server commits, but its response is lost: the call recognizes its own commit.
func TestLostResponseToDelete(t *testing.T) {
	where := storetest.PostgreSQL(t)
	wire := cutWire(t, where)
	store := open(t, wire.address, postgres.Options{})
	hash := appendNaming(t, store, "L", "the text")
	commit := "\x0bcommit\x00" // and not the word in "read committed"
	wire.swallow.Store(&commit)
	if err := store.Delete(t.Context(), "L"); err != nil {
		t.Errorf("Delete with a lost response: %v", err)
	}
	if wire.swallow.Load() != nil {
		t.Error("no response was lost")
	}
	if _, err := store.Blob(t.Context(), hash); !errors.Is(err, loopstate.ErrNotFound) {
		t.Errorf("Blob: %v, want ErrNotFound", err)
	}
	if err := store.Delete(t.Context(), "L"); !errors.Is(err, loopstate.ErrNotFound) {
		t.Errorf("Delete again: %v, want ErrNotFound", err)
	}
}

// The connection is killed during a delete: it deletes nothing, and the retry deletes everything.
func TestKilledDuringADelete(t *testing.T) {
	where := storetest.PostgreSQL(t)
	store := open(t, where, postgres.Options{})
	appendNaming(t, store, "L", "the text")
	admin := connect(t, storetest.WithParameters(t, where, "application_name", "the administrator"))
	second := connect(t, storetest.WithParameters(t, where, "application_name", "the administrator"))
	execute(t, admin, `BEGIN`)
	execute(t, admin, `SELECT FROM citeloop_blobs FOR UPDATE`)
	deleted := make(chan error, 1)
	go func() { deleted <- store.Delete(t.Context(), "L") }()
	first := eventually[int32](t, second, waiting, 0)
	execute(t, second, `SELECT pg_terminate_backend($1)`, first)
	eventually[int32](t, second, waiting, first) // the retry waits
	if got := length(t, store, "L"); got != 1 {
		t.Errorf("%d events are left before the retry, want 1", got)
	}
	execute(t, admin, `COMMIT`)
	if err := <-deleted; err != nil {
		t.Errorf("Delete: %v", err)
	}
	if got := length(t, store, "L"); got != 0 {
		t.Errorf("%d events are left", got)
	}
}

// A Delete that is blocked for too long fails and deletes nothing.
func TestBlockedDelete(t *testing.T) {
	where := storetest.PostgreSQL(t)
	store := open(t, where, postgres.Options{Timeout: 300 * time.Millisecond})
	hash := appendNaming(t, store, "L", "the text")
	admin := connect(t, where)
	execute(t, admin, `BEGIN`)
	execute(t, admin, `SELECT FROM citeloop_blobs FOR UPDATE`)
	if err := store.Delete(t.Context(), "L"); !errors.Is(err, storage.ErrBusy) {
		t.Errorf("Delete: %v, want ErrBusy", err)
	}
	execute(t, admin, `ROLLBACK`)
	if got := length(t, store, "L"); got != 1 {
		t.Errorf("%d events are left, want 1", got)
	}
	if _, err := store.Blob(t.Context(), hash); err != nil {
		t.Errorf("Blob: %v", err)
	}
	appendNext(t, store, 1)
}

// Concurrent deletes, appends, snapshots and texts at every isolation level cause no deadlock and leave nothing of deleted
// loops.
func TestConcurrentDeletes(t *testing.T) {
	for _, isolation := range []string{"read committed", "repeatable read", "serializable"} {
		t.Run(isolation, func(t *testing.T) {
			where := storetest.WithParameters(t, storetest.PostgreSQL(t), "options", "-c default_transaction_isolation="+strings.ReplaceAll(isolation, " ", "\\ "))
			stores := []*postgres.Store{open(t, where, postgres.Options{}), open(t, where, postgres.Options{})}
			admin := connect(t, where)
			deadlocks := ask[int](t, admin, `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)
			var running sync.WaitGroup
			for w := range 6 {
				store, loop := stores[w%2], fmt.Sprint("L", w%3) // two for each loop
				running.Go(func() {
					for i := range 15 {
						if _, err := store.PutBlob(t.Context(), []byte("the text of all")); err != nil {
							t.Errorf("PutBlob: %v", err)
						}
						at := int64(length(t, store, loop))
						head, events := next(loop, at)
						events[0].Op, events[0].Data = fmt.Sprint(w, "/", i), fmt.Appendf(nil, "%q", loopstate.HashText([]byte("the text of all")).String())
						if err := store.Append(t.Context(), head, at, events); err != nil && !errors.Is(err, loopstate.ErrConflict) {
							t.Errorf("Append: %v", err)
						}
						if err := store.PutSnapshot(t.Context(), loopstate.Snapshot{Loop: loop, Seq: at + 1, Fold: 1}); err != nil {
							t.Errorf("PutSnapshot: %v", err)
						}
						if i%3 == 2 {
							if err := store.Delete(t.Context(), loop); err != nil && !errors.Is(err, loopstate.ErrNotFound) {
								t.Errorf("Delete: %v", err)
							}
						}
					}
				})
			}
			running.Wait()
			for l := range 3 {
				if err := stores[0].Delete(t.Context(), fmt.Sprint("L", l)); err != nil && !errors.Is(err, loopstate.ErrNotFound) {
					t.Errorf("Delete: %v", err)
				}
			}
			for _, table := range []string{"events", "heads", "snapshots"} {
				if n := ask[int](t, admin, `SELECT count(*) FROM citeloop_`+table); n != 0 {
					t.Errorf("%d rows are left in the %s", n, table)
				}
			}
			if n := ask[int](t, admin, `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`) - deadlocks; n != 0 {
				t.Errorf("%d deadlocks", n)
			}
		})
	}
}

// appendNaming starts a loop with an event that names a text.
func appendNaming(t *testing.T, store *postgres.Store, loop, text string) loopstate.Hash {
	t.Helper()
	hash, err := store.PutBlob(t.Context(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	head, events := next(loop, 0)
	events[0].Data = fmt.Appendf(nil, `{"sha256": %q}`, hash.String())
	if err := store.Append(t.Context(), head, 0, events); err != nil {
		t.Fatal(err)
	}
	return hash
}
