package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

var _ loopstate.Store = (*Store)(nil)

// Open opens the store in the database at a URL: postgres://user@host:port/database?search_path=…
// Missing parts of the URL come from the usual variables and files (PGHOST, PGPASSWORD, ~/.pgpass). pool_max_conns in its
// query limits the connections of this process. Errors do not repeat the URL. Open creates missing tables. ctx bounds the
// opening only.
//
// It fails with [ErrUnavailable] if the server does not answer, with [ErrUnsupported] if it is too old or cannot store all
// text, and with [storage.ErrTooNew] if a newer version of citeloop created the tables.
func Open(ctx context.Context, url string, options Options) (*Store, error) {
	options = options.withDefaults()
	config, err := configure(url, options)
	if err != nil {
		return nil, err
	}
	base, err := storage.NewBase()
	if err != nil {
		return nil, err
	}
	s := &Store{place: place(config.ConnConfig), options: options, base: base}
	s.Tables = storage.NewTables(base, dialect, database{s})
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		_ = base.Close(func() error { return nil })
		return nil, s.explain(ctx, "open", err)
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	storage.StartPolling(s.Tables, s.options.PollInterval)
	return s, nil
}

// Close waits for the calls in progress, ends every Watch and closes the connections. A second Close has no effect. Later
// calls, and a Load that is not finished, fail with [storage.ErrClosed].
func (s *Store) Close() error {
	return s.base.Close(func() error {
		s.pool.Close()
		return nil
	})
}
