// Package postgres stores loops in a PostgreSQL database (15 or newer). Many processes on many machines can share it.
//
// An append is one transaction. It updates the loop's head if the head still has the expected sequence number, and inserts
// the texts and events only if that succeeds. The row lock of the head queues the writers of a loop. Writers of different
// loops do not block each other, except while a Delete removes its rows and locks all heads. An operation that the server
// rolled back, or whose connection broke, is retried within the call; one that was done is recognised.
//
// Tables are created at first use, under an advisory lock, in the first schema of the connection's search_path. Their
// names begin with citeloop_.
//
// Data of a completed call is on disk if the server is configured for it: a session with synchronous_commit off is
// corrected, a server with fsync off cannot be.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Options configure a store. The zero value is meant for production.
type Options struct {
	// Timeout is the server's time limit for one statement, including waits for locks. Default is 10 s: less than half of
	// the 25 s limit of a tool call, and thousands of times an append.
	Timeout time.Duration
}

// Store is a [loopstate.Store] in a PostgreSQL database. Many processes may use the database.
type Store struct {
	storage.Tables

	place    string // the database without secrets, for messages
	options  Options
	pool     *pgxpool.Pool
	closed   atomic.Bool
	versions atomic.Int64
}

var _ loopstate.Store = (*Store)(nil)

// database implements [storage.Database] without making it methods of the store.
type database struct{ *Store }

// Open opens the store in the database at a URL: postgres://user@host:port/database?search_path=…
// Missing parts of the URL come from the usual variables and files (PGHOST, PGPASSWORD, ~/.pgpass). pool_max_conns in its
// query limits the connections of this process. Errors do not repeat the URL. Open creates missing tables. ctx bounds the
// opening only.
//
// It fails with [storage.ErrUnavailable] if the server does not answer, with [storage.ErrUnsupported] if it is too old or cannot
// store all text, and with [storage.ErrTooNew] if a newer version of citeloop created the tables.
func Open(ctx context.Context, url string, options Options) (*Store, error) {
	options.Timeout = cmp.Or(max(options.Timeout, 0), 10*time.Second)
	config, err := configure(url, options)
	if err != nil {
		return nil, err
	}
	s := &Store{place: place(config.ConnConfig), options: options}
	if s.Tables, err = storage.NewTables("postgres", database{s}); err != nil {
		return nil, err
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, s.Explain(ctx, "open", err)
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Version implements [loopstate.Store] with a new number at each call: the log itself is asked, in one round trip. A
// notification could come after another replica has answered a call that depends on it.
func (s *Store) Version(context.Context) (int64, error) { return s.versions.Add(1), nil }

// Close waits for the calls in progress and closes the connections. A second Close has no effect. Later calls fail with
// [storage.ErrClosed].
func (s *Store) Close() error {
	s.closed.Store(true)
	s.pool.Close()
	return nil
}
