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

func (o Options) withDefaults() Options {
	o.BusyTimeout = cmp.Or(max(o.BusyTimeout, 0), 10*time.Second)
	return o
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

var _ storage.Database = database{}

// Append implements [storage.Database]. The head's number guards the append.
func (d database) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts []storage.Text,
	named []loopstate.Hash) error {
	return d.write(ctx, "append", func(exec execFunc) error {
		statement := `UPDATE citeloop_heads SET owner = $2, seq = $3, query = $4, round = $5, status = $6, updated_at = $7,
			stored = stored + $8 WHERE loop = $1 AND seq = $9`
		if at == 0 {
			statement = `INSERT INTO citeloop_heads (loop, owner, seq, query, round, status, updated_at, stored)
				SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE $9 = 0 ON CONFLICT DO NOTHING`
		}
		if rows, err := exec(statement, append(storage.HeadColumns(head), at)...); err != nil || rows == 0 {
			return cmp.Or(err, storage.Conflict(head.Loop, at))
		}
		for _, text := range texts {
			if _, err := exec(storage.PutText, text.Hash[:], text.Packed); err != nil {
				return err
			}
		}
		for _, e := range events {
			data := []byte(e.Data)
			if data == nil {
				data = []byte{} // nil would be NULL
			}
			if _, err := exec(`INSERT INTO citeloop_events (loop, seq, at, kind, version, op, data) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
				e.Loop, e.Seq, storage.FormatTime(e.At), e.Kind, e.Version, e.Op, data); err != nil {
				return err
			}
		}
		for _, hash := range named {
			if _, err := exec(`INSERT OR IGNORE INTO citeloop_named (hash, loop) VALUES ($1, $2)`, hash[:], head.Loop); err != nil {
				return err
			}
		}
		return nil
	})
}

// Delete implements [storage.Database]. Deleted data is overwritten (secure_delete). The file does not shrink, but its space is
// reused.
func (d database) Delete(ctx context.Context, loop string) error {
	return d.write(ctx, "delete", func(exec execFunc) error {
		return storage.DeleteLoop(loop, func(statement, loop string) (int64, error) { return exec(statement, loop) })
	})
}

// execFunc runs a statement of a transaction and returns the number of changed rows.
type execFunc func(statement string, args ...any) (rows int64, err error)

// write runs do in one immediate transaction: all of it or nothing. op is the operation in errors.
func (s *Store) write(ctx context.Context, op string, do func(execFunc) error) error {
	return s.call(ctx, op, true, func() error { return s.transact(ctx, do) })
}

// call runs do, alone on the writer or not.
func (s *Store) call(ctx context.Context, op string, alone bool, do func() error) error {
	if alone {
		select {
		case s.turn <- struct{}{}:
			defer func() { <-s.turn }()
		case <-ctx.Done():
			return s.explain(ctx, op, ctx.Err())
		}
	}
	return s.explain(ctx, op, do())
}

// transact runs do in a transaction, which ctx does not cancel any more once do has returned.
func (s *Store) transact(ctx context.Context, do func(execFunc) error) (err error) {
	exec := func(ctx context.Context, statement string, args ...any) (int64, error) {
		prepared, err := s.writes.prepare(ctx, statement)
		if err != nil {
			return 0, err
		}
		done, err := prepared.ExecContext(ctx, args...)
		if err != nil {
			return 0, err
		}
		return done.RowsAffected()
	}
	if _, err := exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	uncancelled := context.WithoutCancel(ctx)
	err = do(func(statement string, args ...any) (int64, error) { return exec(ctx, statement, args...) })
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		_, err = exec(uncancelled, "COMMIT")
	}
	if err != nil {
		_, _ = exec(uncancelled, "ROLLBACK") // it fails only if SQLite has already rolled back
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
	return version, s.explain(ctx, "version", err)
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
