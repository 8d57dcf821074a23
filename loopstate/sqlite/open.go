package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
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

// Memory is the path of a store without a file, which ends with the process.
const Memory = ":memory:"

// Open opens the store in the file at path. It creates the file (mode 0600), its folder (mode 0700) and the tables if they
// are missing. ctx bounds the opening only.
//
// It fails with [storage.ErrForeign] if the file is not a store, with [storage.ErrDamaged] if it is not readable, with
// [storage.ErrTooNew] if a newer version of citeloop wrote it, and with [storage.ErrBusy] if another process held its lock for
// longer than Options.BusyTimeout. None of them loses an event. Open does not check the whole file, because that would slow down
// every start: damage deep in the file is found by the call that reads it.
func Open(ctx context.Context, path string, options Options) (s *Store, err error) {
	if path == "" {
		return nil, errors.New("sqlite: empty path of the store; name a file")
	}
	options.BusyTimeout = cmp.Or(max(options.BusyTimeout, 0), 10*time.Second)
	s = &Store{path: path, options: options, turn: make(chan struct{}, 1)}
	if s.Tables, err = storage.NewTables("sqlite", database{s}); err != nil {
		return nil, err
	}
	if path != Memory {
		if s.path, err = filepath.Abs(path); err != nil {
			return nil, fmt.Errorf("sqlite: %w", err)
		}
		if err = createPrivate(s.path); err != nil {
			return nil, s.Explain(ctx, "open", err)
		}
	}
	if err = s.connect(ctx); err == nil {
		err = s.prepare(ctx)
	}
	if err != nil {
		return nil, errors.Join(s.Explain(ctx, "open", err), s.Close())
	}
	return s, nil
}

// createPrivate creates an empty file that only its owner can read, and its folder, if they are missing: SQLite would create the file
// with the mode of the umask. A file that is there is not opened, because closing a descriptor of it outside SQLite would drop all locks of
// this process (https://www.sqlite.org/howtocorrupt.html, section 2.2).
func createPrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("not a regular file: %s; name the file of the store", path)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

func (s *Store) connect(ctx context.Context) (err error) {
	if s.writer, err = sql.Open("sqlite", s.dsn("")); err != nil {
		return err
	}
	if s.conn, err = s.writer.Conn(ctx); err != nil {
		return err
	}
	s.writes = &statements{db: s.conn}
	if s.reads = s.writes; s.path == Memory {
		return nil
	}
	if s.readers, err = sql.Open("sqlite", s.dsn("&_query_only=1")); err != nil {
		return err
	}
	s.readers.SetMaxOpenConns(readers)
	s.readers.SetMaxIdleConns(readers)
	s.reads = &statements{db: s.readers}
	return nil
}

// dsn returns the file and the settings of every new connection. busy_timeout comes first, so that the other settings
// wait for a lock. The two fullfsync settings make a commit reach the disk on macOS, where fsync alone does not; they
// have no effect elsewhere. secure_delete overwrites deleted data. The page
// cache is a quarter of the default of 2 MB: the file is in that of the system too, and updates took no longer (measured).
func (s *Store) dsn(more string) string {
	if s.path == Memory {
		return "file::memory:"
	}
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
		"&_pragma=cache_size(-512)" + more
}

// prepare makes the file a store of this version in WAL mode. It does not change a file that is not a store.
func (s *Store) prepare(ctx context.Context) error {
	version, _, err := s.inspect(ctx)
	if err != nil {
		return err
	}
	if s.path != Memory {
		if err := s.useWAL(ctx); err != nil {
			return err
		}
	}
	if version == len(migrations) {
		return nil
	}
	return s.transact(ctx, func() error { return s.migrate(ctx) })
}

// useWAL sets WAL mode, which the file keeps. If two processes open a new file at the same moment, SQLite may return
// SQLITE_BUSY at once, without waiting for busy_timeout; so useWAL waits.
func (s *Store) useWAL(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.BusyTimeout)
	defer cancel()
	for {
		var mode string
		err := s.conn.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode)
		switch {
		case err == nil && strings.EqualFold(mode, "wal"):
			return nil
		case err == nil:
			return &loopstate.StoreError{Kind: storage.ErrUnsupported, Place: s.path,
				Remedy: fmt.Sprintf("its file system has no WAL support (journal mode %q); choose a data folder on a local disk", mode)}
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
