-- Sums of 256 bits wrap. What lies above 128 bits is summed apart from the few rows that have any: these indexes find
-- them without reading the others (lib/wide.ts, docs/decisions/0041).
ALTER TABLE ledger_final ADD INDEX IF NOT EXISTS large amount TYPE minmax GRANULARITY 4;
ALTER TABLE ledger_final MATERIALIZE INDEX large;
ALTER TABLE token_ledger_final ADD INDEX IF NOT EXISTS large amount TYPE minmax GRANULARITY 4;
ALTER TABLE token_ledger_final MATERIALIZE INDEX large;
