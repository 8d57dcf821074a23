-- Rates that processes shared, snapshots of states, readings for other loops, and indexes that no query uses.
DROP TABLE citeloop_turns;
DROP TABLE citeloop_snapshots;
DROP INDEX citeloop_events_op;
DROP INDEX citeloop_heads_owner;
DROP INDEX citeloop_heads_stored;
DROP INDEX citeloop_heads_reviewed;
ALTER TABLE citeloop_heads DROP COLUMN readings;
CREATE INDEX citeloop_heads_of ON citeloop_heads (owner); -- does not change with an append
