// Package sqlite stores loops in one SQLite file. It is the default store and needs no setup.
//
// Many processes of one machine may share the file, but not over a network file system. WAL mode lets reads run beside
// a write, and synchronous=FULL means that a commit that returned is on disk. One connection writes: SQLite has a single
// writer anyway, and a queue in Go is fair, while a pool of connections competing for the lock is not (measured: stalls
// of 15 ms against 531 ms). Every write is one BEGIN IMMEDIATE transaction. A few read-only connections serve reads.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Options configure a store. The zero value is meant for production.
type Options struct {
	// BusyTimeout is how long a call waits for another process that writes. Default is 10 s: less than half of the 25 s
	// limit of a tool call, and thousands of times a commit.
	BusyTimeout time.Duration
	// Unsynced commits without waiting for the disk, for tests: a power failure may lose commits that returned.
	Unsynced bool
}

// Store is a [loopstate.Store] in one file. Many processes may have the file open.
type Store struct {
	storage.Tables

	path    string
	options Options
	closed  atomic.Bool
	turn    chan struct{} // has a token while a call uses the writer
	writer  *sql.DB       // one connection, which waits for other processes inside SQLite
	conn    *sql.Conn     // it
	writes  *statements   // of conn
	readers *sql.DB       // connections that cannot write; nil for a store in memory, which has one connection
	reads   *statements   // of readers
	unknown atomic.Int64  // versions that were not read
}

var _ loopstate.Store = (*Store)(nil)

// database implements [storage.Database] without making it methods of the store.
type database struct{ *Store }

// Write implements [storage.Database], alone on the writer. Deleted data is overwritten (secure_delete). The file does not shrink, but
// its space is reused.
func (d database) Write(ctx context.Context, change storage.Change) error {
	return d.call(ctx, change.Op, true, func() error {
		return d.transact(ctx, func() error {
			if rows, err := d.exec(ctx, change.First); err != nil || rows == 0 {
				return cmp.Or(err, change.Refused)
			}
			for _, statement := range change.Rest {
				if _, err := d.exec(ctx, statement); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// exec runs a statement on the writer and returns the number of changed rows.
func (s *Store) exec(ctx context.Context, statement storage.Statement) (rows int64, err error) {
	prepared, err := s.writes.prepare(ctx, statement.Text)
	if err != nil {
		return 0, err
	}
	done, err := prepared.ExecContext(ctx, statement.Args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// call runs do, alone on the writer or not.
func (s *Store) call(ctx context.Context, op string, alone bool, do func() error) error {
	if alone {
		select {
		case s.turn <- struct{}{}:
			defer func() { <-s.turn }()
		case <-ctx.Done():
			return s.Explain(ctx, op, ctx.Err())
		}
	}
	return s.Explain(ctx, op, do())
}

// transact runs do in one immediate transaction, all of it or nothing. ctx does not cancel it any more once do has returned.
func (s *Store) transact(ctx context.Context, do func() error) error {
	uncancelled := context.WithoutCancel(ctx)
	_, err := s.exec(ctx, storage.Statement{Text: "BEGIN IMMEDIATE"})
	if err == nil {
		err = cmp.Or(do(), ctx.Err())
	}
	if err == nil {
		_, err = s.exec(uncancelled, storage.Statement{Text: "COMMIT"})
	}
	if err != nil { // a BEGIN that was cancelled may have begun one; without a transaction, this one fails
		_, _ = s.exec(uncancelled, storage.Statement{Text: "ROLLBACK"})
	}
	return err
}

// Query implements [storage.Database].
func (d database) Query(ctx context.Context, op string, read func(storage.Rows) error, query string, args ...any) error {
	return d.call(ctx, op, d.readers == nil, func() error {
		prepared, err := d.reads.prepare(ctx, query)
		if err != nil {
			return err
		}
		rows, err := prepared.QueryContext(ctx, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		return read(rows)
	})
}

// Version implements [loopstate.Store]. SQLite counts on each connection the commits of others (PRAGMA data_version), and this
// process writes on one. While that one is busy, Version does not wait and returns a number that it never returns again.
func (s *Store) Version(ctx context.Context) (version int64, err error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	default:
		return -s.unknown.Add(1), nil
	}
	prepared, err := s.writes.prepare(ctx, `PRAGMA data_version`)
	if err == nil {
		err = prepared.QueryRowContext(ctx).Scan(&version)
	}
	return version, s.Explain(ctx, "version", err)
}

// Close waits for the calls in progress and closes the file. A second Close has no effect. Later calls fail with
// [storage.ErrClosed].
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	// The writer last: the last connection to a file removes its WAL.
	var errs []error
	if s.readers != nil {
		errs = append(errs, s.reads.close(), s.readers.Close())
	}
	if s.conn != nil {
		errs = append(errs, s.writes.close(), s.conn.Close())
	}
	if err := errors.Join(append(errs, s.writer.Close())...); err != nil {
		return fmt.Errorf("sqlite: close: %w", err)
	}
	return nil
}

// statements are the prepared statements of a pool or a connection: preparing takes longer than running, and there are few.
type statements struct {
	db interface {
		PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
	}
	kept sync.Map // *sql.Stmt by text
}

func (s *statements) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	if kept, ok := s.kept.Load(text); ok {
		return kept.(*sql.Stmt), nil
	}
	fresh, err := s.db.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	kept, others := s.kept.LoadOrStore(text, fresh)
	if others { // another call was faster
		_ = fresh.Close()
	}
	return kept.(*sql.Stmt), nil
}

func (s *statements) close() (err error) {
	s.kept.Range(func(_, kept any) bool {
		err = errors.Join(err, kept.(*sql.Stmt).Close())
		return true
	})
	return err
}
