package sqlite

import (
	"context"
	"database/sql"
)

// write runs do in one immediate transaction: all of it or nothing. op is the operation in errors.
func (s *Store) write(ctx context.Context, op string, do func(*sql.Tx) error) error {
	leave, err := s.base.Enter()
	if err != nil {
		return s.explain(ctx, op, err)
	}
	defer leave()
	return s.explain(ctx, op, s.transact(ctx, do))
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

// scanner reads the columns of the current row.
type scanner func(columns ...any) error

// read runs a query and calls each for every row, until each returns false. All reads use it, so that none misses the
// error at the end of the rows.
func (s *Store) read(ctx context.Context, each func(scanner) (more bool, err error), query string, args ...any) error {
	leave, err := s.base.Enter()
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

// readOne reads the only row of a query into columns; found is false without a row.
func (s *Store) readOne(ctx context.Context, columns []any, query string, args ...any) (found bool, err error) {
	err = s.read(ctx, func(scan scanner) (bool, error) {
		found = true
		return false, scan(columns...)
	}, query, args...)
	return found && err == nil, err
}
