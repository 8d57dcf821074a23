package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/citeloop/citeloop/loopstate"
)

// Errors of this store, always wrapped with what happened and what to do about it; test with errors.Is.
var (
	// ErrUnavailable: the server does not answer, or the connection broke again and again. Whether a write
	// was done is open; repeating it with the same operation id tells.
	ErrUnavailable = errors.New("the database cannot be reached")
	// ErrBusy: a statement took longer than Options.Timeout. Nothing was written.
	ErrBusy = errors.New("the database is too busy")
	// ErrDamaged: what the database holds is not what was written.
	ErrDamaged = errors.New("the store is damaged")
	// ErrTooNew: a newer version of citeloop made the tables. Nothing in them was changed.
	ErrTooNew = errors.New("the store is of a newer version of citeloop")
	// ErrUnsupported: the server is older than PostgreSQL 15, or the database does not keep text in UTF-8.
	ErrUnsupported = errors.New("this database cannot keep a store")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
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

// rolledBack reports that the server gave up a transaction for another's sake: nothing was written.
func rolledBack(err error) bool {
	c := code(err)
	return c == serializationFailure || c == deadlockDetected
}

// lost reports that the connection is gone, and with it the answer, if there was one.
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

// code is what the server said, or empty if it said nothing.
func code(err error) string {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failure.Code
	}
	return ""
}

// explain turns what the server says into what happened and what to do. Errors of the contract pass as they
// are.
func (s *Store) explain(ctx context.Context, op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, loopstate.ErrConflict), errors.Is(err, loopstate.ErrOperationDone), errors.Is(err, loopstate.ErrNotFound):
		return err
	case ctx.Err() != nil && !errors.Is(err, ctx.Err()):
		return fmt.Errorf("postgres: %s: %w (%v)", op, ctx.Err(), err)
	case ctx.Err() != nil, errors.Is(err, ErrClosed):
		return fmt.Errorf("postgres: %s: %w", op, err)
	}
	say := func(kind error, hint string) error {
		return fmt.Errorf("postgres: %s: %w: %s: %s: %w", op, kind, s.place, hint, err)
	}
	switch code(err) {
	case queryCanceled:
		return say(ErrBusy, fmt.Sprintf("no answer within %s, nothing was written; end what blocks it, or try again", s.options.Timeout))
	case tooManyConnections:
		return say(ErrUnavailable, "it has no connection left; raise max_connections, or set a lower pool_max_conns in the store's URL")
	case diskFull:
		return fmt.Errorf("postgres: %s: the disk of the %s is full, nothing was written; make room and try again: %w", op, s.place, err)
	case insufficientRight:
		return fmt.Errorf("postgres: %s: the user of the store's URL may not do this in the %s; it needs to own its tables, and to create them once: %w", op, s.place, err)
	case readOnlyTransaction:
		return fmt.Errorf("postgres: %s: the %s cannot be written; if it is a standby, name the primary: %w", op, s.place, err)
	case undefinedTable:
		return say(ErrDamaged, "a table is gone; put a backup back, or start citeloop again to begin anew")
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	switch {
	case strings.HasPrefix(code(err), "XX"):
		return say(ErrDamaged, "the server found a fault in itself or its files; look at its log")
	case connecting && code(err) != "" && !lost(err):
		return say(ErrUnavailable, "the server answers and refuses; see that user, password and database are right")
	case connecting, lost(err):
		return say(ErrUnavailable, "see that the server runs and the URL is right, then try again; an operation that was done is recognised")
	case errors.Is(err, context.DeadlineExceeded):
		return say(ErrUnavailable, fmt.Sprintf("no answer within %s; try again, an operation that was done is recognised", s.options.Timeout+grace))
	}
	return fmt.Errorf("postgres: %s: %s: %w", op, s.place, err)
}

func (s *Store) damaged(cause error) error {
	return fmt.Errorf("%w: put a backup of the %s in its place: %w", ErrDamaged, s.place, cause)
}
