CREATE TABLE citeloop_events (
	loop    text   COLLATE "C" NOT NULL,
	seq     bigint NOT NULL CHECK (seq > 0),
	at      text   COLLATE "C" NOT NULL,
	kind    text   NOT NULL,
	version bigint NOT NULL,
	op      text   COLLATE "C" NOT NULL CHECK (op <> ''),
	data    bytea  NOT NULL, -- JSON, byte for byte
	PRIMARY KEY (loop, seq)
);
CREATE INDEX citeloop_events_op ON citeloop_events (loop, op);

CREATE TABLE citeloop_heads (
	loop       text   COLLATE "C" NOT NULL PRIMARY KEY,
	owner      text   COLLATE "C" NOT NULL,
	seq        bigint NOT NULL,
	query      text   NOT NULL,
	round      bigint NOT NULL,
	status     text   NOT NULL,
	updated_at text   COLLATE "C" NOT NULL,
	stored     bigint NOT NULL, -- bytes that the loop stores
	readings   bigint NOT NULL  -- accepted readings of its claims
);
CREATE INDEX citeloop_heads_owner ON citeloop_heads (owner, updated_at DESC, loop);
CREATE INDEX citeloop_heads_stored ON citeloop_heads (owner, stored);
CREATE INDEX citeloop_heads_reviewed ON citeloop_heads (owner, updated_at DESC, loop) WHERE readings > 0;

CREATE TABLE citeloop_snapshots (
	loop  text   COLLATE "C" NOT NULL PRIMARY KEY,
	seq   bigint NOT NULL,
	fold  bigint NOT NULL,
	state bytea  NOT NULL -- zstd
);
ALTER TABLE citeloop_snapshots ALTER COLUMN state SET STORAGE EXTERNAL;

CREATE TABLE citeloop_blobs (
	hash bytea NOT NULL PRIMARY KEY, -- sha256 of the text
	text bytea NOT NULL              -- zstd
);
ALTER TABLE citeloop_blobs ALTER COLUMN text SET STORAGE EXTERNAL;

-- Which loops name a text in their events. A text that none names is deleted with the last that did.
CREATE TABLE citeloop_named (
	hash bytea NOT NULL,
	loop text  COLLATE "C" NOT NULL,
	PRIMARY KEY (hash, loop)
);
CREATE INDEX citeloop_named_loop ON citeloop_named (loop);

-- Rate limits that processes share; Unix microseconds. UNLOGGED: turns do not wait for the disk, and are lost in a
-- crash.
CREATE UNLOGGED TABLE citeloop_turns (
	name text   COLLATE "C" NOT NULL PRIMARY KEY,
	next bigint NOT NULL DEFAULT 0,
	held bigint NOT NULL DEFAULT 0 -- the end of the hold
);
