package sqlite

import (
	"context"
	"database/sql"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// dialect is SQLite's. A page ends on the side of the reader, so the limit of its bytes has no effect in the statement.
var dialect = storage.Dialect{
	Name: "sqlite",
	Page: `SELECT head.seq, coalesce(e.seq, 0), coalesce(e.at, ''), coalesce(e.kind, ''), coalesce(e.version, 0),
			coalesce(e.op, ''), coalesce(e.data, x'')
		FROM citeloop_heads AS head LEFT JOIN citeloop_events AS e ON e.loop = $1 AND e.seq > $2 AND e.seq <= min(head.seq, $3)
		WHERE head.loop = $1 AND $5 > 0
			AND ($6 = '' OR EXISTS (SELECT 1 FROM citeloop_events WHERE loop = $1 AND seq = $2 AND op = $6 AND at = $7))
		ORDER BY e.seq LIMIT $4`,
	Listed: `SELECT value FROM json_each($1)`,
	// A row of 64 kB needs space in the write-ahead log.
	Probe: `INSERT OR REPLACE INTO citeloop_blobs (hash, text) VALUES (x'00', zeroblob(65536));
		DELETE FROM citeloop_blobs WHERE hash = x'00'`,
}

// database implements [storage.Database] without making it methods of the store.
type database struct{ *Store }

var _ storage.Database = database{}

// write runs do in one immediate transaction: all of it or nothing. op is the operation in errors.
func (d database) write(ctx context.Context, op string, do func(*sql.Tx) error) error {
	leave, err := d.base.Enter()
	if err != nil {
		return d.explain(ctx, op, err)
	}
	defer leave()
	return d.explain(ctx, op, d.transact(ctx, do))
}

func (s *Store) transact(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // it fails only if already rolled back
		return err
	}
	return tx.Commit()
}

// Exec implements [storage.Database].
func (d database) Exec(ctx context.Context, op, statement string, args ...any) error {
	return d.write(ctx, op, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
}

// Query implements [storage.Database].
func (d database) Query(ctx context.Context, op string, read func(storage.Rows) error, query string, args ...any) error {
	leave, err := d.base.Enter()
	if err != nil {
		return d.explain(ctx, op, err)
	}
	defer leave()
	rows, err := d.queries.query(ctx, query, args...)
	if err != nil {
		return d.explain(ctx, op, err)
	}
	defer rows.Close()
	return d.explain(ctx, op, read(rows))
}
