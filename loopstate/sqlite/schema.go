package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// applicationID marks a file as ours in the database's header: "clop" in ASCII.
const applicationID = 0x636c6f70

// migrations lead from one version of the schema to the next; PRAGMA user_version counts those done. A
// migration that was released never changes.
//
// Times are text as timeLayout writes them. Rows of events and heads are found by their key alone, hence
// WITHOUT ROWID: a loop's events lie side by side. Texts are large and are not.
var migrations = [...]string{
	`CREATE TABLE events (
		loop    TEXT    NOT NULL,
		seq     INTEGER NOT NULL CHECK (seq > 0),
		at      TEXT    NOT NULL,
		kind    TEXT    NOT NULL,
		version INTEGER NOT NULL,
		op      TEXT    NOT NULL CHECK (op <> ''),
		data    BLOB    NOT NULL, -- JSON, byte for byte
		PRIMARY KEY (loop, seq)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX events_op ON events (loop, op);

	CREATE TABLE heads (
		loop       TEXT    NOT NULL PRIMARY KEY,
		owner      TEXT    NOT NULL,
		seq        INTEGER NOT NULL,
		query      TEXT    NOT NULL,
		round      INTEGER NOT NULL,
		status     TEXT    NOT NULL,
		updated_at TEXT    NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE INDEX heads_owner ON heads (owner, updated_at DESC, loop);

	CREATE TABLE snapshots (
		loop  TEXT    NOT NULL PRIMARY KEY,
		seq   INTEGER NOT NULL,
		fold  INTEGER NOT NULL,
		state BLOB    NOT NULL  -- zstd
	) STRICT;

	CREATE TABLE blobs (
		hash BLOB NOT NULL PRIMARY KEY, -- sha256 of the text
		text BLOB NOT NULL              -- zstd
	) STRICT;`,

	// What processes share while they search; Unix microseconds.
	`CREATE TABLE turns (
		name TEXT    NOT NULL PRIMARY KEY,
		next INTEGER NOT NULL DEFAULT 0,
		held INTEGER NOT NULL DEFAULT 0,
		why  TEXT    NOT NULL DEFAULT '' -- of the hold
	) STRICT, WITHOUT ROWID;`,

	// What a loop keeps in bytes; NULL where nobody has counted yet. The index has all that a sum needs.
	`ALTER TABLE heads ADD COLUMN stored INTEGER;
	CREATE INDEX heads_stored ON heads (owner, stored);`,
}

// prepare makes sure that the file is a store of this version, in WAL mode. A file that is not ours is not
// touched.
func (s *Store) prepare(ctx context.Context) error {
	version, err := s.inspect(ctx)
	if err != nil {
		return err
	}
	if err := s.useWAL(ctx); err != nil {
		return err
	}
	if version == len(migrations) {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error { return migrate(ctx, tx) })
}

// inspect returns the version of the schema: 0 for a new file.
func (s *Store) inspect(ctx context.Context) (version int, err error) {
	var application, objects int
	// One statement, because a process that makes the tables at this moment must be seen wholly or not at all.
	err = s.writer.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM sqlite_schema),
		(SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version)`).Scan(&objects, &application, &version)
	switch {
	case err != nil:
		return 0, err
	case application == 0 && version == 0 && objects == 0:
		return 0, nil
	case application != applicationID:
		return 0, fmt.Errorf("%w: %s is the database of another program; choose another data folder", ErrForeign, s.path)
	case version > len(migrations):
		return 0, fmt.Errorf("%w: %s has format %d and this citeloop reads up to %d; update citeloop, or choose another data folder",
			ErrTooNew, s.path, version, len(migrations))
	}
	return version, nil
}

// useWAL is a setting of the file, made once in its life. Two processes that open a new file at the same
// moment can stand in each other's way here in a manner that SQLite answers with SQLITE_BUSY at once,
// without the wait of busy_timeout; so the wait is here.
func (s *Store) useWAL(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.BusyTimeout)
	defer cancel()
	for {
		var mode string
		err := s.writer.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode)
		switch {
		case err == nil && strings.EqualFold(mode, "wal"):
			return nil
		case err == nil:
			return fmt.Errorf("the file system of %s cannot share a store between processes (journal mode %q); choose a data folder on a local disk", s.path, mode)
		case !isBusy(err):
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond): // about a commit of the other process
		}
	}
}

func isBusy(err error) bool {
	failure, ok := errors.AsType[*driver.Error](err)
	return ok && failure.Code()&0xff == codes.SQLITE_BUSY
}

// migrate runs what is missing. The version is read again: another process may have been first.
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
