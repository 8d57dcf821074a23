package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Probe sends a statement that writes to the database's log.
func (s *Store) Probe(ctx context.Context) error {
	return s.write(ctx, "probe", func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, `SELECT pg_logical_emit_message(true, 'citeloop', repeat('0', 16384))`)
		return err
	})
}
