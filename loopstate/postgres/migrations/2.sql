-- Rate limits that processes share; Unix microseconds. UNLOGGED: turns do not wait for the disk, and are lost in a
-- crash.
CREATE UNLOGGED TABLE citeloop_turns (
	name text   COLLATE "C" NOT NULL PRIMARY KEY,
	next bigint NOT NULL DEFAULT 0,
	held bigint NOT NULL DEFAULT 0,
	why  text   NOT NULL DEFAULT '' -- of the hold
);
