package postgres

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// migrating is the key of the advisory lock under which tables are upgraded: "clop" in ASCII.
const migrating = 0x636c6f70

// migrations upgrade the schema from one version to the next; citeloop_schema counts them. A released migration never
// changes.
//
// Times are text with nanoseconds, because a timestamp has microseconds only. Text sorts by bytes
// (COLLATE "C"), so that every server lists loops in the same order. EXTERNAL stops the server from compressing packed
// texts again.
var migrations = storage.Migrations(migrationFiles)

//go:embed migrations
var migrationFiles embed.FS

// prepare checks that the database supports a store, and upgrades the tables to this version.
func (s *Store) prepare(ctx context.Context) error {
	return s.write(ctx, "open", s.options.Timeout, func(ctx context.Context, conn *pgxpool.Conn, _ bool) error {
		var schema, encoding string
		err := conn.QueryRow(ctx, `SELECT coalesce(current_schema()::text, ''), current_setting('server_encoding')`).
			Scan(&schema, &encoding)
		if err != nil {
			return err
		}
		refuse := func(kind error, remedy string) error {
			return &loopstate.StoreError{Kind: kind, Place: s.place, Remedy: remedy}
		}
		version, err := schemaVersion(ctx, conn)
		switch {
		case err != nil:
			return err
		case encoding != "UTF8":
			return refuse(storage.ErrUnsupported, fmt.Sprintf("it has encoding %s; create one with ENCODING 'UTF8'", encoding))
		case schema == "":
			return refuse(storage.ErrUnsupported,
				"no existing schema in its search_path; create it, or set another search_path in the store's URL")
		case version > len(migrations):
			return refuse(storage.ErrTooNew, fmt.Sprintf(
				"schema %q has format %d and this citeloop reads up to %d; update citeloop, or set another search_path in the store's URL",
				schema, version, len(migrations)))
		case version == len(migrations):
			return nil
		}
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return migrate(ctx, tx) })
	})
}

// schemaVersion returns the version of the tables in the current schema, or 0 without tables. It queries the catalog,
// because to_regclass uses a cache that waiting for an advisory lock does not refresh.
func schemaVersion(ctx context.Context, db interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}) (version int, err error) {
	var there bool
	err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
		WHERE c.relname = 'citeloop_schema' AND n.nspname = current_schema())`).Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	err = db.QueryRow(ctx, `SELECT version FROM citeloop_schema`).Scan(&version)
	return version, err
}

// migrate runs the missing migrations. It reads the version again under the lock, because another process may have run
// them.
func migrate(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrating)); err != nil {
		return err
	}
	version, err := schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	for ; version < len(migrations); version++ {
		if _, err := tx.Exec(ctx, migrations[version]); err != nil {
			return fmt.Errorf("migration %d: %w", version+1, err)
		}
	}
	_, err = tx.Exec(ctx, fmt.Sprintf(`
		CREATE TABLE IF NOT EXISTS citeloop_schema (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL);
		INSERT INTO citeloop_schema (version) VALUES (%d) ON CONFLICT (one) DO UPDATE SET version = excluded.version`, version))
	return err
}
