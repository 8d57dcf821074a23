CREATE TABLE citeloop_events (
	loop    TEXT    NOT NULL,
	seq     INTEGER NOT NULL CHECK (seq > 0),
	at      TEXT    NOT NULL,
	kind    TEXT    NOT NULL,
	version INTEGER NOT NULL,
	op      TEXT    NOT NULL CHECK (op <> ''),
	data    BLOB    NOT NULL, -- JSON, byte for byte
	PRIMARY KEY (loop, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX citeloop_events_op ON citeloop_events (loop, op);

CREATE TABLE citeloop_heads (
	loop       TEXT    NOT NULL PRIMARY KEY,
	owner      TEXT    NOT NULL,
	seq        INTEGER NOT NULL,
	query      TEXT    NOT NULL,
	round      INTEGER NOT NULL,
	status     TEXT    NOT NULL,
	updated_at TEXT    NOT NULL,
	stored     INTEGER NOT NULL, -- bytes that the loop stores
	readings   INTEGER NOT NULL  -- accepted readings of its claims
) STRICT, WITHOUT ROWID;
CREATE INDEX citeloop_heads_owner ON citeloop_heads (owner, updated_at DESC, loop);
CREATE INDEX citeloop_heads_stored ON citeloop_heads (owner, stored);
CREATE INDEX citeloop_heads_reviewed ON citeloop_heads (owner, updated_at DESC, loop) WHERE readings > 0;

CREATE TABLE citeloop_snapshots (
	loop  TEXT    NOT NULL PRIMARY KEY,
	seq   INTEGER NOT NULL,
	fold  INTEGER NOT NULL,
	state BLOB    NOT NULL  -- zstd
) STRICT;

CREATE TABLE citeloop_blobs (
	hash BLOB NOT NULL PRIMARY KEY, -- sha256 of the text
	text BLOB NOT NULL              -- zstd
) STRICT;

-- Which loops name a text in their events. A text that none names is deleted with the last that did.
CREATE TABLE citeloop_named (
	hash BLOB NOT NULL,
	loop TEXT NOT NULL,
	PRIMARY KEY (hash, loop)
) STRICT, WITHOUT ROWID;
CREATE INDEX citeloop_named_loop ON citeloop_named (loop);

-- Rate limits that processes share; Unix microseconds.
CREATE TABLE citeloop_turns (
	name TEXT    NOT NULL PRIMARY KEY,
	next INTEGER NOT NULL DEFAULT 0,
	held INTEGER NOT NULL DEFAULT 0  -- the end of the hold
) STRICT, WITHOUT ROWID;
