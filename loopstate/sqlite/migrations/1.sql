CREATE TABLE events (
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
) STRICT;
