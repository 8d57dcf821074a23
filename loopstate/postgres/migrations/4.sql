-- The accepted readings of a loop; NULL until counted. The index has the loops that Reviewed lists.
ALTER TABLE citeloop_heads ADD COLUMN readings bigint;
CREATE INDEX citeloop_heads_reviewed ON citeloop_heads (owner, updated_at DESC, loop) WHERE readings IS NULL OR readings > 0;
