-- Rate limits that processes share; Unix microseconds.
CREATE TABLE turns (
	name TEXT    NOT NULL PRIMARY KEY,
	next INTEGER NOT NULL DEFAULT 0,
	held INTEGER NOT NULL DEFAULT 0,
	why  TEXT    NOT NULL DEFAULT '' -- of the hold
) STRICT, WITHOUT ROWID;
