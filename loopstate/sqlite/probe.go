package sqlite

import (
	"context"
	"database/sql"
)

// Probe writes and removes a row of 64 kB in one transaction, which needs space in the write-ahead log.
func (s *Store) Probe(ctx context.Context) error {
	return s.write(ctx, "probe", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO blobs (hash, text) VALUES (x'00', zeroblob(65536))`); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM blobs WHERE hash = x'00'`)
		return err
	})
}
