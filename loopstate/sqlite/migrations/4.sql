-- The accepted readings of a loop; NULL until counted. The index has the loops that Reviewed lists.
ALTER TABLE heads ADD COLUMN readings INTEGER;
CREATE INDEX heads_reviewed ON heads (owner, updated_at DESC, loop) WHERE readings IS NULL OR readings > 0;
