package postgres

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

const (
	// oldest is the oldest tested server version, as server_version_num.
	oldest = 15_00_00
	// lockClass is the first key of our advisory locks: "clop" in ASCII. The second is the schema's.
	lockClass = 0x636c6f70
)

// migrations upgrade the schema from one version to the next; citeloop_schema counts them. A released migration never
// changes.
//
// Times are text in the format of storage.FormatTime, because a timestamp has microseconds only. Text sorts by bytes
// (COLLATE "C"), so that every server lists loops in the same order. EXTERNAL stops the server from compressing packed
// texts again.
var migrations = storage.Migrations(migrationFiles)

//go:embed migrations
var migrationFiles embed.FS

// prepare checks that the database supports a store, and upgrades the tables to this version.
func (s *Store) prepare(ctx context.Context) error {
	return s.write(ctx, "open", s.options.Timeout, func(ctx context.Context, conn *pgxpool.Conn, _ bool) error {
		schema, err := s.inspect(ctx, conn)
		if err != nil {
			return err
		}
		sum := sha256.Sum256([]byte(schema))
		version, err := schemaVersion(ctx, conn)
		switch {
		case err != nil:
			return err
		case version > len(migrations):
			return &loopstate.StoreError{Kind: storage.ErrTooNew, Place: s.place, Remedy: fmt.Sprintf(
				"schema %q has format %d and this citeloop reads up to %d; update citeloop, or set another search_path in the store's URL",
				schema, version, len(migrations))}
		case version == len(migrations):
			return nil
		}
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			return migrate(ctx, tx, int32(binary.BigEndian.Uint32(sum[:])))
		})
	})
}

// inspect returns the schema of the tables.
func (s *Store) inspect(ctx context.Context, conn *pgxpool.Conn) (string, error) {
	var schema *string
	var version int
	var encoding string
	err := conn.QueryRow(ctx, `SELECT current_schema()::text, current_setting('server_version_num')::int,
		current_setting('server_encoding')`).Scan(&schema, &version, &encoding)
	switch {
	case err != nil:
		return "", err
	case version < oldest:
		return "", s.unsupported(fmt.Sprintf("it runs PostgreSQL %d; update it to 15 or newer", version/1_00_00))
	case encoding != "UTF8":
		return "", s.unsupported(fmt.Sprintf("it has encoding %s; create one with ENCODING 'UTF8'", encoding))
	case schema == nil:
		return "", s.unsupported("no existing schema in its search_path; create it, or set another search_path in the store's URL")
	}
	return *schema, nil
}

func (s *Store) unsupported(remedy string) error {
	return &loopstate.StoreError{Kind: storage.ErrUnsupported, Place: s.place, Remedy: remedy}
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
func migrate(ctx context.Context, tx pgx.Tx, schemaKey int32) error {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, $2)`, int32(lockClass), schemaKey); err != nil {
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
