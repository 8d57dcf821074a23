package sqlite

import (
	"context"
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/citeloop/citeloop/loopstate"
)

// Errors of this store, always wrapped with what happened and what to do about it; test with errors.Is.
var (
	// ErrBusy: another process held the file for longer than Options.BusyTimeout. Nothing was written.
	ErrBusy = errors.New("another process holds the store")
	// ErrDamaged: what the file holds is not what was written.
	ErrDamaged = errors.New("the store is damaged")
	// ErrForeign: the file is not a store of citeloop. Nothing in it was changed.
	ErrForeign = errors.New("not a citeloop store")
	// ErrTooNew: a newer version of citeloop wrote the file. Nothing in it was changed.
	ErrTooNew = errors.New("the store is of a newer version of citeloop")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
)

// explain turns what SQLite says into what happened and what to do. Errors of the contract pass as they are.
func (s *Store) explain(ctx context.Context, op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, loopstate.ErrConflict), errors.Is(err, loopstate.ErrOperationDone), errors.Is(err, loopstate.ErrNotFound):
		return err
	case ctx.Err() != nil && !errors.Is(err, ctx.Err()):
		// A call that its context ended fails in many ways, such as "transaction has already been rolled back".
		return fmt.Errorf("sqlite: %s: %w (%v)", op, ctx.Err(), err)
	}
	failure, ok := errors.AsType[*driver.Error](err)
	if !ok {
		return fmt.Errorf("sqlite: %s: %w", op, err)
	}
	switch failure.Code() & 0xff { // the primary code; the rest is detail
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return fmt.Errorf("sqlite: %s: %w: %s has been locked for %s; end the process that writes to it, or try again: %w",
			op, ErrBusy, s.path, s.options.BusyTimeout, err)
	case codes.SQLITE_NOTADB:
		return fmt.Errorf("sqlite: %s: %w: %s is no SQLite database, or its beginning was overwritten; choose another data folder, or put a backup in its place: %w",
			op, ErrForeign, s.path, err)
	case codes.SQLITE_CORRUPT:
		return fmt.Errorf("sqlite: %s: %w", op, s.damaged(err))
	case codes.SQLITE_FULL:
		return fmt.Errorf("sqlite: %s: the disk of %s is full, nothing was written; make room and try again: %w", op, s.path, err)
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return fmt.Errorf("sqlite: %s: %s and its folder must be writable: %w", op, s.path, err)
	}
	return fmt.Errorf("sqlite: %s: %s: %w", op, s.path, err)
}

func (s *Store) damaged(cause error) error {
	return fmt.Errorf("%w: move %s with its -wal and -shm files aside and put a backup in its place (`sqlite3 FILE .recover` saves what can be saved): %w",
		ErrDamaged, s.path, cause)
}
