package storage

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/loopstate"
)

// Database is what a store provides for [Tables]. Its errors are explained, see [Tables.Explain].
type Database interface {
	// Query calls read with the rows of a query. A try on a broken connection may be repeated: each time read starts from the beginning.
	Query(ctx context.Context, op string, read func(Rows) error, query string, args ...any) error
	// Write makes a change in one transaction.
	Write(ctx context.Context, change Change) error
	// Fault returns what a person can do about an error, or nil.
	Fault(err error) *loopstate.StoreError
}

// Rows are the rows of a query; *sql.Rows and pgx.Rows are.
type Rows interface {
	Next() bool
	Scan(columns ...any) error
	Err() error
}

// Tables implements the parts of [loopstate.Store] that are alike in all databases. Tables and columns have the same names in
// all, and $1 is the first argument.
type Tables struct {
	name    string // begins errors
	db      Database
	decoder *zstd.Decoder
}

// NewTables returns the tables of a database.
func NewTables(name string, db Database) (Tables, error) {
	decoder, err := newDecoder()
	return Tables{name, db, decoder}, err
}

// Load yields the log as of one statement, so that a slow reader holds no connection. A missing event is an error.
func (t Tables) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		events, err := t.load(ctx, loop, max(after, 0))
		if err != nil {
			yield(loopstate.Event{}, err)
			return
		}
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (t Tables) load(ctx context.Context, loop string, after int64) (events []loopstate.Event, err error) {
	if !loopstate.Keepable(loop) {
		return nil, nil // no loop has this name
	}
	err = t.db.Query(ctx, "load", func(rows Rows) error {
		events = nil
		last, next := int64(0), after+1
		for rows.Next() {
			e := loopstate.Event{Loop: loop}
			var at string
			var data []byte
			if err := rows.Scan(&last, &e.Seq, &at, &e.Kind, &e.Version, &e.Op, &data); err != nil {
				return err
			}
			if e.Seq == 0 { // the head alone
				continue
			}
			var err error
			if e.At, err = parseTime(at); err != nil || e.Seq != next {
				break
			}
			e.Data = data
			events, next = append(events, e), next+1
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if after+int64(len(events)) < last {
			return fmt.Errorf("%w: event %d of loop %s is missing", ErrDamaged, next, loop)
		}
		return nil
	}, `SELECT head.seq, coalesce(e.seq, 0), coalesce(e.at, ''), coalesce(e.kind, ''), coalesce(e.version, 0), coalesce(e.op, ''), e.data
		FROM citeloop_heads AS head LEFT JOIN citeloop_events AS e ON e.loop = head.loop AND e.seq > $2 AND e.seq <= head.seq
		WHERE head.loop = $1 ORDER BY e.seq`, loop, after)
	return events, err
}

// List lists an owner's heads, last changed first.
func (t Tables) List(ctx context.Context, owner string) (heads []loopstate.Head, err error) {
	if !loopstate.Keepable(owner) {
		return nil, nil // no such owner can be stored
	}
	err = t.db.Query(ctx, "list loops", func(rows Rows) error {
		heads = nil
		for rows.Next() {
			h := loopstate.Head{Owner: owner}
			var updated string
			err := rows.Scan(&h.Loop, &h.Seq, &h.Query, &h.Round, &h.Status, &updated, &h.Stored)
			if err == nil {
				h.UpdatedAt, err = parseTime(updated)
			}
			if err != nil {
				return err
			}
			heads = append(heads, h)
		}
		return rows.Err()
	}, `SELECT loop, seq, query, round, status, updated_at, stored FROM citeloop_heads WHERE owner = $1 ORDER BY updated_at DESC, loop`,
		owner)
	return heads, err
}

// Blob returns the text whose sha256 is h. The error is [ErrDamaged] if the stored bytes differ.
func (t Tables) Blob(ctx context.Context, h loopstate.Hash) ([]byte, error) {
	var packed []byte
	found := false
	err := t.db.Query(ctx, "text", func(rows Rows) error {
		if found = rows.Next(); found {
			if err := rows.Scan(&packed); err != nil {
				return err
			}
		}
		return rows.Err()
	}, `SELECT text FROM citeloop_blobs WHERE hash = $1`, h[:])
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("%s: text %s: %w", t.name, h, loopstate.ErrNotFound)
	}
	text, err := unpack(t.decoder, packed, h)
	if err != nil {
		return nil, &loopstate.StoreError{Kind: ErrDamaged, Place: "text " + h.String(), Remedy: "fetch its source again", Cause: err}
	}
	return text, nil
}

// Explain returns the error of a call: the contract's unchanged, a cancelled call's as that of its context, and others with the
// operation and what to do.
func (t Tables) Explain(ctx context.Context, op string, err error) error {
	if err == nil || errors.Is(err, loopstate.ErrConflict) || errors.Is(err, loopstate.ErrNotFound) {
		return err
	}
	if cause := ctx.Err(); cause != nil { // a cancelled call fails in many ways
		return fmt.Errorf("%s: %s: %w (%v)", t.name, op, cause, err)
	}
	if _, said := errors.AsType[*loopstate.StoreError](err); !said {
		if fault := t.db.Fault(err); fault != nil {
			err = fault
		}
	}
	return fmt.Errorf("%s: %s: %w", t.name, op, err)
}
