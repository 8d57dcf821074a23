package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Fault implements [storage.Database].
func (s database) Fault(err error) *loopstate.StoreError {
	fault := func(kind error, remedy string) *loopstate.StoreError {
		return &loopstate.StoreError{Kind: kind, Place: s.path, Remedy: remedy, Cause: err}
	}
	code := -1 // the primary one
	if failure, ok := errors.AsType[*driver.Error](err); ok {
		code = failure.Code() & 0xff
	}
	switch {
	case s.closed.Load():
		return fault(storage.ErrClosed, "restart citeloop")
	case code == codes.SQLITE_FULL, errors.Is(err, syscall.ENOSPC):
		return fault(storage.ErrFull, "nothing was written; free some space and retry")
	case code == codes.SQLITE_READONLY, code == codes.SQLITE_CANTOPEN, code == codes.SQLITE_PERM, errors.Is(err, fs.ErrPermission),
		errors.Is(err, syscall.EROFS):
		return fault(storage.ErrReadOnly, "make the file and its folder writable")
	case code == codes.SQLITE_BUSY, code == codes.SQLITE_LOCKED:
		return fault(storage.ErrBusy, fmt.Sprintf("end the process that locked it for %s, or retry", s.options.BusyTimeout))
	case code == codes.SQLITE_NOTADB:
		return fault(storage.ErrForeign, "its header is not SQLite's; choose another data folder, or restore a backup")
	case code == codes.SQLITE_CORRUPT, code == codes.SQLITE_CONSTRAINT, errors.Is(err, storage.ErrDamaged):
		return fault(storage.ErrDamaged, "move it with its -wal and -shm files to another folder and restore a backup "+
			"('sqlite3 FILE .recover' rescues readable data)")
	case code == codes.SQLITE_IOERR:
		return fault(storage.ErrUnavailable, "check the disk and its free space, and retry")
	}
	return nil
}
