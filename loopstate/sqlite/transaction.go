package sqlite

import (
	"context"
	"database/sql"
)

// write runs do in one immediate transaction: all of it or nothing.
func (s *Store) write(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // it fails only where SQLite or the context has rolled back already
		return err
	}
	return tx.Commit()
}

// scanner reads the columns of the row at hand.
type scanner func(columns ...any) error

// read runs a query and calls each for every row, until each returns false. It is the only place that goes
// through rows, so that none is read short without an error.
func (s *Store) read(ctx context.Context, each func(scanner) (more bool, err error), query string, args ...any) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	rows, err := s.queries.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for more := true; more && rows.Next(); {
		if more, err = each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// readOne reads the only row of a query into columns; found is false if there is none.
func (s *Store) readOne(ctx context.Context, columns []any, query string, args ...any) (found bool, err error) {
	err = s.read(ctx, func(scan scanner) (bool, error) {
		found = true
		return false, scan(columns...)
	}, query, args...)
	return found && err == nil, err
}
