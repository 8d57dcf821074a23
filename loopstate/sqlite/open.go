package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// readers is how many reads run at a time. A read takes well under a millisecond, so more would only take memory: each
// connection has a page cache of half a megabyte.
const readers = 4

var _ loopstate.Store = (*Store)(nil)

// Open opens the store in the file at path. It creates the file (mode 0600), its folder (mode 0700) and the tables if they
// are missing. ctx bounds the opening only.
//
// It fails with [ErrForeign] if the file is not a store, with [storage.ErrDamaged] if it is not readable, with
// [storage.ErrTooNew] if a newer version of citeloop wrote it, with [storage.ErrEarlier] if a build from before the first
// release did, and with [storage.ErrBusy] if another process held its lock for longer than Options.BusyTimeout. None of them
// loses an event. Open does not check the whole file, because that would slow down every start: damage deep in the file is
// found by the call that reads it.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	if path == "" {
		return nil, errors.New("sqlite: empty path of the store; name a file")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	if err := createPrivate(path); err != nil {
		return nil, err
	}
	base, err := storage.NewBase()
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, options: options.withDefaults(), base: base}
	s.Tables = storage.NewTables(base, dialect, database{s})
	if err := s.connect(); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(s.explain(ctx, "open", err), s.Close())
	}
	storage.StartPolling(s.Tables, s.options.PollInterval)
	return s, nil
}

func (s *Store) connect() (err error) {
	if s.writer, err = sql.Open("sqlite", s.dsn("_txlock=immediate")); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	s.writer.SetMaxOpenConns(1)
	if s.readers, err = sql.Open("sqlite", s.dsn("_query_only=1")); err != nil {
		return errors.Join(fmt.Errorf("sqlite: %w", err), s.writer.Close())
	}
	s.readers.SetMaxOpenConns(readers)
	s.readers.SetMaxIdleConns(readers)
	s.queries = keepStatements(s.readers)
	return nil
}

// dsn returns the file and the settings of every new connection. busy_timeout comes first, so that the other settings
// wait for a lock. The two fullfsync settings make a commit reach the disk on macOS, where fsync alone does not; they
// have no effect elsewhere. secure_delete overwrites deleted data. The page
// cache is a quarter of the default of 2 MB: the file is in that of the system too, and updates took no longer (measured).
func (s *Store) dsn(more string) string {
	p := filepath.ToSlash(s.path)
	if !strings.HasPrefix(p, "/") { // C:/…
		p = "/" + p
	}
	file, synchronous := url.URL{Scheme: "file", Path: p}, "FULL"
	if s.options.Unsynced {
		synchronous = "OFF"
	}
	return file.String() +
		"?_pragma=busy_timeout(" + strconv.FormatInt(s.options.BusyTimeout.Milliseconds(), 10) + ")" +
		"&_pragma=synchronous(" + synchronous + ")&_pragma=fullfsync(1)&_pragma=checkpoint_fullfsync(1)&_pragma=secure_delete(1)" +
		"&_pragma=cache_size(-512)&" + more
}

// prepare makes the file a store of this version in WAL mode. It does not change a file that is not a store.
func (s *Store) prepare(ctx context.Context) error {
	version, err := s.inspect(ctx)
	if err != nil {
		return err
	}
	if err := s.useWAL(ctx); err != nil {
		return err
	}
	if version == len(migrations) {
		return nil
	}
	return s.transact(ctx, func(tx *sql.Tx) error { return migrate(ctx, tx) })
}

// useWAL sets WAL mode, which the file keeps. If two processes open a new file at the same moment, SQLite may return
// SQLITE_BUSY at once, without waiting for busy_timeout; so useWAL waits.
func (s *Store) useWAL(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.BusyTimeout)
	defer cancel()
	for {
		var mode string
		err := s.writer.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode)
		switch {
		case err == nil && strings.EqualFold(mode, "wal"):
			return nil
		case err == nil:
			return fmt.Errorf("file system without WAL support: %s (journal mode %q); choose a data folder on a local disk", s.path, mode)
		case !isBusy(err):
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond): // about the time of a commit
		}
	}
}

func isBusy(err error) bool {
	failure, ok := errors.AsType[*driver.Error](err)
	return ok && failure.Code()&0xff == codes.SQLITE_BUSY
}

// Close waits for the calls in progress, ends every Watch and closes the file. A second Close has no effect. Later calls,
// and a Load that is not finished, fail with [storage.ErrClosed].
func (s *Store) Close() error {
	return s.base.Close(func() error {
		// The writer last: the last connection to a file removes its WAL.
		if err := errors.Join(s.readers.Close(), s.writer.Close()); err != nil {
			return fmt.Errorf("sqlite: close: %w", err)
		}
		return nil
	})
}
