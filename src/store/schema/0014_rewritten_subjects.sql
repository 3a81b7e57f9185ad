-- Stored blocks of an address may be written again (docs/design/on_demand.md). rewrites: how often that was. is_rewriting: it is under way or
-- was cut off; state is `reading` meanwhile, and everything else of the record holds.
ALTER TABLE subjects ADD COLUMN IF NOT EXISTS rewrites UInt64 DEFAULT 0;

ALTER TABLE subjects ADD COLUMN IF NOT EXISTS is_rewriting UInt8 DEFAULT 0;
