package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Database is what a store provides for [Tables]. Its errors name the operation op and tell what to do; those of the contract
// pass unchanged.
type Database interface {
	// Query calls read with the rows of a query. A try on a broken connection may be repeated: each time read starts from the beginning.
	Query(ctx context.Context, op string, read func(Rows) error, query string, args ...any) error
	// Exec runs a statement, which may run twice.
	Exec(ctx context.Context, op, statement string, args ...any) error
	// Append writes texts, events and their head in one transaction, if the log ends with event at and does not have the
	// operation. The arguments are checked.
	Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts []PackedText) error
	// Create writes a whole log, which is checked while it is read, in one transaction.
	Create(ctx context.Context, head loopstate.Head, log iter.Seq2[loopstate.Event, error]) error
	// Delete runs [DeleteLoop] in one transaction.
	Delete(ctx context.Context, loop string) error
	// Damaged says what to do about a damaged store.
	Damaged(cause error) error
	TurnChanger
}

// Rows are the rows of a query; *sql.Rows and pgx.Rows are.
type Rows interface {
	Next() bool
	Scan(columns ...any) error
	Err() error
}

// Dialect has the parts of statements in which the databases differ.
type Dialect struct {
	Name   string // begins errors
	Page   string // the statement of [Tables.Load]
	Listed string // a query for the texts of the JSON array $1
	Lock   string // ends a query for a row that must stay until the end of the statement
	Now    string // the server's time in Unix microseconds; empty: that of this machine
	Probe  string // a statement that writes and leaves nothing
}

// Tables implements the parts of [loopstate.Store] that are alike in all databases. Tables and columns have the same names in
// all, and $1 is the first argument.
type Tables struct {
	Turns
	base    *Base
	dialect Dialect
	db      Database
}

// NewTables returns the tables of a database.
func NewTables(base *Base, dialect Dialect, db Database) Tables {
	t := Tables{base: base, dialect: dialect, db: db}
	t.Turns = Turns{turnRows{t}}
	return t
}

// scanner reads the columns of the current row.
type scanner func(columns ...any) error

// collect returns what row makes of the rows of a query.
func collect[T any](ctx context.Context, db Database, op string, row func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	err = db.Query(ctx, op, func(rows Rows) error {
		all = nil
		for rows.Next() {
			one, err := row(rows.Scan)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		return rows.Err()
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Append writes texts, events and the head in one transaction. Times are stored to the nanosecond, in UTC.
func (t Tables) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts ...[]byte) error {
	if err := CheckAppend(head, at, events); err != nil {
		return fmt.Errorf("%s: append: nothing was written: %w", t.dialect.Name, err)
	}
	packed, err := t.base.Codec.PackTexts(texts) // before any lock
	if err != nil {
		return fmt.Errorf("%s: append: nothing was written: %w", t.dialect.Name, err)
	}
	return t.wake(t.db.Append(ctx, head, at, events, packed))
}

// Create writes a whole log and its head in one transaction.
func (t Tables) Create(ctx context.Context, head loopstate.Head, log iter.Seq2[loopstate.Event, error]) error {
	return t.wake(t.db.Create(ctx, head, CheckCreate(head, log)))
}

// Delete removes a loop in one transaction. After an error, nothing was deleted, unless the store says that the outcome is open.
func (t Tables) Delete(ctx context.Context, loop string) error {
	if !loopstate.Keepable(loop) {
		return loopstate.ErrNotFound // no such loop can be stored
	}
	return t.wake(t.db.Delete(ctx, loop))
}

// wake lets watches look after a change.
func (t Tables) wake(err error) error {
	if err == nil {
		t.base.Watches.Wake()
	}
	return err
}

// DeleteLoop removes a loop and the texts that no other loop names, with statements that exec runs. The head is first: it tells
// whether the loop exists, and stops other writers.
func DeleteLoop(loop string, exec func(statement, loop string) (rows int64, err error)) error {
	for i, statement := range []string{
		`DELETE FROM citeloop_heads WHERE loop = $1`,
		`DELETE FROM citeloop_snapshots WHERE loop = $1`,
		`DELETE FROM citeloop_events WHERE loop = $1`,
		`DELETE FROM citeloop_blobs WHERE hash IN (SELECT hash FROM citeloop_named AS own WHERE loop = $1
			AND NOT EXISTS (SELECT 1 FROM citeloop_named AS other WHERE other.hash = own.hash AND other.loop <> $1))`,
		`DELETE FROM citeloop_named WHERE loop = $1`,
	} {
		switch rows, err := exec(statement, loop); {
		case err != nil:
			return err
		case i == 0 && rows == 0:
			return loopstate.ErrNotFound
		}
	}
	return nil
}

// HeadColumns returns the values of a head: loop, owner, seq, query, round, status, updated_at, stored, readings.
func HeadColumns(h loopstate.Head) []any {
	return []any{h.Loop, h.Owner, h.Seq, h.Query, h.Round, h.Status, FormatTime(h.UpdatedAt), h.Stored, h.Readings}
}

const selectHeads = `SELECT loop, seq, query, round, status, updated_at, stored, readings FROM citeloop_heads WHERE owner = $1`

// Loops lists an owner's heads, last changed first.
func (t Tables) Loops(ctx context.Context, owner string) ([]loopstate.Head, error) {
	return t.heads(ctx, owner, selectHeads+` ORDER BY updated_at DESC, loop`, owner)
}

// Reviewed lists the heads of loops with readings.
func (t Tables) Reviewed(ctx context.Context, owner string, limit int) ([]loopstate.Head, error) {
	return t.heads(ctx, owner, selectHeads+` AND readings > 0 ORDER BY updated_at DESC, loop LIMIT $2`, owner, max(limit, 0))
}

func (t Tables) heads(ctx context.Context, owner, query string, args ...any) ([]loopstate.Head, error) {
	if !loopstate.Keepable(owner) {
		return nil, nil // no such owner can be stored
	}
	return collect(ctx, t.db, "list loops", func(scan scanner) (loopstate.Head, error) {
		h := loopstate.Head{Owner: owner}
		var updated string
		err := scan(&h.Loop, &h.Seq, &h.Query, &h.Round, &h.Status, &updated, &h.Stored, &h.Readings)
		if err == nil {
			h.UpdatedAt, err = ParseTime(updated)
		}
		return h, err
	}, query, args...)
}

// Stored sums the bytes in the owner's heads.
func (t Tables) Stored(ctx context.Context, owner string) (stored int64, err error) {
	if !loopstate.Keepable(owner) {
		return 0, nil // no such owner can be stored
	}
	_, err = collect(ctx, t.db, "count stored bytes", func(scan scanner) (any, error) { return nil, scan(&stored) },
		`SELECT CAST(coalesce(sum(stored), 0) AS bigint) FROM citeloop_heads WHERE owner = $1`, owner)
	return stored, err
}

// Snapshot returns the stored snapshot. A snapshot of an event that is not in the log counts as missing.
func (t Tables) Snapshot(ctx context.Context, loop string) (loopstate.Snapshot, error) {
	if !loopstate.Keepable(loop) {
		return loopstate.Snapshot{}, loopstate.ErrNotFound
	}
	s := loopstate.Snapshot{Loop: loop}
	found, err := collect(ctx, t.db, "snapshot", func(scan scanner) (packed []byte, err error) {
		err = scan(&s.Seq, &s.Fold, &packed)
		return packed, err
	}, `SELECT kept.seq, kept.fold, kept.state
		FROM citeloop_snapshots AS kept JOIN citeloop_heads AS head ON head.loop = kept.loop AND head.seq >= kept.seq
		WHERE kept.loop = $1`, loop)
	switch {
	case err != nil:
		return loopstate.Snapshot{}, err
	case len(found) == 0:
		return loopstate.Snapshot{}, loopstate.ErrNotFound
	}
	return t.base.Codec.UnpackSnapshot(s, found[0])
}

// PutSnapshot stores one snapshot per loop: the newest of the last fold version. It ignores a snapshot of an event that is
// not in the log, because its loop was deleted in the meantime.
func (t Tables) PutSnapshot(ctx context.Context, s loopstate.Snapshot) error {
	packed, err := t.base.Codec.Pack(s.State)
	if err != nil {
		return fmt.Errorf("%s: put snapshot: %w", t.dialect.Name, err)
	}
	return t.db.Exec(ctx, "put snapshot", `INSERT INTO citeloop_snapshots AS kept (loop, seq, fold, state)
		SELECT loop, $2, $3, $4 FROM citeloop_heads WHERE loop = $1 AND seq >= $2 `+t.dialect.Lock+`
		ON CONFLICT (loop) DO UPDATE SET seq = excluded.seq, fold = excluded.fold, state = excluded.state
		WHERE excluded.fold <> kept.fold OR excluded.seq >= kept.seq`, s.Loop, s.Seq, s.Fold, packed)
}

// PutText is the statement that stores a packed text under its hash. It replaces a damaged one.
const PutText = `INSERT INTO citeloop_blobs AS old (hash, text) VALUES ($1, $2)
	ON CONFLICT (hash) DO UPDATE SET text = excluded.text WHERE old.text <> excluded.text`

// PutBlob stores a text of at most 64 MiB. It replaces a damaged text, so that fetching a source again repairs it.
func (t Tables) PutBlob(ctx context.Context, text []byte) (loopstate.Hash, error) {
	hash := loopstate.HashText(text)
	switch _, err := t.Blob(ctx, hash); {
	case err == nil:
		return hash, nil
	case !errors.Is(err, loopstate.ErrNotFound) && !errors.Is(err, ErrDamaged):
		return loopstate.Hash{}, err
	}
	packed, err := t.base.Codec.Pack(text)
	if err != nil {
		return loopstate.Hash{}, fmt.Errorf("%s: put text: %w", t.dialect.Name, err)
	}
	if err := t.db.Exec(ctx, "put text", PutText, hash[:], packed); err != nil {
		return loopstate.Hash{}, err
	}
	return hash, nil
}

// Blob returns the text whose sha256 is h. The error is [ErrDamaged] if the stored bytes differ.
func (t Tables) Blob(ctx context.Context, h loopstate.Hash) ([]byte, error) {
	found, err := collect(ctx, t.db, "text", func(scan scanner) (packed []byte, err error) {
		err = scan(&packed)
		return packed, err
	}, `SELECT text FROM citeloop_blobs WHERE hash = $1`, h[:])
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, fmt.Errorf("%s: text %s: %w", t.dialect.Name, h, loopstate.ErrNotFound)
	}
	text, err := t.base.Codec.UnpackText(found[0], h)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.dialect.Name, err)
	}
	return text, nil
}

// Probe writes a little data and removes it.
func (t Tables) Probe(ctx context.Context) error { return t.db.Exec(ctx, "probe", t.dialect.Probe) }

// Watch sends the loop's last sequence number at once if it has events, and then on every change: changes by this store at
// once, changes by other processes at the next poll. A slow receiver gets the newest number only. Close also closes the
// channel.
func (t Tables) Watch(ctx context.Context, loop string) <-chan int64 {
	return t.base.Watches.Add(ctx, loop)
}

// StartPolling looks for events of other processes every interval, until the base is closed.
func StartPolling(t Tables, interval time.Duration) {
	t.base.Go(func(ctx context.Context) { t.base.Watches.Poll(ctx, interval, t.poll) })
}

// poll reads the last sequence numbers of loops. [Watches] ignores its errors; a Load reports them.
func (t Tables) poll(ctx context.Context, loops []string) (map[string]int64, error) {
	list, err := json.Marshal(slices.DeleteFunc(slices.Clone(loops), func(loop string) bool { return !loopstate.Keepable(loop) }))
	if err != nil {
		return nil, err
	}
	seqs := make(map[string]int64, len(loops))
	_, err = collect(ctx, t.db, "watch", func(scan scanner) (any, error) {
		var loop string
		var seq int64
		err := scan(&loop, &seq)
		seqs[loop] = seq
		return nil, err
	}, `SELECT loop, seq FROM citeloop_heads WHERE loop IN (`+t.dialect.Listed+`)`, string(list))
	return seqs, err
}

// turnRows implements [TurnRows].
type turnRows struct{ Tables }

func (t turnRows) ChangeTurn(ctx context.Context, name string, change func(*Turn, int64) bool) error {
	return t.db.ChangeTurn(ctx, name, change)
}

func (t turnRows) HeldTurns(ctx context.Context, prefix string) (rows map[string]Turn, now int64, err error) {
	rows = map[string]Turn{}
	clock, args := t.dialect.Now, []any{prefix}
	if clock == "" {
		clock, args = "$2", append(args, time.Now().UnixMicro())
	}
	_, err = collect(ctx, t.db, "turn", func(scan scanner) (any, error) {
		var name string
		var turn Turn
		err := scan(&name, &turn.Next, &turn.Held, &now)
		rows[name] = turn
		return nil, err
	}, `SELECT name, next, held, `+clock+` FROM citeloop_turns
		WHERE substr(name, 1, length($1)) = $1 AND held > `+clock, args...)
	return rows, now, err
}
