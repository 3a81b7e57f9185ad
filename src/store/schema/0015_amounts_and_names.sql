-- Sums of 256 bits wrap. What lies above 128 bits is summed apart from the few rows that have any: these indexes find
-- them without reading the others (lib/wide.ts, docs/decisions/0041).
ALTER TABLE ledger_final ADD INDEX IF NOT EXISTS large amount TYPE minmax GRANULARITY 4;
ALTER TABLE ledger_final MATERIALIZE INDEX large;
ALTER TABLE token_ledger_final ADD INDEX IF NOT EXISTS large amount TYPE minmax GRANULARITY 4;
ALTER TABLE token_ledger_final MATERIALIZE INDEX large;

-- Whether the token's name or symbol, as its contract gave it, held characters that are not shown (lib/text.ts); what is
-- stored has none. Null: it was read before this was looked at, and is read again when it moves.
ALTER TABLE tokens ADD COLUMN IF NOT EXISTS has_hidden Nullable(UInt8);
