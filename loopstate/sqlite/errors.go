package sqlite

import (
	"context"
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// ErrForeign means that the file is not a store of citeloop. Nothing in it was changed.
var ErrForeign = errors.New("not a citeloop store")

// explain adds the problem and the remedy to an error of SQLite. Errors of the contract pass unchanged.
func (s *Store) explain(ctx context.Context, op string, err error) error {
	switch {
	case err == nil:
		return nil
	case storage.IsContract(err):
		return err
	case ctx.Err() != nil && !errors.Is(err, ctx.Err()):
		// A cancelled call fails in many ways, such as "transaction has already been rolled back".
		return fmt.Errorf("sqlite: %s: %w (%v)", op, ctx.Err(), err)
	}
	failure, ok := errors.AsType[*driver.Error](err)
	if !ok {
		return fmt.Errorf("sqlite: %s: %w", op, err)
	}
	switch failure.Code() & 0xff { // the primary code
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return fmt.Errorf("sqlite: %s: %w: %s was locked for %s; end the process that writes to it, or retry: %w",
			op, storage.ErrBusy, s.path, s.options.BusyTimeout, err)
	case codes.SQLITE_NOTADB:
		return fmt.Errorf("sqlite: %s: %w: %s is not a SQLite database or its header was overwritten; choose another data folder, or restore a backup: %w",
			op, ErrForeign, s.path, err)
	case codes.SQLITE_CORRUPT:
		return fmt.Errorf("sqlite: %s: %w", op, database{s}.Damaged(err))
	case codes.SQLITE_FULL:
		return fmt.Errorf("sqlite: %s: disk full: %s; nothing was written, free some space and retry: %w", op, s.path, err)
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return fmt.Errorf("sqlite: %s: not writable: %s; make the file and its folder writable: %w", op, s.path, err)
	}
	return fmt.Errorf("sqlite: %s: %s: %w", op, s.path, err)
}

// Damaged implements [storage.Database].
func (d database) Damaged(cause error) error {
	return fmt.Errorf("%w: move %s with its -wal and -shm files away and restore a backup (`sqlite3 FILE .recover` rescues readable data): %w",
		storage.ErrDamaged, d.path, cause)
}
