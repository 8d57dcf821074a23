package sqlite

import (
	"context"
	"embed"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// applicationID marks a file as ours in the database's header: "clop" in ASCII.
const applicationID = 0x636c6f70

// migrations upgrade the schema from one version to the next; PRAGMA user_version counts them. A released migration
// never changes.
//
// Times are text with nanoseconds. Events and heads are found by their key only, so their tables are
// WITHOUT ROWID, which stores a loop's events side by side. Texts are too large for that.
var migrations = storage.Migrations(migrationFiles)

//go:embed migrations
var migrationFiles embed.FS

// earlier renames the tables of a build before the first release.
//
//go:embed earlier.sql
var earlier string

// inspect returns the version of the schema, 0 of a new file, and whether its tables have their earlier names. It refuses a file that is
// not a store of this version or an older one.
func (s *Store) inspect(ctx context.Context) (version int, renamed bool, err error) {
	var application, objects, ours, named int
	// One statement, so that it sees all or nothing of a migration that another process runs now.
	err = s.conn.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM sqlite_schema),
		(SELECT count(*) FROM sqlite_schema WHERE name = 'citeloop_events'),
		(SELECT count(*) FROM sqlite_schema WHERE name IN ('events', 'heads', 'snapshots', 'blobs', 'named', 'turns')),
		(SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version)`).Scan(&objects, &ours, &named, &application, &version)
	refuse := func(kind error, remedy string) error {
		return &loopstate.StoreError{Kind: kind, Place: s.path, Remedy: remedy}
	}
	renamed = version == 1 && ours == 0 && named == 6
	switch {
	case err != nil, application == 0 && version == 0 && objects == 0, renamed:
	case application != applicationID:
		err = refuse(storage.ErrForeign, "choose another data folder")
	case ours > 0 && version > len(migrations):
		err = refuse(storage.ErrTooNew, fmt.Sprintf(
			"it has format %d and this citeloop reads up to %d; update citeloop, or choose another data folder", version, len(migrations)))
	case ours == 0:
		err = refuse(storage.ErrUnsupported, "an early build of citeloop wrote it; move it with its -wal and -shm files to another "+
			"folder for a new store")
	}
	return version, renamed, err
}

// migrate runs the missing migrations within a transaction. It inspects the file again, because another process may have run them.
func (s *Store) migrate(ctx context.Context) error {
	version, renamed, err := s.inspect(ctx)
	if err != nil {
		return err
	}
	missing := migrations[version:]
	if renamed {
		missing = append([]string{earlier}, missing...)
	}
	for _, statements := range missing {
		if _, err := s.conn.ExecContext(ctx, statements); err != nil {
			return fmt.Errorf("upgrade from format %d: %w", version, err)
		}
	}
	_, err = s.conn.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, len(migrations)))
	return err
}
