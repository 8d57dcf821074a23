-- The bytes that a loop stores; NULL until counted. The index contains all columns of the sum.
ALTER TABLE heads ADD COLUMN stored INTEGER;
CREATE INDEX heads_stored ON heads (owner, stored);
