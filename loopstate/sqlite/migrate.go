package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// applicationID marks a file as ours in the database's header: "clop" in ASCII.
const applicationID = 0x636c6f70

// migrations upgrade the schema from one version to the next; PRAGMA user_version counts them. A released migration
// never changes.
//
// Times are text in the format of storage.FormatTime. Events and heads are found by their key only, so their tables are
// WITHOUT ROWID, which stores a loop's events side by side. Texts are too large for that.
var migrations = storage.Migrations(migrationFiles)

//go:embed migrations
var migrationFiles embed.FS

// inspect returns the version of the schema: 0 for a new file.
func (s *Store) inspect(ctx context.Context) (version int, err error) {
	var application, objects, tables int
	// One statement, so that it sees all or nothing of a migration that another process runs now.
	err = s.writer.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM sqlite_schema),
		(SELECT count(*) FROM sqlite_schema WHERE name = 'citeloop_events'),
		(SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version)`).Scan(&objects, &tables, &application, &version)
	switch {
	case err != nil:
		return 0, err
	case application == 0 && version == 0 && objects == 0:
		return 0, nil
	case application != applicationID:
		return 0, fmt.Errorf("%w: %s is another program's database; choose another data folder", ErrForeign, s.path)
	case version > len(migrations):
		return 0, fmt.Errorf("%w: %s has format %d and this citeloop reads up to %d; update citeloop, or choose another data folder",
			storage.ErrTooNew, s.path, version, len(migrations))
	case version > 0 && tables == 0:
		return 0, fmt.Errorf("%w: %s; move it with its -wal and -shm files away for a new store; to keep its loops, export them with that build "+
			"('citeloop loops export') and import them with this one", storage.ErrEarlier, s.path)
	}
	return version, nil
}

// migrate runs the missing migrations. It reads the version again, because another process may have run them.
func migrate(ctx context.Context, tx *sql.Tx) error {
	var version int
	if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
		return err
	}
	for ; version < len(migrations); version++ {
		if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
			return fmt.Errorf("migration %d: %w", version+1, err)
		}
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, version))
	return err
}
