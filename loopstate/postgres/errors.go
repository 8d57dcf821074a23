package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Codes of https://www.postgresql.org/docs/current/errcodes-appendix.html
const queryCanceled = "57014"

// faults are the errors of the server that a person can end, by code.
var faults = map[string]struct {
	kind   error
	remedy string
}{
	"25006": {storage.ErrReadOnly, "if it is a standby, use the primary"},
	"42501": {storage.ErrReadOnly, "insufficient rights; let the user of the store's URL create and own its tables"},
	"42P01": {storage.ErrDamaged, "missing table; restore a backup, or restart citeloop to create an empty store"},
	"53100": {storage.ErrFull, "nothing was written; free some space and retry"},
	"53300": {storage.ErrUnavailable, "too many connections; raise max_connections, or set a lower pool_max_conns in the store's URL"},
}

// rolledBack reports whether the server rolled a transaction back in favor of another. Nothing was written.
func rolledBack(err error) bool {
	return slices.Contains([]string{"40001", "40P01"}, code(err)) // serialization failure, deadlock
}

// lost reports whether the connection broke, so that the outcome is unknown.
func lost(err error) bool {
	switch c := code(err); {
	case strings.HasPrefix(c, "08"), strings.HasPrefix(c, "57P0"): // connection, shutdown
		return true
	case c != "", errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	}
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, pgconn.ErrConnClosed)
}

// code returns the server's error code, or "" if it returned none.
func code(err error) string {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failure.Code
	}
	return ""
}

// Fault implements [storage.Database].
func (s database) Fault(err error) *loopstate.StoreError {
	fault := func(kind error, remedy string) *loopstate.StoreError {
		return &loopstate.StoreError{Kind: kind, Place: s.place, Remedy: remedy, Cause: err}
	}
	if s.closed.Load() {
		return fault(storage.ErrClosed, "restart citeloop")
	}
	if known, ok := faults[code(err)]; ok {
		return fault(known.kind, known.remedy)
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	switch {
	case code(err) == queryCanceled:
		return fault(storage.ErrBusy, fmt.Sprintf("no answer within %s, nothing was written; end the blocking session, or retry",
			s.options.Timeout))
	case errors.Is(err, storage.ErrDamaged):
		return fault(storage.ErrDamaged, "restore a backup")
	case strings.HasPrefix(code(err), "XX"):
		return fault(storage.ErrDamaged, "internal error of the server; read its log")
	case connecting && code(err) != "" && !lost(err):
		return fault(storage.ErrUnavailable, "the server refused the connection; check user, password and database")
	case connecting, lost(err):
		return fault(storage.ErrUnavailable, "check that the server runs and the URL is right, then retry; a completed operation is "+
			"not repeated")
	case errors.Is(err, context.DeadlineExceeded):
		return fault(storage.ErrUnavailable, fmt.Sprintf("no answer within %s; retry, a completed operation is not repeated",
			s.options.Timeout+grace))
	}
	return nil
}
