package sqlite

import (
	"cmp"
	"context"
	"database/sql"

	"github.com/citeloop/citeloop/loopstate"
)

// Delete removes a loop in one transaction. Deleted data is overwritten (secure_delete). The file does not shrink, but its
// space is reused. After an error, nothing was deleted.
func (s *Store) Delete(ctx context.Context, loop string) error {
	err := s.write(ctx, "delete", func(tx *sql.Tx) error {
		for i, query := range []string{
			`DELETE FROM heads WHERE loop = ?`,
			`DELETE FROM snapshots WHERE loop = ?`,
			`DELETE FROM events WHERE loop = ?`,
			`DELETE FROM blobs WHERE hash IN (SELECT hash FROM named AS own WHERE loop = ?1
				AND NOT EXISTS (SELECT 1 FROM named WHERE hash = own.hash AND loop <> ?1))`,
			`DELETE FROM named WHERE loop = ?`,
		} {
			done, err := tx.ExecContext(ctx, query, loop)
			if err != nil {
				return err
			}
			if rows, err := done.RowsAffected(); i == 0 && (err != nil || rows == 0) {
				return cmp.Or(err, loopstate.ErrNotFound)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.base.Watches.Wake()
	return nil
}
