package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// Errors of this store only, always wrapped with the cause and the remedy; test with errors.Is.
var (
	// ErrUnavailable means that the server does not answer, or that connections keep breaking. A write may have been done;
	// repeat it with the same operation id to find out.
	ErrUnavailable = errors.New("the database is unavailable")
	// ErrUnsupported means that the server is older than PostgreSQL 15, or that the database does not store text as UTF-8.
	ErrUnsupported = errors.New("unsupported database")
)

// Codes of https://www.postgresql.org/docs/current/errcodes-appendix.html
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	uniqueViolation      = "23505"
	insufficientRight    = "42501"
	readOnlyTransaction  = "25006"
	undefinedTable       = "42P01"
	diskFull             = "53100"
	tooManyConnections   = "53300"
	queryCanceled        = "57014"
	adminShutdown        = "57P01"
	crashShutdown        = "57P02"
	cannotConnectNow     = "57P03"
)

// rolledBack reports whether the server rolled a transaction back in favor of another. Nothing was written.
func rolledBack(err error) bool {
	c := code(err)
	return c == serializationFailure || c == deadlockDetected
}

// lost reports whether the connection broke, so that the outcome is unknown.
func lost(err error) bool {
	switch c := code(err); {
	case strings.HasPrefix(c, "08"), c == adminShutdown, c == crashShutdown, c == cannotConnectNow:
		return true
	case c != "", errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	}
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, pgconn.ErrConnClosed)
}

// code returns the server's error code, or "" if it returned none.
func code(err error) string {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failure.Code
	}
	return ""
}

// explain adds the problem and the remedy to an error of the server. Errors of the contract pass unchanged.
func (s *Store) explain(ctx context.Context, op string, err error) error {
	switch {
	case err == nil:
		return nil
	case storage.IsContract(err):
		return err
	case ctx.Err() != nil && !errors.Is(err, ctx.Err()):
		return fmt.Errorf("postgres: %s: %w (%v)", op, ctx.Err(), err)
	case ctx.Err() != nil, errors.Is(err, storage.ErrClosed):
		return fmt.Errorf("postgres: %s: %w", op, err)
	}
	say := func(kind error, hint string) error {
		return fmt.Errorf("postgres: %s: %w: %s: %s: %w", op, kind, s.place, hint, err)
	}
	switch code(err) {
	case queryCanceled:
		return say(storage.ErrBusy, fmt.Sprintf("no answer within %s, nothing was written; end the blocking session, or retry", s.options.Timeout))
	case tooManyConnections:
		return say(ErrUnavailable, "too many connections; raise max_connections, or set a lower pool_max_conns in the store's URL")
	case diskFull:
		return fmt.Errorf("postgres: %s: disk full: %s; nothing was written, free some space and retry: %w", op, s.place, err)
	case insufficientRight:
		return fmt.Errorf("postgres: %s: insufficient rights in the %s; let the user of the store's URL create and own its tables: %w", op, s.place, err)
	case readOnlyTransaction:
		return fmt.Errorf("postgres: %s: read-only: %s; if it is a standby, use the primary: %w", op, s.place, err)
	case undefinedTable:
		return say(storage.ErrDamaged, "missing table; restore a backup, or restart citeloop to create an empty store")
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	switch {
	case strings.HasPrefix(code(err), "XX"):
		return say(storage.ErrDamaged, "internal error of the server; read its log")
	case connecting && code(err) != "" && !lost(err):
		return say(ErrUnavailable, "the server refused the connection; check user, password and database")
	case connecting, lost(err):
		return say(ErrUnavailable, "check that the server runs and the URL is right, then retry; a completed operation is not repeated")
	case errors.Is(err, context.DeadlineExceeded):
		return say(ErrUnavailable, fmt.Sprintf("no answer within %s; retry, a completed operation is not repeated", s.options.Timeout+grace))
	}
	return fmt.Errorf("postgres: %s: %s: %w", op, s.place, err)
}

// Damaged implements [storage.Database].
func (d database) Damaged(cause error) error {
	return fmt.Errorf("%w: restore a backup of the %s: %w", storage.ErrDamaged, d.place, cause)
}
