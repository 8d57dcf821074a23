package storage

import (
	"errors"

	"github.com/citeloop/citeloop/loopstate"
)

// Kinds of a [loopstate.StoreError]. Nothing was written, unless the kind says otherwise; test with errors.Is.
var (
	// ErrBusy means that others held the store for too long.
	ErrBusy = errors.New("the store is busy")
	// ErrClosed means that the store was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrDamaged means that the stored data differs from the written data.
	ErrDamaged = errors.New("the store is damaged")
	// ErrForeign means that the data belongs to another program.
	ErrForeign = errors.New("not a citeloop store")
	// ErrFull means that the disk has no space left.
	ErrFull = errors.New("disk full")
	// ErrReadOnly means that the store or its folder does not accept writes.
	ErrReadOnly = errors.New("the store is not writable")
	// ErrTooNew means that a newer version of citeloop wrote the store.
	ErrTooNew = errors.New("the store belongs to a newer version of citeloop")
	// ErrUnavailable means that the store does not answer. A write may have been done.
	ErrUnavailable = errors.New("the store is unavailable")
	// ErrUnsupported means that the database or the file system lacks something.
	ErrUnsupported = errors.New("unsupported store")
)

// IsContract reports whether an error belongs to the contract of [loopstate.Store] and needs no explanation.
func IsContract(err error) bool {
	return errors.Is(err, loopstate.ErrConflict) || errors.Is(err, loopstate.ErrNotFound)
}
