-- Whether the sums of a network begin at nothing: no block lies before the first one, or what was held there was read.
ALTER TABLE networks ADD COLUMN IF NOT EXISTS is_opened UInt8 DEFAULT from_block = 0;
