-- verified: what of a block was recomputed from its hash (lib/verified.ts). What was written before is not known to be any of
-- it: none.
ALTER TABLE segments ADD COLUMN IF NOT EXISTS verified Enum8('none' = 0, 'receipts' = 1, 'full' = 2) DEFAULT 'none';
ALTER TABLE blocks_final ADD COLUMN IF NOT EXISTS verified Enum8('none' = 0, 'receipts' = 1, 'full' = 2) DEFAULT 'none';
ALTER TABLE blocks_head ADD COLUMN IF NOT EXISTS verified Enum8('none' = 0, 'receipts' = 1, 'full' = 2) DEFAULT 'none';
ALTER TABLE blocks ADD COLUMN IF NOT EXISTS verified Enum8('none' = 0, 'receipts' = 1, 'full' = 2) DEFAULT 'none';
