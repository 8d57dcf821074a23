package storage

import (
	"errors"

	"github.com/citeloop/citeloop/loopstate"
)

// Errors of the stores, always wrapped with the cause and the remedy; test with errors.Is.
var (
	// ErrBusy means that others held the store for too long. Nothing was written.
	ErrBusy = errors.New("the store is busy")
	// ErrDamaged means that the stored data differs from the written data.
	ErrDamaged = errors.New("the store is damaged")
	// ErrTooNew means that a newer version of citeloop wrote the store. Nothing was changed.
	ErrTooNew = errors.New("the store belongs to a newer version of citeloop")
	// ErrEarlier means that a build from before the first release wrote the store, whose tables have other names. Nothing was changed.
	ErrEarlier = errors.New("the store was made by an earlier build of citeloop")
	// ErrClosed means that the store was closed.
	ErrClosed = errors.New("the store is closed")
)

// IsContract reports whether an error belongs to the contract of [loopstate.Store] and needs no explanation.
func IsContract(err error) bool {
	return errors.Is(err, loopstate.ErrConflict) || errors.Is(err, loopstate.ErrOperationDone) || errors.Is(err, loopstate.ErrNotFound)
}
