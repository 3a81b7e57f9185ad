-- Counterparties of followed addresses are wished with a limit (docs/design/on_demand.md). blocks_max: an address with more blocks is not
-- read, 0 = it is read whatever its number. too_large: it has more.
ALTER TABLE subject_wishes ADD COLUMN IF NOT EXISTS blocks_max UInt64 DEFAULT 0;

ALTER TABLE subjects MODIFY COLUMN state Enum8('searching' = 1, 'reading' = 2, 'read' = 3, 'failed' = 4, 'left' = 5, 'too_large' = 6);
