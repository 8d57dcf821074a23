-- The names of the tables in builds before the first release.
ALTER TABLE events RENAME TO citeloop_events;
ALTER TABLE heads RENAME TO citeloop_heads;
ALTER TABLE snapshots RENAME TO citeloop_snapshots;
ALTER TABLE blobs RENAME TO citeloop_blobs;
ALTER TABLE named RENAME TO citeloop_named;
ALTER TABLE turns RENAME TO citeloop_turns;
