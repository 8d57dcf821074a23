-- The bytes that a loop stores; NULL until counted. The index contains all columns of the sum.
ALTER TABLE citeloop_heads ADD COLUMN stored bigint;
CREATE INDEX citeloop_heads_stored ON citeloop_heads (owner, stored);
